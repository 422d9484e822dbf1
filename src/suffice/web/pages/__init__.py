"""The page: the queue, the playground, the dashboard and the history, rendered on the server."""
