collect_ignore = ["mistakes.py", "uses.py"]  # they are read, and run, by the tests
