"""A step of a query."""

from dataclasses import dataclass, field


@dataclass
class QueryStep:
    """Expressions that one step of the query computes, under names that are short and its own."""

    prefix: str
    aliases: dict[str, str] = field(default_factory=dict)
    """By expression."""

    def name(self, expression: str) -> str:
        return self.aliases.setdefault(expression, f"{self.prefix}{len(self.aliases)}")

    @property
    def columns(self) -> list[str]:
        """As they are selected."""
        return [f"{expression} AS {alias}" for expression, alias in self.aliases.items()]
