"""Routes for rows that are not stored."""

import asyncio
from typing import Any

from suffice.web.api.messages import Decisions, Explanations, Requests, Scores
from suffice.web.api.routes import route
from suffice.web.api.row_scoring import INLINE_ROWS, decide_rows, explain_rows, score_rows
from suffice.web.model_context import ModelContext


def scoring_routes(service: ModelContext, requests: Requests) -> list[Any]:
    async def score(data: Any) -> Scores:
        if len(data.rows) <= INLINE_ROWS:
            return score_rows(service, data)
        return await asyncio.to_thread(score_rows, service, data)

    def explain(data: Any) -> Explanations:
        return explain_rows(service, data)

    def decide(data: Any) -> Decisions:
        return decide_rows(service, data)

    score.__doc__, explain.__doc__, decide.__doc__ = score_rows.__doc__, explain_rows.__doc__, decide_rows.__doc__
    return [
        route("POST", "/v1/score", score, "read", body=requests.rows),
        route("POST", "/v1/explain", explain, "read", body=requests.explain, in_thread=True),
        route("POST", "/v1/decide", decide, "read", body=requests.decide, in_thread=True),
    ]
