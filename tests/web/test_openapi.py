"""Requests made up from the OpenAPI document, good and bad: none may meet an error inside."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable

few = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
many = settings(parent=few, max_examples=200, derandomize=False)
CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance")


def make_up(address, how_many):
    """Requests to every operation, of which some keep to the document and some do not."""
    schemathesis = pytest.importorskip("schemathesis")  # takes seconds, which the other workers need not wait
    checks = [getattr(schemathesis.checks, name) for name in CHECKS]
    schema = schemathesis.openapi.from_url(f"{address}/v1/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 19
    for operation in operations:
        for mode in schemathesis.GenerationMode:
            try:
                how_many(given(operation.as_strategy(generation_mode=mode))(_calling(checks)))()
            except Unsatisfiable:  # nothing can be wrong with a request that has no parts
                continue


def _calling(checks):
    def call(case):
        answer = case.call(timeout=60)
        case.validate_response(answer, checks=checks)

    return call


def test_made_up_requests(address):
    make_up(address, few)


@pytest.mark.slow
def test_many_made_up_requests(address):
    make_up(address, many)
