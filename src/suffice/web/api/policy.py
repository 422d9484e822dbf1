"""The decision policy and its changes."""

from typing import Any

from suffice.web.api.cases import AnyRequest, By, Limit, author
from suffice.web.api.routes import route
from suffice.web.policy import Policy
from suffice.web.policy_changes import PolicyChange, policy_changes
from suffice.web.service import Service


def policy_routes(service: Service) -> list[Any]:
    def get_policy() -> Policy:
        """Costs, the cost of asking, and the prior of future cases."""
        return service.policy

    async def put_policy(request: AnyRequest, data: Any, by: By = None) -> Policy:
        """Change the policy; the queue is updated at once, and the journal records the change."""
        policy: Policy = await service.change(lambda draft: draft.set_policy(data, author(request, by)))
        return policy

    def get_policy_changes(limit: Limit = 20) -> list[PolicyChange]:
        """The latest changes of the policy, newest first."""
        return policy_changes(service.stores.journal, limit)

    return [
        route("GET", "/v1/policy", get_policy, "read"),
        route("PUT", "/v1/policy", put_policy, "admin", body=Policy),
        route("GET", "/v1/policy/changes", get_policy_changes, "read", in_thread=True),
    ]
