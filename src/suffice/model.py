"""The fitted model: blocks of columns with their families, a tally, a rule and a class prior → log joint.

It is a value: ``learn``, ``forget``, ``merged`` and ``decayed`` return another one. Densities are made from the tally when
they are first asked for, so learning a row costs a sum over the statistics and no estimation.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np

from suffice.blend.blending import BLENDED, Blending, Calibrate
from suffice.columns.blocks import Block, Numbers
from suffice.columns.documents import Rows
from suffice.columns.kinds import Name
from suffice.columns.labels import Label, Labels
from suffice.columns.padded_table import PaddedTable
from suffice.columns.table import Table
from suffice.errors import DataError, MergeError, quoted
from suffice.families.assignment import Assigned
from suffice.families.base import Density, Rule
from suffice.families.class_prior import ClassPrior
from suffice.families.reading import BATCH_CELLS, copies, decided, observed, read_block
from suffice.families.settings import number
from suffice.families.shrunk import KnowsItsRows
from suffice.families.support import refuse_infinite
from suffice.numerics import kernels
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray
from suffice.numerics.blas import one_blas_thread
from suffice.statistics import Tally
from suffice.statistics.tally import union

_ALL = slice(None)
T = TypeVar("T")

_CACHED_CELLS = 1 << 19  # 4 MiB: scores that are still in the cache when they are normalised


@dataclass(frozen=True, eq=False)
class Model:
    """What was learned, and how to read it."""

    blocks: tuple[Assigned, ...]
    names: Sequence[Name]
    prior: ClassPrior
    rule: Rule
    tally: Tally
    declared: tuple[Label, ...] = ()
    """Classes that exist even if no row of theirs was seen (yet, or any more)."""
    class_weight: Mapping[Label, float] | Literal["balanced"] | None = None
    refinements: tuple[object | None, ...] = ()
    """What a second look at the rows found, a block at a time; nothing if there was none."""
    calibrate: Calibrate = "none"
    """Whether that look also fits how much each column counts, and what columns say together."""
    blending: Blending | None = None
    is_stale: bool = False
    """Whether the sums have changed since that second look."""
    marginalise: bool = False
    """Whether a column that a table lacks counts as missing, instead of being an error."""

    @classmethod
    def fitted(
        cls,
        blocks: tuple[Assigned, ...],
        table: Table,
        labels: Labels,
        weight: FloatArray | None,
        threads: int,
        **settings: Any,
    ) -> "Model":
        """The model of some rows."""
        model = cls.blank(blocks, table, threads, **settings)
        return model.having(model.count(table, labels, weight, threads))

    @classmethod
    def blank(cls, blocks: tuple[Assigned, ...], table: Table, threads: int, **settings: Any) -> "Model":
        """A model that has learned nothing yet, of tables like this one."""
        made = tuple(decided(block, table, threads) for block in blocks)
        return cls(blocks=made, names=table.names, tally=Tally((), np.zeros(0), (), ()), **settings)

    def having(self, tally: Tally) -> "Model":
        """With other sums than these, and no second look at any rows."""
        model = replace(self, tally=tally, refinements=(), is_stale=False)
        return model.declaring(union(self.declared, self.prior.named))

    @property
    def classes(self) -> tuple[Label, ...]:
        return self.tally.classes

    @cached_property
    def is_empty(self) -> bool:
        """Whether nothing is left of what was learned."""
        return not self.tally.weight.any()

    # — learning —

    def learn(self, table: Table, labels: Labels, weight: FloatArray | None, threads: int) -> "Model":
        """With these rows added."""
        tally = self.tally + self.count(table, labels, weight, threads)
        blending = self._blending_with(table, labels, weight, 1, threads)
        return replace(self, tally=tally, blending=blending, is_stale=self.refines)._checked()

    def forget(self, table: Table, labels: Labels, weight: FloatArray | None, threads: int) -> "Model":
        """With these rows taken away; a class of which nothing is left goes with them."""
        less = self.without(self.count(table, labels, weight, threads))
        blending = self._blending_with(table, labels, weight, -1, threads) if less.classes == self.classes else None
        return replace(less, blending=blending)

    def without(self, tally: Tally) -> "Model":
        """With the sum over some rows taken away."""
        less = (self.tally - tally).without_empty(self.declared)
        # what was fitted to the rows that go must not stay
        return replace(self, tally=less, refinements=(), blending=None, is_stale=self.refines)

    def _blending_with(
        self, table: Table, labels: Labels, weight: FloatArray | None, sign: int, threads: int
    ) -> Blending | None:
        """With rows added to what columns were seen to say together, or taken away; nothing if there are new classes."""
        if self.blending is None or not set(labels.classes) <= set(self.classes):
            return None
        if not np.allclose(self.blending.seen, self.tally.weight):  # of a sample of the rows
            return self.blending if sign > 0 else None
        return self.blending.changed(self.blended(self.read(table, threads)), self._places(labels), weight, sign)

    def blended(self, each: Sequence[T]) -> list[T]:
        """Of one thing a block: those of the blocks that are blended."""
        return [one for one, block in zip(each, self.blocks, strict=True) if isinstance(block.family, BLENDED)]

    def declaring(self, classes: tuple[Label, ...]) -> "Model":
        """With classes that may not have been seen yet."""
        tally = self.tally.spread(union(self.classes, classes))
        blending = self.blending if tally.classes == self.classes else None
        return replace(self, tally=tally, blending=blending, declared=union(self.declared, classes))._checked()

    def merged(self, other: "Model") -> "Model":
        """What both have learned."""
        theirs = {frozenset(block.columns): block.family for block in other.blocks}
        for block in self.blocks:
            family = theirs.get(frozenset(block.columns))
            if family is not None and not block.family.counts_like(family):
                raise MergeError(
                    f"Columns {quoted(list(block.columns))} are modelled by {block.family} here and by {family} there",
                    "they must count the same thing to be added",
                )
        tally = self.tally + other.tally
        return replace(
            self,
            tally=tally,
            declared=union(self.declared, other.declared),
            refinements=(),  # neither's fits the sum of both
            blending=None,
            is_stale=self.refines,
        )._checked()

    @property
    def refines(self) -> bool:
        """Whether a second look at the rows would find something."""
        return self._blends or any(block.family.refines for block in self.blocks)

    @property
    def _blends(self) -> bool:
        return self.calibrate != "none" and bool(self.blended(self.blocks))

    def refined(
        self, table: Table, labels: Labels, weight: FloatArray | None, threads: int, rows: Rows = _ALL
    ) -> "Model":
        """With a second look at rows that were learned (of the table, these), by those blocks that can use one."""
        if not self.refines:
            return self
        table = self._with_columns(table)
        plain = replace(self, refinements=(), blending=None)
        y, w = self._places(labels)[rows], None if weight is None else weight[rows]
        found = tuple(
            block.family.refine(
                density,
                read_block(table, block, density, threads).take(rows),
                y,
                w,
                self.classes,
                plain.log_prior,
                threads,
            )
            if block.family.refines
            else None
            for block, density in zip(self.blocks, plain.densities, strict=True)
        )
        blending = plain._blending_of(table, y, w, rows, threads) if self._blends else None
        refinements = found if any(f is not None for f in found) else ()
        return replace(self, refinements=refinements, blending=blending, is_stale=False)

    def _blending_of(
        self, table: Table, y: CodeArray, weight: FloatArray | None, rows: Rows, threads: int
    ) -> Blending | None:
        if len(self.classes) < 2:
            return None
        log_prior = replace(self, class_weight=None).log_prior  # rows are left out as often as they were counted
        read = [cells.take(rows) for cells in self.blended(self.read(table, threads))]
        densities: Any = self.blended(self.densities)
        from suffice.blend.second_look import blend  # what fits is not loaded to score

        with one_blas_thread():
            return blend(densities, read, y, weight, self.classes, log_prior, self.calibrate, threads)

    def _places(self, labels: Labels) -> CodeArray:
        """The class of each row among those of the model."""
        place = np.array([self.classes.index(c) for c in labels.classes], dtype=np.int32)
        return place[labels.codes]

    def _checked(self) -> "Model":
        for block, statistic in zip(self.blocks, self.tally.statistics, strict=True):
            block.family.check(statistic, block.columns, self.classes)
        return self

    def decayed(self, factor: float) -> "Model":
        """Everything learned so far counted ``factor`` times."""
        blending = None if self.blending is None else self.blending.scaled(factor)
        return replace(self, tally=self.tally.scaled(factor), blending=blending)

    def count(self, table: Table, labels: Labels, weight: FloatArray | None, threads: int) -> Tally:
        """The tally of some rows."""
        if not table.rows:
            raise DataError("There are no rows", "at least one is needed")
        table = self._with_columns(table)
        statistics = tuple(observed(block, table, labels, weight, threads) for block in self.blocks)
        seen = labels.weights(weight, threads)
        return Tally(labels.classes, seen, tuple(b.columns for b in self.blocks), statistics)

    def _with_columns(self, table: Table) -> Table:
        known = table.names
        if known is self.names or (isinstance(known, range) and known == self.names):
            return table
        have = set(known)
        absent = [n for n in self.names if n not in have]
        if not absent:
            return table
        if not self.marginalise:
            raise DataError(
                f"Column {quoted(absent)} is missing",
                f"the model was fitted with {quoted(list(self.names), most=10)}; the table has {quoted(list(known), most=10)}",
                "Add it, or set missing_columns='marginalise' to go without",
            )
        return PaddedTable(table, absent)

    # — densities —

    @cached_property
    def log_prior(self) -> FloatArray:
        """log p(class)."""
        with np.errstate(divide="ignore"):
            return np.log(self.prior.probabilities(self._weighted.weight, self.classes, self.rule))

    @cached_property
    def densities(self) -> tuple[Density, ...]:
        """p(block | class), a block at a time."""
        with np.errstate(over="ignore"):
            made = [
                block.family.estimate(statistic, self.rule, self.classes)
                for block, statistic in zip(self.blocks, self._estimated.statistics, strict=True)
            ]
        found = self.refinements or (None,) * len(made)
        made = [d if r is None else d.refined(r) for d, r in zip(made, found, strict=True)]
        if self.blending is None:
            return tuple(made)
        columns: Any = self.blended(made)
        weights = iter(self.blending.weights_of(columns))
        return tuple(d.weighted(next(weights)) if isinstance(d, KnowsItsRows) else d for d in made)

    @property
    def _estimated(self) -> Tally:
        """What densities are made of. Where scores are weighed, class weights act on the prior alone: a thousand times nothing
        would still be nothing, but a bin that a heavy class has no row in would be taken for one it cannot have."""
        return self.tally if self._blends else self._weighted

    @cached_property
    def _weighted(self) -> Tally:
        if self.class_weight is None:
            return self.tally
        return self.tally.scaled(self._class_factors(self.tally.weight))

    def _class_factors(self, weight: FloatArray) -> FloatArray:
        """How often a row of each class counts, where so much of each was seen."""
        if self.class_weight is None:
            return np.ones(len(weight))
        if self.class_weight == "balanced":
            return np.where(weight > 0, weight.sum() / (len(weight) * np.where(weight > 0, weight, 1.0)), 0.0)
        for label, value in self.class_weight.items():
            number("class_weight", f"weight of {label!r}", value)
        return np.array([float(self.class_weight.get(c, 1.0)) for c in self.classes])

    # — as if a row had not been learned —

    def left_out_log_densities(
        self, table: Table, labels: Labels, weight: FloatArray | None, threads: int
    ) -> tuple[FloatArray, FloatArray]:
        """Of rows that were learned, each as if it alone had not been: log p(class), (rows, classes), and
        log p(row's cells | class), (blocks, rows, classes). What a second look at the rows found plays no part in it."""
        table = self._with_columns(table)
        y = self._places(labels)
        prior = np.empty((table.rows, len(self.classes)))
        parts = np.empty((len(self.blocks), *prior.shape))
        start = 0
        for batch in table.batches(BATCH_CELLS):
            rows = slice(start, start + batch.rows)
            start = rows.stop
            w = None if weight is None else weight[rows]
            with np.errstate(over="ignore"):
                self._leave_out(batch, y[rows], w, threads, prior[rows], parts[:, rows])
        return prior, parts

    def left_out_log_joint(self, table: Table, labels: Labels, weight: FloatArray | None, threads: int) -> FloatArray:
        """log p(class, row) of rows that were learned, each as if it alone had not been."""
        prior, parts = self.left_out_log_densities(table, labels, weight, threads)
        return np.asarray(prior + parts.sum(axis=0))

    def _leave_out(
        self, batch: Table, y: CodeArray, weight: FloatArray | None, threads: int, prior: FloatArray, parts: FloatArray
    ) -> None:
        read = self.read(batch, threads)
        for rows, tally, w in self._without(y, weight):
            mine, every = y[rows], np.arange(len(y[rows]))
            left = np.repeat(tally.weight[None], len(mine), axis=0)
            left[every, mine] = np.maximum(left[every, mine] - (1.0 if w is None else w), 0.0)
            with np.errstate(divide="ignore"):
                prior[rows] = np.log(self.prior.probabilities(left, self.classes, self.rule))
            for out, block, statistic, cells in zip(parts, self.blocks, tally.statistics, read, strict=True):
                out[rows] = block.family.left_out(
                    statistic, self.rule, self.classes, cells.take(rows), mine, w, threads
                )

    def _without(self, y: CodeArray, weight: FloatArray | None) -> Iterator[tuple[Rows, Tally, FloatArray | None]]:
        """Rows with the tally they were learned into and their weights in it."""
        if self.class_weight is None:
            yield slice(None), self.tally, weight
            return
        w = np.ones(len(y)) if weight is None else weight
        if self.class_weight != "balanced":
            yield slice(None), self._weighted, w * self._class_factors(self.tally.weight)[y]
            return
        # balance is another one without the row: the same for all rows of one class and weight
        kinds, which = np.unique(np.column_stack([y, w]), axis=0, return_inverse=True)
        for k, (klass, each) in enumerate(kinds):
            rows = np.flatnonzero(which.ravel() == k)
            less = self.tally.weight.copy()
            less[int(klass)] = max(less[int(klass)] - each, 0.0)
            factor = self._class_factors(less)
            # a class that the row leaves empty has no factor; any will do to take the row out again
            factor[int(klass)] = factor[int(klass)] or 1.0
            yield rows, self.tally.scaled(factor), w[rows] * factor[int(klass)]

    def log_joints(
        self, table: Table, out: FloatArray | None, threads: int, *, odds: bool = False
    ) -> Iterator[tuple[slice, FloatArray]]:
        """log p(class, row), a run of rows at a time, each short enough to stay in the cache: in ``out``, or else in a
        buffer that is used again. With ``odds``, up to a number a row that is the same for every class."""
        table = self._with_columns(table)
        step = max(1, _CACHED_CELLS // max(1, len(self.classes)))
        if any(copies(block, table) for block in self.blocks):
            step = min(step, table.rows_of(BATCH_CELLS))
        buffer = np.empty((min(step, table.rows), len(self.classes))) if out is None else out[:0]
        for start in range(0, table.rows, step):
            rows = slice(start, min(table.rows, start + step))
            joint = buffer[: rows.stop - start] if out is None else out[rows]
            self._score(table if table.rows <= step else table.slice(rows.start, rows.stop), joint, threads, odds)
            yield rows, joint

    def _score(self, batch: Table, joint: FloatArray, threads: int, odds: bool) -> None:
        read = (
            read_block(batch, block, density, threads)
            for block, density in zip(self.blocks, self.densities, strict=True)
        )
        self.score(read, joint, threads, odds=odds)

    def read(self, table: Table, threads: int) -> list[Block]:
        """What each block sees of a table."""
        table = self._with_columns(table)
        return [read_block(table, block, None, threads) for block in self.blocks]

    def score(self, read: Iterable[Block], joint: FloatArray, threads: int, *, odds: bool = False) -> None:
        """log p(class, row) of rows that were read, into ``joint``."""
        kernels.fill_rows(self.log_prior, joint, threads)
        seen = []
        with np.errstate(over="ignore"):  # of a finite cell far out: its density is zero
            for cells, density in zip(read, self.densities, strict=True):
                (density.add_odds_to if odds else density.add_to)(joint, cells, threads)
                seen.append(cells)
            if self.blending is not None:
                self.blending.add_to(joint, self.blended(seen), threads)
        if not np.isfinite(joint[:, 0]).all():  # either a probability is zero, or a cell is infinite
            for cells, block in zip(seen, self.blocks, strict=True):
                if isinstance(cells, Numbers):
                    refuse_infinite(cells, type(block.family).__name__)

    def evidence(self, table: Table) -> tuple[list[str], FloatArray]:
        """log p(row | class) split by feature: names, and (rows, features, classes)."""
        names: list[str] = []
        parts = []
        table = self._looked_at(table)
        for block, density in zip(self.blocks, self.densities, strict=True):
            block_names, block_parts = density.evidence(read_block(table, block, density, 1))
            if block.reads == "documents" and len(self.blocks) > 1:  # two texts may share their words
                block_names = [f"{block.columns[0]}: {name}" for name in block_names]
            names += block_names
            parts.append(block_parts)
        if self.blending is not None:
            more, together = self.blending.evidence(self.blended(self.read(table, 1)), self.blended(self.blocks))
            names += more
            parts.append(together)
        return names, np.concatenate(parts, axis=1)

    def features(self, table: Table) -> list[FloatArray]:
        """φ of each block, for the linear form."""
        table = self._looked_at(table)
        return [
            density.linear_features(read_block(table, block, density, 1))
            for block, density in zip(self.blocks, self.densities, strict=True)
        ]

    def _looked_at(self, table: Table) -> Table:
        """The table, refused where scoring it would be."""
        for _ in self.log_joints(table, None, 1):
            pass
        return self._with_columns(table)

    def sample(self, n: int, rng: "np.random.Generator") -> tuple[dict[Name, AnyArray], CodeArray]:
        """Rows drawn from the model: columns by name, and the class of each row."""
        codes = rng.choice(len(self.classes), size=n, p=np.exp(self.log_prior)).astype(np.int32)
        columns: dict[Name, AnyArray] = {}
        # how much a column counts is no part of how it is distributed
        for block, density in zip(self.blocks, replace(self, blending=None).densities, strict=True):
            drawn: list[AnyArray] | None = None
            for c in range(len(self.classes)):
                mine = np.flatnonzero(codes == c)
                if not len(mine):
                    continue
                parts = density.sample(c, len(mine), rng)
                if drawn is None:
                    drawn = [np.empty(n, dtype=p.dtype) for p in parts]
                for column, part in zip(drawn, parts, strict=True):
                    column[mine] = part
            columns.update(zip(block.columns, drawn or [np.empty(0)] * len(block.columns), strict=True))
        return {name: columns[name] for name in self.names}, codes

    def __getstate__(self) -> dict[str, Any]:
        """Without what can be made again."""
        return {f.name: getattr(self, f.name) for f in fields(self)}
