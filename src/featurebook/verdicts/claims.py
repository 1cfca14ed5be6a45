"""Checks as functions: one per claim, which anybody can call at any parameters.

A paper's package has one `Claims`. An *experiment* is a function of the paper's parameters and of
other experiments; a *check* is a function of the same that yields what it compares. Both ask for
what they need by the names of their arguments:

    claims = Claims("fourier_circuits")

    @claims.experiment
    def trained(p: int, seed: int) -> dict[str, Tensor]: ...

    @claims.check("theorem-1", proof="proved on the page")
    def _(trained: dict[str, Tensor], p: int) -> Iterator[Verdict]:
        yield inequality(0.999, trained["efficiency"], what="mean efficiency")

    claims.at(p=17, seed=0).check("theorem-1")

Within one `Study` an experiment is computed once, however many checks ask for it.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from featurebook.verdicts import shelf
from featurebook.verdicts.combining import combine, in_runs, only_on, proved, undecided
from featurebook.verdicts.lacking import LackingError, lacks
from featurebook.verdicts.verdict import Verdict, relabelled
from featurebook.verdicts.words import Certificate, Reason

Check = Callable[..., Iterator[Verdict]]


@dataclass(frozen=True)
class Judgement:
    """The check of one claim, and what turns its comparisons into a verdict.

    Attributes:
        claim: the claim's id.
        compare: yields the comparisons, one verdict without a claim each.
        proof: what proves the claim beyond the numbers; a refutation needs none.
        undecided: a reason of `verdicts.MEANING` and a detail, if no outcome decides the claim.
        beyond: what the claim speaks of beyond the runs (`verdicts.in_runs`).
        of: the data that the claim names (`verdicts.only_on`).
        on: what was judged instead of ``of``; takes parameters and experiments by name.
    """

    claim: str
    compare: Check
    proof: Certificate = ""
    undecided: tuple[Reason, str] | None = None
    beyond: str = ""
    of: str = ""
    on: Callable[..., str] | None = None

    @property
    def source(self) -> str:
        """The check as it is written."""
        return inspect.getsource(self.compare)


@dataclass(frozen=True)
class Claims:
    """The experiments and checks of one paper.

    Args:
        part: the paper's name, with which the ids of its claims begin.
    """

    part: str
    experiments: dict[str, Callable[..., Any]] = field(default_factory=dict)
    judgements: dict[str, Judgement] = field(default_factory=dict)

    def experiment(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Register a function of parameters and experiments under its name.

        Raises:
            ValueError: if there is an experiment of this name.
        """
        name = function.__name__
        if name in self.experiments:
            raise ValueError(f"{self.part} has two experiments called {name}")
        self.experiments[name] = function
        return function

    def check(self, claim: str, **how: Any) -> Callable[[Check], Check]:
        """Register the check of a claim.

        Args:
            claim: its id without the part's name.
            how: attributes of `Judgement` other than ``claim`` and ``compare``.

        Raises:
            ValueError: if the claim has a check.
        """

        def register(function: Check) -> Check:
            if self.id(claim) in self.judgements:
                raise ValueError(f"{self.id(claim)} has two checks")
            self.judgements[self.id(claim)] = Judgement(self.id(claim), function, **how)
            return function

        return register

    def id(self, claim: str) -> str:
        """The whole id of a claim, which may be given with or without the part's name."""
        return claim if claim.startswith(f"{self.part}-") else f"{self.part}-{claim}"

    def needs(self, name: str) -> set[str]:
        """The parameters that a claim or an experiment depends on, directly or not."""
        return {n for n in self._uses(self._function(name)) if n not in self.experiments}

    def uses(self, name: str) -> set[str]:
        """The experiments that a claim or an experiment depends on, directly or not."""
        return self._uses(self._function(name)) & set(self.experiments)

    def asks(self, name: str) -> set[str]:
        """The experiments that a claim or an experiment names itself."""
        return set(inspect.signature(self._function(name)).parameters) & set(self.experiments)

    def at(self, **values: Any) -> "Study":
        """The experiments and checks at these values of the parameters."""
        return Study(self, MappingProxyType(values))

    def _function(self, name: str) -> Callable[..., Any]:
        if name in self.experiments:
            return self.experiments[name]
        return self[name].compare

    def __getitem__(self, claim: str) -> Judgement:
        """The judgement of a claim.

        Raises:
            LookupError: if it has no check, with the nearest that has.
        """
        try:
            return self.judgements[self.id(claim)]
        except KeyError:
            near = get_close_matches(self.id(claim), self.judgements, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise LookupError(f"{self.id(claim)} has no check{hint}") from None

    def _uses(self, function: Callable[..., Any]) -> set[str]:
        found = set(inspect.signature(function).parameters)
        for name in found & set(self.experiments):
            found |= self._uses(self.experiments[name])
        return found


@dataclass(frozen=True)
class Study:
    """A paper's experiments and checks at given parameters.

    Attributes:
        values: the parameters by name.
        results: the experiments computed so far; one that is put here is not computed.
    """

    claims: Claims
    values: Mapping[str, Any]
    results: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, experiment: str) -> Any:
        """The result of an experiment, computed when it is first asked for.

        Raises:
            LookupError: if there is no such experiment, or it needs a parameter without a value.
        """
        if experiment not in self.results:
            if experiment not in self.claims.experiments:
                raise LookupError(f"{self.claims.part} has no experiment {experiment}")
            self.results[experiment] = self._result(experiment)
        return self.results[experiment]

    def _result(self, experiment: str) -> Any:
        """From the machine's shelf if it lies there; what an experiment needs is then not run."""
        needed = self.claims.needs(experiment)
        file = shelf.place(experiment, {n: self.values[n] for n in needed if n in self.values})
        if file is not None:
            with suppress(OSError, ValueError):
                return shelf.take(experiment, file)
        function = self.claims.experiments[experiment]
        arguments = self._arguments(function)
        if file is None:
            return function(**arguments)
        return shelf.computed(file, lambda: function(**arguments))

    def check(self, claim: str) -> Verdict:
        """The verdict on a claim, which may be named with or without the part's name.

        It is open, with what to do, if an experiment raises `LackingError`.

        Raises:
            LookupError: if the claim has no check, or a parameter has no value.
        """
        judgement = self.claims[claim]
        try:
            parts = list(self._call(judgement.compare))
        except LackingError as lacking:
            return lacks(judgement.claim, str(lacking), judgement.source)
        found = parts[0] if len(parts) == 1 else combine(parts)
        verdict = self._decided(relabelled(found, judgement.claim), judgement)
        return replace(verdict, source=judgement.source)

    def _decided(self, verdict: Verdict, judgement: Judgement) -> Verdict:
        if judgement.proof:
            verdict = proved(verdict, judgement.proof)
        if judgement.undecided:
            verdict = undecided(verdict, *judgement.undecided)
        if judgement.beyond:
            verdict = in_runs(verdict, judgement.beyond)
        if judgement.on:
            verdict = only_on(verdict, self._call(judgement.on), judgement.of)
        return verdict

    def _call(self, function: Callable[..., Any]) -> Any:
        return function(**self._arguments(function))

    def _arguments(self, function: Callable[..., Any]) -> dict[str, Any]:
        return {n: self._value(n) for n in inspect.signature(function).parameters}

    def _value(self, name: str) -> Any:
        if name in self.claims.experiments:
            return self[name]
        try:
            return self.values[name]
        except KeyError:
            raise LookupError(f"{self.claims.part}: the parameter {name} has no value") from None
