"""The peer, as in its documentation: a pydantic row, a pickled model, and uvicorn with the same loop and parser.

The handler is a coroutine, which avoids the thread pool.
"""

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import uvicorn
from fastapi import FastAPI
from pydantic import create_model


def main() -> None:
    path, port, columns = Path(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
    model: Any = pickle.loads(path.read_bytes())
    kinds: dict[str, Any] = {"float": float, "str": str}
    fields: Any = {name: (kinds[kind] | None, ...) for name, kind in columns.items()}
    Row: Any = create_model("Row", **fields)
    app = FastAPI()
    framed = "str" in columns.values()

    async def score(row: Row) -> dict[str, float]:
        cells = row.model_dump()
        X = pd.DataFrame([cells]) if framed else np.array([list(cells.values())])
        return dict(zip(model.classes_.tolist(), model.predict_proba(X)[0].tolist(), strict=True))

    app.post("/score")(score)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
