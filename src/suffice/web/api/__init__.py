"""The HTTP API: thin handlers over the service."""
