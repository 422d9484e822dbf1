"""A step of a query."""

from dataclasses import dataclass, field


@dataclass
class QueryStep:
    """Expressions computed in one step of the query, with short unique aliases."""

    prefix: str
    aliases: dict[str, str] = field(default_factory=dict)
    """Aliases by expression."""

    def name(self, expression: str) -> str:
        return self.aliases.setdefault(expression, f"{self.prefix}{len(self.aliases)}")

    @property
    def columns(self) -> list[str]:
        """The columns of the SELECT."""
        return [f"{expression} AS {alias}" for expression, alias in self.aliases.items()]
