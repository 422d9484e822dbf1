"""The model itself: what it is, how it is used, how it is doing."""

from typing import Any

from suffice import __version__
from suffice.export.scoring_file import scoring_bytes
from suffice.web.api.messages import ColumnView, ModelView
from suffice.web.api.routes import route
from suffice.web.dashboard import Dashboard, dashboard
from suffice.web.policy import Policy
from suffice.web.service import Service


def model_routes(service: Service) -> list[Any]:
    def model() -> ModelView:
        """The present version: classes, counts, prior, columns."""
        version = service.version
        family = {name: type(b.family).__name__ for b in version.model.blocks for name in b.columns}
        return ModelView(
            version=version.number,
            kind=type(version.estimator).__name__,
            classes=list(service.label_names),
            class_counts=version.class_counts,
            prior=service.named(version.prior),
            columns=[
                ColumnView(c.key, c.kind, family[c.name], [str(level) for level in c.levels[:1000]])
                for c in service.columns.columns
            ],
            estimate=version.model.rule,
            suffice=__version__,
        )

    def scorer() -> bytes:
        """The present version as a scoring file, by which a script scores rows elsewhere; refused of models with text."""
        return scoring_bytes(service.version.model, service.columns.keys)

    def get_policy() -> Policy:
        """Costs, the cost of asking, and the prior of the cases to come."""
        return service.policy

    async def put_policy(data: Any) -> Policy:
        """Change them; the queue follows at once."""
        policy: Policy = await service.change(lambda draft: draft.set_policy(data))
        return policy

    def how_it_does() -> Dashboard:
        """Counts, rates, calibration and drift."""
        return dashboard(service)

    def metrics() -> str:
        """For Prometheus."""
        counts, version = service.stores.cases.counts(), service.version
        return service.metrics.text(
            [
                ("suffice_model_version", "gauge", "Entries of the journal in the model.", version.number),
                ("suffice_cases", "gauge", "Cases kept.", counts["cases"]),
                ("suffice_cases_labelled", "gauge", "Cases with a label.", counts["labelled"]),
                (
                    "suffice_cases_retired",
                    "gauge",
                    "Cases with a label that is no class of the model.",
                    service.stores.cases.retired(version.classes),
                ),
                ("suffice_cases_asked", "gauge", "Cases not decided when they came.", counts["asked"]),
                ("suffice_snapshots_total", "counter", "Model files written.", service.model_file.snapshots),
                (
                    "suffice_snapshot_failures_total",
                    "counter",
                    "Trials to write the model file that failed.",
                    service.model_file.failures,
                ),
                (
                    "suffice_erasure_pending",
                    "gauge",
                    "Files that may still hold erased rows.",
                    len(service.writer.pending),
                ),
            ]
        )

    def health() -> dict[str, int]:
        """Whether the service is up."""
        return {"version": service.version.number}

    return [
        route("GET", "/v1/model", model, "read"),
        route("GET", "/v1/scorer", scorer, "read", in_thread=True, media_type="application/octet-stream"),
        route("GET", "/v1/policy", get_policy, "read"),
        route("PUT", "/v1/policy", put_policy, "admin", body=Policy),
        route("GET", "/v1/dashboard", how_it_does, "read", in_thread=True),
        route("GET", "/metrics", metrics, "read", in_thread=True, media_type="text/plain; version=0.0.4"),
        route("GET", "/health", health, None),
    ]
