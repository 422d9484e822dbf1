"""Request bodies read whole by middleware, and replayed to the application behind it."""

from suffice.web.security.guard import Message, Receive


async def read_body(receive: Receive) -> bytes:
    """The complete body of a request."""
    message = await receive()
    if not message.get("more_body"):
        body: bytes = message.get("body", b"")
        return body
    parts = [message.get("body", b"")]
    while message.get("more_body"):
        message = await receive()
        parts.append(message.get("body", b""))
    return b"".join(parts)


def replay(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that returns the body once, then continues with the original one."""
    done = False

    async def receive_again() -> Message:
        nonlocal done
        if done:
            return await receive()
        done = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again
