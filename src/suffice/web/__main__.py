"""``python -m suffice.web model.suffice``"""

import argparse
import os
import sys

from suffice.errors import SufficeError
from suffice.web.server import serve
from suffice.web.settings import tokens_in


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m suffice.web", description="Serve a model for triage.")
    parser.add_argument("model")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--store", default="", help="a SQLite file or a postgresql:// URL; beside the model by default")
    parser.add_argument(
        "--rebase", action="store_true", help="take a retrained model, and learn the store's labels on top"
    )
    given = parser.parse_args()
    tokens = tokens_in(os.environ)
    try:
        serve(given.model, host=given.host, port=given.port, store=given.store, tokens=tokens, rebase=given.rebase)
    except (SufficeError, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
