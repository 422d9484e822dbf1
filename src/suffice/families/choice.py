"""Assignment of families to columns: as given, or by the kind of column."""

from collections.abc import Mapping, Sequence

from suffice.columns.calendar_table import calendar_names
from suffice.columns.kinds import DATES, Kind, Name
from suffice.columns.table import MAX_DENSE_COLUMNS
from suffice.errors import DataError, ParameterError, quoted
from suffice.families.assignment import Block
from suffice.families.base import AnyFamily, Family, Reads
from suffice.families.bernoulli import Bernoulli
from suffice.families.categorical import Categorical
from suffice.families.density import Density
from suffice.families.gaussian import Gaussian
from suffice.families.histogram import Histogram
from suffice.families.multinomial import Multinomial
from suffice.families.pooled_categorical import PooledCategorical
from suffice.families.text import Terms, Text

_TEXTBOOK: dict[Kind, AnyFamily] = {
    Kind.NUMBER: Gaussian(),
    **dict.fromkeys(DATES, Gaussian()),
    Kind.BOOLEAN: Bernoulli(),
    Kind.CATEGORY: Categorical(),
    Kind.EMPTY: Categorical(),
    Kind.COUNT: Multinomial(),
    Kind.TEXT: Text(),
}
_DEFAULT: dict[Kind, AnyFamily] = {
    **_TEXTBOOK,
    Kind.NUMBER: Histogram(),
    **dict.fromkeys(DATES, Histogram()),
    Kind.COUNT: Histogram(),
    Kind.BOOLEAN: PooledCategorical(),
    Kind.CATEGORY: PooledCategorical(),
    Kind.EMPTY: PooledCategorical(),
}
_WIDE: dict[Kind, AnyFamily] = {**_TEXTBOOK, Kind.COUNT: Terms()}


def assign(
    families: object, names: Sequence[Name], kinds: Sequence[Kind], *, textbook: bool, apart: bool = False
) -> tuple[Block, ...]:
    """Partition the columns into blocks. Columns of one column-wise family share a block.

    Columns without a given family get one by their kind: the textbook family, or that of the lowest average log-loss. In a
    wide table these are textbook families, which are cheaper, or ``Terms`` if it is sparse. With ``apart``, a column with
    a given family is a separate block, so that it gets a separate weight. A date without a given family gets categorical
    columns for month, weekday and hour.
    """
    by_default = _TEXTBOOK if textbook else _WIDE if len(names) > MAX_DENSE_COLUMNS else _DEFAULT
    if not len(names):
        raise DataError("The table has no columns besides the label", "at least one is needed to learn from")
    if isinstance(families, Family):
        each = [[name] for name in names] if apart and not families.joint else [names]
        return _grouped([(some, families) for some in each], names, kinds, len(each) if apart else 0)
    if families is not None and not isinstance(families, Mapping):
        raise ParameterError(
            f"families is {families!r}",
            "it must be a family such as Gaussian(), or a mapping from columns (or tuples of columns) to families",
        )
    chosen: list[tuple[Sequence[Name], AnyFamily]] = []
    taken: set[Name] = set()
    known = set(names)
    for key, family in (families or {}).items():
        if not isinstance(family, Family):
            raise ParameterError(f"families[{key!r}] is {family!r}", "it must be a family such as Gaussian()")
        columns = [key] if key in known or not isinstance(key, tuple) else list(key)
        if not columns:
            raise ParameterError("families has an empty tuple for a key", "a block needs at least one column")
        unknown = [c for c in columns if c not in known]
        if unknown:
            raise ParameterError(f"families names {quoted(unknown)}", f"the columns are {quoted(list(names), most=10)}")
        twice = [c for i, c in enumerate(columns) if c in taken or c in columns[:i]]
        if twice:
            raise ParameterError(f"families names {quoted(twice)} more than once", "a column belongs to one family")
        taken.update(columns)
        chosen.append((columns, family))
    alone = len(chosen) if apart else 0
    by_kind: dict[Kind, list[Name]] = {}
    for name, kind in zip(names, kinds, strict=True):
        if name not in taken:
            by_kind.setdefault(kind, []).append(name)
    for kind, columns in by_kind.items():
        if kind is Kind.SEQUENCE:
            raise DataError(
                f"Column {quoted(columns)} holds lists",
                "there is no default family for lists",
                f"Set one: families={{{columns[0]!r}: Density(…)}}",
            )
        each = [[c] for c in columns] if by_default[kind].reads == "documents" else [columns]
        chosen.extend((some, by_default[kind]) for some in each)
    calendar = [
        n for name, kind in zip(names, kinds, strict=True) if name not in taken for n in calendar_names(name, kind)
    ]
    calendar = [] if by_default is _WIDE else [name for name in calendar if name not in known]
    family = by_default[Kind.CATEGORY]
    beside = (Block(tuple(calendar), family.for_columns(calendar), family.reads),) if calendar else ()
    return *_grouped(chosen, names, kinds, alone), *beside


def named_columns(families: object) -> frozenset[Name] | None:
    """The columns with a family given by name; None if one family is given for all."""
    if isinstance(families, Family):
        return None
    keys = families if isinstance(families, Mapping) else ()
    return frozenset(keys) | frozenset(name for key in keys if isinstance(key, tuple) for name in key)


def _grouped(
    chosen: Sequence[tuple[Sequence[Name], AnyFamily]], names: Sequence[Name], kinds: Sequence[Kind], alone: int
) -> tuple[Block, ...]:
    """Group columns by family, except the first ``alone`` ones, which are blocks of their own."""
    if len(chosen) == 1 and chosen[0][0] is names:
        family = chosen[0][1].for_columns(names)
        return (Block(names, family, _reads(family, kinds)),)
    kind_of = dict(zip(names, kinds, strict=True))
    apart: dict[tuple[AnyFamily, Reads], list[Name]] = {}
    blocks: list[Block] = []
    for i, (columns, family) in enumerate(chosen):
        reads = _reads(family, [kind_of[c] for c in columns])
        if i < alone or family.joint or family.is_by_column:
            blocks.append(Block(tuple(columns), family.for_columns(columns), reads))
        else:
            apart.setdefault((family, reads), []).extend(columns)
    place = {name: i for i, name in enumerate(names)}
    blocks += [Block(tuple(sorted(c, key=place.__getitem__)), f, r) for (f, r), c in apart.items()]
    return tuple(sorted(blocks, key=lambda b: place[b.columns[0]]))


def _reads(family: AnyFamily, kinds: Sequence[Kind]) -> Reads:
    if family.reads == "documents" and len(kinds) > 1:
        raise ParameterError(f"{type(family).__name__} got {len(kinds)} columns", "a column of text stands alone")
    if isinstance(family, Density) and Kind.SEQUENCE in kinds:
        if len(kinds) > 1:
            raise ParameterError(
                "Density got a column of lists together with other columns", "a column of lists stands alone"
            )
        return "objects"
    return family.reads
