"""The triage service beside FastAPI with a pickled scikit-learn model, scoring one row a request over loopback."""
