"""The model: its description, its scoring file and its performance."""

from typing import Any

from suffice import __version__
from suffice.web.api.messages import ColumnView, ModelView
from suffice.web.api.routes import route
from suffice.web.api.samples import samples
from suffice.web.dashboard import Dashboard, dashboard
from suffice.web.progress import progress
from suffice.web.service import Service


def model_routes(service: Service) -> list[Any]:
    def model() -> ModelView:
        """The current version: classes, counts, prior, columns."""
        version = service.version
        family = {name: type(b.family).__name__ for b in version.model.blocks for name in b.columns}
        return ModelView(
            version=version.number,
            kind=version.kind,
            classes=list(service.label_names),
            class_counts=version.class_counts,
            prior=service.named(version.prior),
            columns=[
                ColumnView(c.key, c.kind, family[c.name], [str(level) for level in c.levels[:1000]])
                for c in service.columns.columns
            ],
            estimate=version.model.rule,
            suffice=__version__,
            progress=progress(service),
        )

    def scorer() -> bytes:
        """The current version as a scoring file, for scripts that score rows elsewhere; rejected for models with text."""
        from suffice.export.scoring_file import scoring_bytes

        return scoring_bytes(service.version.model, service.columns.keys)

    def get_dashboard() -> Dashboard:
        """Counts, rates, calibration and drift."""
        return dashboard(service)

    def metrics() -> str:
        """Metrics for Prometheus."""
        return service.metrics.text(samples(service))

    def health() -> dict[str, int]:
        """Whether the service is up."""
        return {"version": service.version.number}

    return [
        route("GET", "/v1/model", model, "read", in_thread=True),
        route("GET", "/v1/scorer", scorer, "read", in_thread=True, media_type="application/octet-stream"),
        route("GET", "/v1/dashboard", get_dashboard, "read", in_thread=True),
        route("GET", "/metrics", metrics, "read", in_thread=True, media_type="text/plain; version=0.0.4"),
        route("GET", "/health", health, None),
    ]
