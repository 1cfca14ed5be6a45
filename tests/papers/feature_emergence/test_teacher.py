"""Regularisers and convolutional students."""

import pytest
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import resnet, teacher


def test_regularisers_of_the_teacher() -> None:
    p = torch.softmax(torch.randn(50, 4, generator=generator(0, "p")), 1)
    mean = p.mean(0)
    assert float(teacher.balance(p.log())) == pytest.approx(float((mean * mean.log()).sum()))
    assert float(teacher.doubt(p.log())) == pytest.approx(float(-(p * p.log()).sum(1).mean()))


def test_convolutional_students_learn_their_teacher() -> None:
    g = generator(0, "photos")
    nets, x = resnet.architecture(3), torch.randn(48, 3, 4, 4, generator=g)
    classes = x.mean((1, 2, 3)).argsort().argsort() // 16
    params = teacher.train_teacher(nets, (x, classes), torch.randn(48, 3, 4, 4), 2, 3, 0)
    labelled = x, nets.judge(x)(params, x).argmax(1)
    learned = teacher.train_students(nets, labelled, 2, {"same": labelled}, [0, 20], [0, 1])
    by_step = learned.pivot_table(index="seed", columns="step", values="same")
    assert (by_step[20] > by_step[0]).all()


def test_each_seed_has_its_own_teacher() -> None:
    """Teachers that disagree: each seed's student is measured against its own."""
    g = generator(0, "inputs")
    x, fc = torch.randn(400, 3, generator=g), teacher.fully_connected(3, 2)
    teachers = {
        4: lambda u: (u[:, 0].square() > 0.5).long(),
        7: lambda u: (u[:, 0].square() <= 0.5).long(),
    }
    found = teacher.students_by_teacher(fc, teachers, x, 6, {"fresh": x[:200]}, [0, 150])
    ends = found[found.step == 150].set_index("seed")["fresh"]
    assert sorted(ends.index) == [4, 7]
    assert (ends > 0.85).all()
