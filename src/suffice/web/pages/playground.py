"""The playground: a row entered by hand is scored, with sliders for prior and costs; nothing is stored."""

import asyncio
from typing import Any

import msgspec
import numpy as np
from litestar import Request, Response

from suffice.sources.mail import Mail, read_mail
from suffice.web.api.routes import route
from suffice.web.pages.evidence import evidence
from suffice.web.pages.views import PageViews
from suffice.web.pages.worth_asking import worth_asking
from suffice.web.policy import Policy, decided
from suffice.web.problems import RequestError, from_validation

_COST, _SHARE = 10.0, 100.0  # range of the sliders


def playground_routes(views: PageViews) -> list[Any]:
    service = views.service
    keys = {column.key for column in service.columns.columns}
    takes_text = any(column.kind == "text" for column in service.columns.columns)
    takes_mail = "header_words" in keys and keys <= set(Mail.__annotations__)

    def page_play(request: Request[Any, Any, Any]) -> Response[Any]:
        if (redirect := views.login_redirect(request)) is not None:
            return redirect
        return _page(request, {}, None)

    async def page_played(request: Request[Any, Any, Any]) -> Response[Any]:
        form = await views.form(request, "read")
        row: dict[str, Any] = service.columns.from_form(form)
        if takes_mail and form.get("mail"):
            mail = read_mail(form["mail"].encode())
            row = {key: mail.get(key) for key in row}
        result = await asyncio.to_thread(_result, row, form)
        return await asyncio.to_thread(_page, request, form, result)

    def _page(request: Request[Any, Any, Any], form: dict[str, str], result: Any) -> Response[Any]:
        prior = service.policy.prior or service.named(service.version.prior)
        sliders = {
            **{f"prior:{name}": str(round(_SHARE * p, 1)) for name, p in prior.items()},
            **{f"miss:{name}": "1" for name in service.label_names},
            "ask": str(0.1 if service.policy.ask is None else service.policy.ask),
        }
        return views.page(
            request,
            "play.html",
            columns=service.columns.columns,
            takes_mail=takes_mail,
            takes_text=takes_text,
            prior=prior,
            form={**sliders, **form},
            result=result,
            maximum=_COST,
        )

    def _result(row: dict[str, Any], form: dict[str, str]) -> dict[str, Any]:
        try:
            table = service.columns.table_from_json([row])
        except msgspec.ValidationError as error:
            raise from_validation(error, 422) from None
        version, policy = service.version, _policy(form)
        found = decided(version, policy, table)
        return {
            "action": found.action(0),
            "risk": float(found.decision.risk[0]),
            "posterior": service.named(found.posterior[0]),
            "asking": worth_asking(version, policy, table),
            "evidence": evidence(version, service.columns, row),
        }

    def _policy(form: dict[str, str]) -> Policy:
        """The policy set by the sliders; the prior is normalised."""
        names = list(service.label_names)
        shares = np.array([_slider(form, f"prior:{name}", _SHARE) for name in names])
        prior = dict(zip(names, (shares / shares.sum()).tolist(), strict=True)) if shares.sum() > 0 else None
        costs = {
            truth: {other: _slider(form, f"miss:{truth}", _COST) for other in names if other != truth}
            for truth in names
        }
        return Policy(ask=_slider(form, "ask", _COST), costs=costs, prior=prior)

    return [
        route("GET", "/play", page_play, None, in_thread=True, shown=False),
        route("POST", "/play", page_played, None, shown=False),
    ]


def _slider(form: dict[str, str], name: str, maximum: float) -> float:
    try:
        return min(max(float(form.get(name, "1")), 0.0), maximum)
    except ValueError:
        raise RequestError(422, f"{name} is not a number", name) from None
