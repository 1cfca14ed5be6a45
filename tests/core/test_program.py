"""Many steps in one compiled call give what single calls give."""

import warnings
from dataclasses import replace
from functools import partial

import pytest
import torch
from torch._dynamo.testing import CompileCounterWithBackend

import trainings as plain
from featurebook.core import Execution, NonFiniteLossError, Observe, inverse_time, program, train

COMPILED = Execution(compiled=True)
ADAMW = partial(torch.optim.AdamW, lr=0.02, weight_decay=0.1)


@pytest.fixture
def counter(monkeypatch):
    """torch's compiler as far as it needs no C++: it traces, and torch runs what it traced."""
    torch.compiler.reset()
    counter = CompileCounterWithBackend("aot_eager")
    compile_with = torch.compile

    def traced(function, options=None, **how):  # the options are those of the C++
        return compile_with(function, backend=counter, **how)

    monkeypatch.setattr(torch, "compile", traced)
    return counter


@pytest.fixture
def no_fallback():
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="torch cannot compile")
        yield


@pytest.mark.parametrize("optimizer", [plain.SGD, plain.ADAM, ADAMW], ids=["sgd", "adam", "adamw"])
@pytest.mark.parametrize("mode", plain.MODES)
@pytest.mark.usefixtures("no_fallback")
def test_it_gives_the_same_in_one_program(counter, mode, optimizer):
    more = {"schedule": inverse_time(0.05), "observe_at": (0, 1, 3, 17, 40)}
    expected = plain.run(plain.SEEDS, mode, optimizer, **more)
    found = plain.run(plain.SEEDS, mode, optimizer, execution=COMPILED, **more)
    for name, value in expected.params.items():
        plain.close(found.params[name], value)
    for name, value in expected.observed.items():
        plain.close(found.observed[name], value)
    assert counter.frame_count == 1  # for stretches of every length


def diverges_as_step_by_step(execution):
    with pytest.raises(NonFiniteLossError) as expected:
        plain.growing([0.5, 50.0, 1.0])
    with pytest.raises(NonFiniteLossError) as found:
        plain.growing([0.5, 50.0, 1.0], execution=execution)
    assert str(found.value).split("Step size")[0] == str(expected.value).split("Step size")[0]


def resumes_as_unbroken(mode, optimizer, execution, same):
    def stop(params, calls=[]):  # noqa: B006
        calls.append(0)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return plain.look(params)

    times = (0, 9, 23, 40)
    unbroken = plain.run(plain.SEEDS, mode, optimizer, times)
    with pytest.raises(KeyboardInterrupt):
        plain.run(plain.SEEDS, mode, optimizer, execution=execution, observe=Observe(stop, times))
    resumed = plain.run(plain.SEEDS, mode, optimizer, times, execution=execution)
    for name, value in unbroken.params.items():
        same(resumed.params[name], value)
    assert resumed.steps == unbroken.steps
    same(resumed.observed["v"], unbroken.observed["v"])


@pytest.mark.usefixtures("counter", "no_fallback")
def test_a_divergence_is_found_at_its_step():
    diverges_as_step_by_step(COMPILED)


@pytest.mark.parametrize("optimizer", [plain.SGD, plain.ADAM], ids=["sgd", "adam"])
@pytest.mark.parametrize("mode", ["mini-batches", "fresh batches"])
@pytest.mark.usefixtures("counter", "no_fallback")
def test_interrupted_and_resumed_equals_unbroken(tmp_path, mode, optimizer):
    kept = Execution(compiled=True, checkpoint_file=tmp_path / "c.safetensors")
    resumes_as_unbroken(mode, optimizer, kept, plain.close)


@pytest.mark.usefixtures("no_fallback")
def test_a_call_takes_no_more_steps_than_a_second(counter, monkeypatch):
    clock = iter(range(0, 10**6, 4))  # four seconds between two looks
    monkeypatch.setattr(program.time, "perf_counter", lambda: next(clock))
    counts = []
    call = program.Program._call
    monkeypatch.setattr(
        program.Program, "_call", lambda self, n: (counts.append(n), call(self, n))[1]
    )
    plain.run(plain.SEEDS, "full batch", plain.SGD, execution=COMPILED)
    assert counts == [0] + [1] * 40
    assert counter.frame_count == 1


def test_where_the_loop_fails_the_gradient_alone_is_compiled_and_one_line_says_so(
    counter, monkeypatch
):
    def broken(*_):
        raise NotImplementedError("no loops\nhere")

    monkeypatch.setattr(program, "while_loop", broken)
    expected = plain.run(plain.SEEDS, "mini-batches", plain.ADAM)
    with pytest.warns(UserWarning, match="only its gradient is compiled") as said:
        found = plain.run(plain.SEEDS, "mini-batches", plain.ADAM, execution=COMPILED)
    (line,) = [str(w.message) for w in said if "torch cannot" in str(w.message)]
    assert "\n" not in line
    for name, value in expected.params.items():
        plain.close(found.params[name], value)


def replayed(function, changed):
    return lambda count: [function() for _ in range(count)]


@pytest.mark.usefixtures("counter", "no_fallback")
def test_what_a_gpu_would_replay_gives_the_same(monkeypatch):
    # the captured step without the capture, which only a GPU has
    monkeypatch.setattr(program, "looped", program.captured)
    monkeypatch.setattr(program, "capture", replayed)
    for mode in plain.MODES:
        expected = plain.run(plain.SEEDS, mode, plain.ADAM)
        found = plain.run(plain.SEEDS, mode, plain.ADAM, execution=COMPILED)
        plain.close(found.params["w"], expected.params["w"])
        plain.close(found.observed["v"], expected.observed["v"])


@pytest.mark.usefixtures("counter", "no_fallback")
def test_an_interrupted_replay_has_moved_nothing(monkeypatch, tmp_path):
    interrupts = [KeyboardInterrupt]

    def interrupted(function, changed):
        def replay(count):
            for k in range(count):
                if k == 1 and interrupts:
                    raise interrupts.pop()
                function()

        return replay

    monkeypatch.setattr(program, "looped", program.captured)
    monkeypatch.setattr(program, "capture", interrupted)
    unbroken = plain.run(plain.SEEDS, "mini-batches", plain.ADAM)
    kept = Execution(compiled=True, checkpoint_file=tmp_path / "c.safetensors")
    with pytest.raises(KeyboardInterrupt):
        plain.run(plain.SEEDS, "mini-batches", plain.ADAM, execution=kept)
    resumed = plain.run(plain.SEEDS, "mini-batches", plain.ADAM, execution=kept)
    plain.close(resumed.params["w"], unbroken.params["w"])
    plain.close(resumed.observed["v"], unbroken.observed["v"])


gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")
ON_GPU = Execution(device="cuda", compiled=True)
near = partial(torch.testing.assert_close, rtol=1e-6, atol=1e-7, check_device=False)


@gpu
@pytest.mark.parametrize("execution", [ON_GPU, Execution(device="cuda")], ids=["captured", "eager"])
@pytest.mark.parametrize("optimizer", [plain.SGD, plain.ADAM, ADAMW], ids=["sgd", "adam", "adamw"])
@pytest.mark.parametrize("mode", plain.MODES)
@pytest.mark.usefixtures("no_fallback")
def test_a_gpu_gives_the_same(mode, optimizer, execution):
    more = {"schedule": inverse_time(0.05), "observe_at": (0, 1, 3, 17, 40)}
    expected = plain.run(plain.SEEDS, mode, optimizer, **more)
    found = plain.run(plain.SEEDS, mode, optimizer, execution=execution, **more)
    near(found.params["w"], expected.params["w"])
    near(found.observed["v"], expected.observed["v"])


@gpu
@pytest.mark.usefixtures("no_fallback")
def test_interrupted_and_resumed_on_a_gpu(tmp_path):
    kept = replace(ON_GPU, checkpoint_file=tmp_path / "c.safetensors")
    resumes_as_unbroken("mini-batches", plain.ADAM, kept, near)


@gpu
@pytest.mark.usefixtures("no_fallback")
def test_a_divergence_on_a_gpu_is_found_at_its_step():
    diverges_as_step_by_step(ON_GPU)


def test_a_long_training_through_the_real_compiler(no_fallback):
    found, expected = (
        train(
            plain.loss, plain.start(plain.SEEDS), plain.data(plain.SEEDS), steps=250,
            seeds=plain.SEEDS, optimizer=plain.SGD, batch_size=5, execution=how,
        )
        for how in (COMPILED, Execution())
    )  # fmt: skip
    for name, value in expected.params.items():
        plain.close(found.params[name], value)
