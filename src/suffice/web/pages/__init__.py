"""The page: the queue, the playground, the dashboard and the history, made on the server."""
