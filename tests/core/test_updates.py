"""The rules give the numbers of torch.optim, step by step."""

from functools import partial

import pytest
import torch

from featurebook.core import updates

OPTIMIZERS = [
    partial(torch.optim.SGD, lr=0.1),
    partial(torch.optim.SGD, lr=0.1, momentum=0.9, weight_decay=0.01),
    partial(torch.optim.SGD, lr=0.1, momentum=0.8, dampening=0.3),
    partial(torch.optim.SGD, lr=0.1, momentum=0.7, nesterov=True, weight_decay=0.02),
    partial(torch.optim.Adam, lr=0.03),
    partial(torch.optim.Adam, lr=0.03, betas=(0.8, 0.98), eps=1e-5, weight_decay=0.1),
    partial(torch.optim.AdamW, lr=0.03, betas=(0.9, 0.98)),
    partial(torch.optim.AdamW, lr=0.03, weight_decay=0.3, foreach=True),
    torch.optim.Adam,
]


def name(optimizer):
    inner = optimizer if isinstance(optimizer, partial) else partial(optimizer)
    return f"{inner.func.__name__} {inner.keywords}"


def of_torch(optimizer, start, grads, etas):
    p = start.clone()
    made = optimizer([p])
    for g, eta in zip(grads, etas, strict=True):
        for group in made.param_groups:
            group["lr"] = eta
        p.grad = g.clone()
        made.step()
        yield p.clone()


def of_rule(rule, start, grads, etas, as_numbers):
    p = start.clone()
    state = tuple(torch.zeros_like(p) for _ in range(rule.size))
    for t, (g, eta) in enumerate(zip(grads, etas, strict=True), 1):
        rule.move(p, g.clone(), state, as_numbers(rule.numbers(t, eta)))
        yield p.clone()


@pytest.fixture(params=[torch.float32, torch.float64])
def problem(request):
    g = torch.Generator().manual_seed(0)
    start = torch.randn(3, 4, generator=g, dtype=request.param)
    grads = [torch.randn(3, 4, generator=g, dtype=request.param) for _ in range(25)]
    return start, grads, [0.1 / (1 + 0.2 * t) for t in range(25)]


@pytest.mark.parametrize("optimizer", OPTIMIZERS, ids=name)
def test_each_step_is_that_of_torch_to_the_bit(problem, optimizer):
    expected = of_torch(optimizer, *problem)
    found = of_rule(updates.rule_of(optimizer), *problem, lambda numbers: numbers)
    for a, b in zip(expected, found, strict=True):
        assert torch.equal(a, b)


@pytest.mark.parametrize("optimizer", OPTIMIZERS, ids=name)
def test_with_numbers_in_tensors_it_is_that_to_rounding(problem, optimizer):
    def tensors(numbers):
        return torch.tensor(numbers, dtype=torch.float64).unbind()

    expected = of_torch(optimizer, *problem)
    found = of_rule(updates.rule_of(optimizer), *problem, tensors)
    close = {torch.float32: 1e-5, torch.float64: 1e-13}[problem[0].dtype]
    for a, b in zip(expected, found, strict=True):
        torch.testing.assert_close(a, b, rtol=close, atol=close)


@pytest.mark.parametrize("optimizer", OPTIMIZERS, ids=name)
def test_the_step_size_is_the_optimizers(optimizer):
    made = optimizer([torch.zeros(1)])
    assert updates.rule_of(optimizer).lr == made.param_groups[0]["lr"]


class Own(torch.optim.SGD):
    pass


@pytest.mark.parametrize(
    "optimizer",
    [
        partial(torch.optim.RMSprop, lr=0.1),
        partial(torch.optim.Adam, lr=0.1, amsgrad=True),
        partial(torch.optim.SGD, lr=0.1, maximize=True),
        partial(torch.optim.Adam, lr=torch.tensor(0.1)),
        partial(Own, lr=0.1),
        lambda tensors: torch.optim.SGD(tensors, lr=0.1),
    ],
)
def test_what_is_not_known_is_refused(optimizer):
    with pytest.raises(ValueError, match=r"SGD, Adam or AdamW|has no (amsgrad|maximize|lr) here"):
        updates.rule_of(optimizer)


@pytest.mark.parametrize(
    "optimizer",
    [
        partial(torch.optim.SGD, lr=-0.1),
        partial(torch.optim.SGD, lr=float("nan")),
        partial(torch.optim.SGD, momentum=-1.0),
        partial(torch.optim.SGD, nesterov=True),
        partial(torch.optim.Adam, eps=-1e-8),
        partial(torch.optim.AdamW, weight_decay=-1.0),
        partial(torch.optim.Adam, betas=(0.9, 1.0)),
    ],
    ids=name,
)
def test_numbers_out_of_range_are_refused(optimizer):
    with pytest.raises(ValueError, match=r"must be|needs"):
        updates.rule_of(optimizer)
