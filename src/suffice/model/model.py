"""The fitted model: blocks of columns with their families, a tally, a rule and a class prior → log joint.

It is immutable: ``learn``, ``forget``, ``merged`` and ``decayed`` return another model. Densities, and the weights of
the default, are estimated from the tally on first use, so learning a row costs one addition of statistics.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice.columns.blocks import BlockData
from suffice.columns.class_codes import ClassCodes
from suffice.columns.kinds import Name
from suffice.columns.labels import Label, Labels
from suffice.columns.table import Table
from suffice.errors import MergeError, quoted
from suffice.families.assignment import Block
from suffice.families.base import AnyDensities
from suffice.families.class_prior import Uniform
from suffice.families.reading import BATCH_CELLS, copies, read_block
from suffice.families.shrunk import LeaveOneOutDensity
from suffice.model.counted import CountedModel
from suffice.model.evidence import FeatureEvidence, ReadRows
from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray
from suffice.numerics.threads import thread_count
from suffice.parts.part import AnyPart
from suffice.parts.recount import PartCounts, Recount
from suffice.parts.weighted_parts import WeightedParts
from suffice.posterior import log_sum_exp
from suffice.statistics import Tally
from suffice.statistics.tally import union

if TYPE_CHECKING:
    from suffice.model.copula import Copula

_REFIT_SHARE = 1e-3  # share of the rows of a large model that may be learned before weights are refitted

_BATCH_CELLS = 1 << 19  # 4 MiB of scores, which are normalised while in the cache


@dataclass(frozen=True, eq=False)
class Model(CountedModel):
    """The learned tally with families, settings and fitted weights."""

    fitted: WeightedParts | None = None
    """The last fitted weights and parts, which may be older than the tally; ``weighted_parts`` is up to date."""
    follows_at_once: int = 10_000
    """Number of rows up to which weights are refitted after every change; beyond, after a change of a thousandth."""
    _deferred: bool = False
    """Whether weights are not refitted until ``with_fitted_weights`` is called; not part of the model file."""

    @classmethod
    def of(
        cls,
        blocks: tuple[Block, ...],
        table: Table,
        labels: Labels,
        weight: FloatArray | None,
        threads: int,
        **settings: Any,
    ) -> "Model":
        """Fit a model to some rows, weights included."""
        model = cls.blank(blocks, table, threads, **settings)
        if not model.fits_weights:
            return model.with_tally(model.count(table, labels, weight, threads))
        read = model.read(table, threads)
        counted = model.keeping.with_tally(model.keeping.count_read(read, labels, weight, threads))
        found = counted.with_due_weights(threads, counted._recount(read, labels, weight, threads))
        return found if model.keep_rows else found.stripped()

    def with_tally(self, tally: Tally) -> "Model":
        """The same blocks and settings with another tally, and no weights yet."""
        return replace(self, tally=tally, fitted=None).declaring(union(self.declared, self.prior.named))

    def stripped(self) -> "Model":
        """Without the row sample; fitted weights stay as they are."""
        model = self.current
        return replace(model, tally=replace(model.tally, sample=None), keep_rows=0)

    def for_scoring(self) -> "Model":
        """Without the row sample, but with the cached estimates from it that scoring needs."""
        model = self.stripped()
        model.__dict__["copula"] = self.copula
        return model

    @cached_property
    def unweighted(self) -> "Model":
        """Without weights: the densities of the columns, independent given the class."""
        found, fitted = replace(self.stripped(), fitted=None, weighing="naive"), self.weighted_parts
        if fitted is not None and self.class_weight is None and (fitted.unit == 1.0).all():
            found.__dict__["densities"] = self.current._before_weights  # from the same statistics: estimated once
        return found

    @cached_property
    def marginal(self) -> "Model":
        """A copy for tables without some of the columns, with equal priors, so that classes of prior zero have
        densities too.

        Cached, since densities are estimated for all columns at once and asked for one column at a time.
        """
        return replace(self, prior=Uniform(), marginalise=True)

    def check_prior(self) -> None:
        """Raise if the class prior does not match the classes."""
        self.prior.probabilities(self.tally.weight, self.classes, self.rule)

    @cached_property
    def is_empty(self) -> bool:
        """Whether all learned rows were forgotten."""
        return not self.tally.weight.any()

    # — learning —

    def learn(self, table: Table, labels: Labels, weight: FloatArray | None, threads: int) -> "Model":
        """With these rows added."""
        now = self._latest
        read = now.read(table, threads)
        tally = now.tally + now.count_read(read, labels, weight, threads)
        if now._keeps_all_rows and tally.sample is not None and not tally.sample.is_complete:
            # from here on not all rows are kept, so the current plan is fixed
            now = now.with_due_weights(threads)
            tally = now.tally + now.count_read(read, labels, weight, threads)
        fitted = now._fitted_with(read, labels, weight, 1) if set(labels.classes) <= set(now.classes) else None
        return replace(now, tally=tally, fitted=fitted)._checked()

    def forget(self, table: Table, labels: Labels, weight: FloatArray | None, threads: int) -> "Model":
        """With these rows subtracted; a class without rows is dropped."""
        now = self._latest
        read = now.read(table, threads)
        less = now.without(now.count_read(read, labels, weight, threads))
        if less.classes != now.classes or (less._keeps_all_rows and not now._deferred):
            return less
        return replace(less, fitted=now._fitted_with(read, labels, weight, -1))

    def without(self, tally: Tally) -> "Model":
        """With a tally subtracted."""
        less = (self.tally - tally).without_empty(self.declared)
        return replace(self._latest, tally=less, fitted=None)

    def _fitted_with(
        self, read: Sequence[BlockData], labels: Labels, weight: FloatArray | None, sign: int
    ) -> WeightedParts | None:
        """Fitted weights with rows added to the joint counts, or subtracted if these are of all rows."""
        if self.fitted is None:
            return None
        if sign > 0 or np.allclose(self.fitted.seen, self.tally.weight):
            return self.fitted.changed(self.table_blocks(read), self.places(labels), weight, sign)
        if self.tally.sample is not None:
            return None  # planned and counted again from the kept rows
        return replace(self.fitted, forgotten=self.fitted.forgotten + float(labels.weights(weight, 1).sum()))

    def declaring(self, classes: tuple[Label, ...]) -> "Model":
        """With further classes, which may be without rows."""
        tally = self.tally.reindex_classes(union(self.classes, classes))
        fitted = self.fitted if tally.classes == self.classes else None
        return replace(self, tally=tally, fitted=fitted, declared=union(self.declared, classes))._checked()

    def merged(self, other: "Model") -> "Model":
        """The model of the rows of both."""
        theirs = {frozenset(block.columns): block.family for block in other.blocks}
        for block in self.blocks:
            family = theirs.get(frozenset(block.columns))
            if family is not None and not block.family.is_mergeable_with(family):
                raise MergeError(
                    f"Columns {quoted(list(block.columns))} are modelled by {block.family} here and by {family} there",
                    "they must count the same thing to be added",
                )
        tally = self.tally + other.tally
        heavier = max(self, other, key=lambda model: model.tally.weight.sum())
        fitted = heavier._fitted_with_rows_of(self if heavier is other else other, tally)
        blocks = tuple(
            block
            if block.is_compatible(statistic, exactly=False)
            else replace(block, family=theirs[frozenset(block.columns)])
            for block, statistic in zip(self.blocks, tally.statistics, strict=True)
        )
        return replace(
            self, blocks=blocks, tally=tally, declared=union(self.declared, other.declared), fitted=fitted
        )._checked()

    def _fitted_with_rows_of(self, other: "Model", total: Tally) -> WeightedParts | None:
        """The fitted weights of a sum: None if it keeps all rows, since weights are then refitted; else the plan of
        this model, with the kept rows of the other added to the joint counts."""
        if self.classes != total.classes or (total.sample is not None and total.sample.is_complete):
            return None
        fitted, tally = self.weighted_parts, other.tally
        if fitted is None:
            return None
        if tally.sample is None:
            return replace(fitted, learned=fitted.learned + float(tally.weight.sum()))
        sample = tally.aligned_sample(self.tally)
        assert sample is not None
        read = self.table_blocks(sample.blocks(self.tally.columns))
        return fitted.changed(read, sample.y, sample.weight, 1)

    # — what is fitted —

    @property
    def is_stale(self) -> bool:
        """Whether weights are out of date and cannot be refitted for lack of kept rows."""
        if not self.fits_weights or self.tally.sample is not None:
            return False
        return self.fitted is None or self.fitted.learned + self.fitted.forgotten > 0

    @property
    def weighted_parts(self) -> WeightedParts | None:
        """Weights and parts, fitted to the present tally."""
        return self.current.fitted

    @cached_property
    def current(self) -> "Model":
        """The model with up-to-date weights; the model itself if its weights are."""
        return self.with_due_weights(thread_count())

    @property
    def _latest(self) -> "Model":
        """``current`` if it is cached, else the model itself."""
        known: Model = self.__dict__.get("current", self)
        return known

    @property
    def misses_rows(self) -> bool:
        """Whether more rows were learned than are kept to fit weights to."""
        return self.tally.sample is not None and not self.tally.sample.is_complete

    @property
    def _keeps_all_rows(self) -> bool:
        return self.tally.sample is not None and self.tally.sample.is_complete

    def with_due_weights(self, threads: int, recount: Recount | None = None) -> "Model":
        """With weights refitted to the kept rows, if due; in a small model that keeps all rows they always are."""
        return self.with_fitted_weights(threads, recount) if self._is_due else self

    @property
    def deferring_weights(self) -> "Model":
        """With weights that are not refitted, while counts are updated, until ``with_fitted_weights`` is called."""
        return replace(self._latest, _deferred=True)

    @property
    def pending(self) -> float:
        """The weight of rows learned or forgotten since the weights were fitted; 0 where no weights can be fitted."""
        known = self._latest.fitted
        return known.learned + known.forgotten if known is not None and self._can_fit else 0.0

    def with_fitted_weights(self, threads: int, recount: Recount | None = None) -> "Model":
        """With weights fitted to the kept rows, if there are any."""
        if not self._can_fit:
            return self
        model = self._with_reinspected_settings(threads)
        return replace(model, fitted=model._fit(threads, recount))

    def with_weights_of(self, table: Table, labels: Labels, weight: FloatArray | None, threads: int) -> "Model":
        """With weights fitted to given learned rows, which are not kept."""
        sample = self.keeping.count(table, labels, weight, threads).reindex_classes(self.classes).sample
        assert sample is not None
        given = replace(self, tally=replace(self.tally, sample=sample.partial), fitted=None)
        return given.with_due_weights(threads).stripped()

    @property
    def _is_due(self) -> bool:
        known = self.fitted
        if not self._can_fit:
            return False
        if known is None or self._deferred:
            return known is None
        if known.forgotten > 0:
            return True
        rows = float(self.tally.weight.sum())
        return known.learned > (0.0 if rows <= self.follows_at_once * known.mean_unit else _REFIT_SHARE * rows)

    @property
    def _can_fit(self) -> bool:
        return self.fits_weights and self.tally.sample is not None and bool(np.count_nonzero(self.tally.weight) > 1)

    def _with_reinspected_settings(self, threads: int) -> "Model":
        """If all rows are kept, re-derive the settings that families infer from the first rows, and recount."""
        sample = self.tally.sample
        if sample is None or not sample.is_complete:
            return self
        blocks, statistics = list(self.blocks), list(self.tally.statistics)
        for i, cells in enumerate(sample.blocks(self.tally.columns)):
            if cells is None or not blocks[i].family.inspects_first_rows:
                continue
            block = replace(blocks[i], family=blocks[i].family.inspecting(cells))
            if block.is_compatible(statistics[i], exactly=True):
                continue
            blocks[i] = block
            statistics[i] = block.observe(cells, ClassCodes(sample.y, len(self.classes), sample.weight), threads)
        return replace(self, blocks=tuple(blocks), tally=replace(self.tally, statistics=tuple(statistics)))

    def _fit(self, threads: int, recount: Recount | None) -> WeightedParts:
        from suffice.model.estimation import fit_weights  # imported late: scoring needs no fitting

        return fit_weights(self, threads, recount, self._plan)

    @property
    def _plan(self) -> WeightedParts | None:
        """The plan that counts of more rows than are kept continue under."""
        sample, plan = self.tally.sample, self.fitted
        assert sample is not None
        fewer = plan is not None and plan.seen.sum() < sample.weight.sum() * (1 - 1e-9)
        return None if sample.is_complete or fewer else plan

    def left_out(self, threads: int) -> tuple["Model", FloatArray]:
        """The model with weights, and the left-out log joint of the kept rows by weighted blocks and parts, up to a
        constant per row."""
        from suffice.model.estimation import left_out_joint

        model = self._with_reinspected_settings(threads)
        weighted_parts, added = left_out_joint(model, threads, model._plan)
        model = replace(model, fitted=weighted_parts)
        return model, added + model.log_prior

    def _recount(
        self, read: Sequence[BlockData], labels: Labels, weight: FloatArray | None, threads: int
    ) -> Recount | None:
        """Part counts of all rows, if the sample does not hold all of them."""
        if not self.misses_rows or self.tally.sample is None:
            return None
        unit, _ = self.tally.sample.units(len(self.classes))
        return lambda parts: self.part_counts(parts, read, labels, weight, unit, threads)

    def part_counts(
        self, parts: Sequence[AnyPart], read: Sequence[BlockData], labels: Labels, weight: FloatArray | None, unit: FloatArray,
        threads: int,
    ) -> PartCounts:  # fmt: skip
        """The counts of rows under the plans of some parts."""
        y = self.places(labels)
        in_units = ClassCodes(y, len(self.classes), (1.0 if weight is None else weight) / unit[y])
        return PartCounts.of(parts, self.table_blocks(read), in_units, threads)

    def _checked(self) -> "Model":
        for block, statistic in zip(self.blocks, self.tally.statistics, strict=True):
            block.check(statistic, self.classes)
        return self

    def decayed(self, factor: float) -> "Model":
        """With the tally multiplied by ``factor``."""
        now = self._latest
        fitted = None if now.fitted is None else now.fitted.scaled(factor)
        return replace(now, tally=now.tally.scaled(factor), fitted=fitted)

    # — densities —

    @cached_property
    def log_prior(self) -> FloatArray:
        """log p(class)."""
        one = 1.0 if self.weighted_parts is None else self.weighted_parts.mean_unit
        with np.errstate(divide="ignore"):
            return np.log(self.prior.probabilities(self.by_class_weight.weight / one, self.classes, self.rule))

    @cached_property
    def densities(self) -> tuple[AnyDensities, ...]:
        """The class densities of each block, weighted where the block has weights."""
        if self.current is not self:
            return self.current.densities
        if self.fitted is None:
            counted = self if self.fits_weights else replace(self, tally=self.by_class_weight)
            return tuple(counted.estimates())
        # class weights act on the prior alone, not on the densities
        return self.with_weights(self._before_weights, self.fitted)

    @cached_property
    def _before_weights(self) -> tuple[AnyDensities, ...]:
        """The unweighted class densities of each block, from counts in units of one row."""
        assert self.fitted is not None
        return tuple(self.in_units(self.fitted.unit).estimates())

    # — log joints —

    def log_joints(
        self, table: Table, out: FloatArray | None, threads: int, *, odds: bool = False
    ) -> Iterator[tuple[slice, FloatArray]]:
        """log p(class, row) in batches of rows that fit into the cache, written to ``out`` or else to a reused buffer.
        With ``odds``, up to a constant per row."""
        table = self.with_columns(table)
        step = max(1, _BATCH_CELLS // max(1, len(self.classes)))
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

    def score(self, read: Iterable[BlockData], joint: FloatArray, threads: int, *, odds: bool = False) -> None:
        """Write log p(class, row) of rows in blocks into ``joint``."""
        self.fill(joint, self.log_prior, self.densities, self.weighted_parts, read, threads, odds=odds)

    def evidence(self, table: Table, *, by_column: bool = False) -> FeatureEvidence:
        """Evidence: log p(row | class) as a sum over features, up to a constant per row: names, and (rows, features,
        classes).

        As the terms of densities and parts; or ``by_column``, with joint terms shared among their columns.
        """
        table = self.with_columns(table)
        read = [
            read_block(table, block, density, 1) for block, density in zip(self.blocks, self.densities, strict=True)
        ]
        if not all(isinstance(density, LeaveOneOutDensity) for density in self.densities):
            # raises what scoring would raise
            self.fill(np.empty((table.rows, len(self.classes))), self.log_prior, self.densities, None, read, 1)
        with np.errstate(over="ignore"):
            return self.split(read, by_column=by_column)

    def split(self, read: Sequence[BlockData], *, by_column: bool) -> FeatureEvidence:
        """The evidence of rows in blocks."""
        rows, weighted_parts = ReadRows(self.blocks, self.densities, read), self.weighted_parts
        if weighted_parts is None:
            return rows.evidence()
        tables = self.table_blocks(read)
        columns = [str(name) for block in self.tables(self.blocks) for name in block.columns]
        if not by_column or not self.has_parts:
            return rows.with_parts(weighted_parts, tables, columns)
        return rows.by_column(weighted_parts, tables, columns, float((self.tally.weight / weighted_parts.unit).sum()))

    def features(self, table: Table) -> list[FloatArray]:
        """φ of each block and of each part, for the linear form."""
        table = self._validated(table)
        found = [
            density.linear_features(read_block(table, block, density, 1))
            for block, density in zip(self.blocks, self.densities, strict=True)
        ]
        if self.weighted_parts is not None and self.weighted_parts.parts:
            tables = self.table_blocks(self.read(table, 1))
            found += [part.linear_features(tables) for part in self.weighted_parts.parts]
        return found

    def log_joint(self, table: Table, threads: int = 1) -> FloatArray:
        """log p(class, row), (rows, classes); with fitted weights, up to a constant per row."""
        out = np.empty((table.rows, len(self.classes)))
        for _ in self.log_joints(table, out, threads):
            pass
        return out

    @cached_property
    def copula(self) -> "Copula | None":
        """The copula of the numeric columns, if weights are fitted and rows are kept; else None."""
        sample = self.current.tally.sample
        if self.weighted_parts is None or sample is None:
            return None
        from suffice.model.copula import Copula

        return Copula.of(self.unweighted.densities, sample, self.tally.columns)

    def log_density(self, table: Table, threads: int = 1) -> FloatArray:
        """log p(row). A model with fitted weights is discriminative; its density of rows is that of the columns,
        coupled by ``copula``, with other columns independent given the class. Texts without a density add their
        scores."""
        out = np.empty(table.rows)
        if self.copula is None or not table.rows:
            for rows, joint in self._generative.log_joints(table, None, threads):
                out[rows] = log_sum_exp(joint, threads)
            return out
        start = 0
        for batch in table.batches(BATCH_CELLS):
            read = self.read(batch, threads)
            joint = np.empty((batch.rows, len(self.classes)))
            self._generative.score(read, joint, threads)
            self.copula.add_to(joint, read)
            out[start : start + batch.rows] = log_sum_exp(joint, threads)
            start += batch.rows
        return out

    @property
    def _generative(self) -> "Model":
        """The model of unweighted densities, which has a distribution of rows."""
        if self.weighted_parts is None:
            return self
        return self.unweighted

    def check_density(self) -> None:
        """Refuse a model with a block whose scores are not a density."""
        for density in self.densities:
            density.check_density()

    def _validated(self, table: Table) -> Table:
        """The table; raises what scoring it would raise."""
        for _ in self.log_joints(table, None, 1):
            pass
        return self.with_columns(table)

    def sample(self, n: int, rng: "np.random.Generator") -> tuple[dict[Name, AnyArray], CodeArray]:
        """Draw rows: columns by name, and the class of each row."""
        codes = rng.choice(len(self.classes), size=n, p=np.exp(self.log_prior)).astype(np.int32)
        self.check_density()
        drawn: dict[tuple[int, int], AnyArray] = {}
        densities = self._generative.densities  # weights of columns do not affect their distribution
        for c in range(len(self.classes)):
            mine = np.flatnonzero(codes == c)
            if not len(mine):
                continue
            together = {} if self.copula is None else self.copula.draw(c, len(mine), rng)
            for i, density in enumerate(densities):
                for j, alone in enumerate(density.sample(c, len(mine), rng)):
                    part = together.get((i, j), alone)
                    drawn.setdefault((i, j), np.empty(n, dtype=part.dtype))[mine] = part
        columns = {
            name: drawn.get((i, j), np.empty(0))
            for i, block in enumerate(self.blocks)
            for j, name in enumerate(block.columns)
        }
        return {name: columns[name] for name in self.names}, codes

    def __getstate__(self) -> dict[str, Any]:
        """The state without cached values, except a copula, which cannot be estimated again without kept rows."""
        state = {f.name: getattr(self._latest, f.name) for f in fields(self)}
        return (
            state if self.tally.sample is not None else state | {k: v for k, v in vars(self).items() if k == "copula"}
        )
