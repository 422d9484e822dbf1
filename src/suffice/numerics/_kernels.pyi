from typing import Any

from suffice.numerics.arrays import AnyArray, CodeArray, FloatArray, IntArray, SingleArray

def int_range(values: AnyArray, low: IntArray, high: IntArray, threads: int) -> None: ...
def class_weights(y: CodeArray, w: FloatArray | None, out: FloatArray, threads: int) -> None: ...
def lookup(values: AnyArray, low: int, out: CodeArray, counts: IntArray, threads: int) -> bool: ...
def moments(
    x: AnyArray, y: CodeArray, w: FloatArray | None, weight: FloatArray, mean: FloatArray, m2: FloatArray, threads: int
) -> None: ...
def scatter(
    x: AnyArray, y: CodeArray, w: FloatArray | None, weight: FloatArray, mean: FloatArray, m2: FloatArray, threads: int
) -> None: ...
def sums(
    x: AnyArray,
    y: CodeArray,
    w: FloatArray | None,
    threshold: float | None,
    weight: FloatArray,
    total: FloatArray,
    low: FloatArray,
    threads: int,
) -> None: ...
def counts(
    values: AnyArray,
    low: IntArray,
    start: IntArray,
    y: CodeArray,
    w: FloatArray | None,
    table: FloatArray,
    threads: int,
) -> None: ...
def table_scores(
    values: AnyArray, low: IntArray, start: IntArray, table: FloatArray, out: FloatArray, threads: int
) -> bool: ...
def sparse_sums(
    data: AnyArray,
    indices: AnyArray,
    indptr: AnyArray,
    y: CodeArray,
    w: FloatArray | None,
    threshold: float | None,
    total: FloatArray,
    threads: int,
) -> None: ...
def sparse_scores(
    data: AnyArray,
    indices: AnyArray,
    indptr: AnyArray,
    threshold: float | None,
    start: FloatArray,
    table: FloatArray,
    out: FloatArray,
    threads: int,
) -> None: ...
def sparse_product(
    data: AnyArray, indices: AnyArray, indptr: AnyArray, table: FloatArray, out: FloatArray, threads: int
) -> None: ...
def linear_scores(x: AnyArray, constant: FloatArray, slope: FloatArray, out: FloatArray, threads: int) -> None: ...
def step_scores(
    x: AnyArray, threshold: float, below: FloatArray, above: FloatArray, out: FloatArray, threads: int
) -> None: ...
def quadratic_scores(
    x: AnyArray, constant: FloatArray, centre: FloatArray, curvature: FloatArray, out: FloatArray, threads: int
) -> None: ...
def student_scores(
    x: AnyArray,
    constant: FloatArray,
    centre: FloatArray,
    curvature: FloatArray,
    power: FloatArray,
    out: FloatArray,
    threads: int,
) -> None: ...
def distances(
    x: AnyArray, centre: FloatArray, root: FloatArray, offset: FloatArray, out: FloatArray, threads: int
) -> None: ...
def affine_scores(
    x: AnyArray, centre: FloatArray, slope: FloatArray, constant: FloatArray, out: FloatArray, threads: int
) -> None: ...
def discounted_scores(
    indptr: IntArray,
    ids: CodeArray,
    word_start: IntArray,
    word_class: CodeArray,
    seen: FloatArray,
    total: FloatArray,
    class_total: FloatArray,
    class_words: FloatArray,
    discount: float,
    own: CodeArray,
    weight: FloatArray,
    out: FloatArray,
    threads: int,
) -> None: ...
def log_sum_exp(joint: FloatArray, out: FloatArray, threads: int) -> None: ...
def normalise(joint: FloatArray, fallback: FloatArray, log: bool, threads: int) -> None: ...
def most_probable(joint: FloatArray, fallback: int, out: IntArray, threads: int) -> None: ...
def least_risk(
    p: FloatArray, table: FloatArray, actions: int, index: IntArray, risk: FloatArray, threads: int
) -> None: ...
def fill_rows(row: FloatArray, out: FloatArray, threads: int) -> None: ...
def text_views(texts: list[Any], address: AnyArray, length: IntArray, form: AnyArray) -> int: ...
def split_words(
    address: AnyArray,
    length: IntArray,
    form: AnyArray,
    stages: AnyArray,
    cells: CodeArray,
    expansions: AnyArray,
    lower: bool,
    split: int,
    counting: bool,
    threads: int,
) -> tuple[tuple[IntArray, CodeArray, CodeArray, IntArray, AnyArray, IntArray], int]: ...
def split_characters(
    address: AnyArray,
    length: IntArray,
    form: AnyArray,
    stages: AnyArray,
    cells: CodeArray,
    expansions: AnyArray,
    lower: bool,
    low: int,
    high: int,
    words: bool,
    threads: int,
) -> tuple[tuple[IntArray, CodeArray, CodeArray, IntArray, AnyArray, IntArray], int]: ...
def ngrams(
    indptr: IntArray, ids: CodeArray, numbers: CodeArray, low: int, high: int, threads: int
) -> tuple[IntArray, CodeArray, CodeArray, IntArray, AnyArray, IntArray]: ...
def join_tokens(
    runs: CodeArray, run_offsets: IntArray, order: CodeArray, bytes: AnyArray, offsets: IntArray, threads: int
) -> tuple[AnyArray, IntArray]: ...
def renumber(
    indptr: IntArray, ids: CodeArray, counts: CodeArray, numbers: CodeArray, threads: int
) -> tuple[IntArray, CodeArray, CodeArray]: ...
def expand(
    indptr: IntArray,
    ids: CodeArray,
    counts: CodeArray,
    part_indptr: IntArray,
    part_ids: CodeArray,
    part_counts: CodeArray,
    numbers: CodeArray,
    threads: int,
) -> tuple[IntArray, CodeArray, CodeArray]: ...
def index_tokens(bytes: AnyArray, offsets: IntArray, first: int, index: AnyArray) -> None: ...
def find_tokens(
    bytes: AnyArray,
    offsets: IntArray,
    index: AnyArray,
    wanted_bytes: AnyArray,
    wanted_offsets: IntArray,
    out: CodeArray,
    threads: int,
) -> None: ...
def sort_tokens(bytes: AnyArray, offsets: IntArray, order: CodeArray, threads: int) -> None: ...
def hash_tokens(bytes: AnyArray, offsets: IntArray, width: int, out: CodeArray) -> None: ...
def token_strings(bytes: AnyArray, offsets: IntArray) -> list[str]: ...
def softmax_loss(
    x: AnyArray,
    y: CodeArray,
    w: FloatArray | None,
    class_weight: FloatArray,
    table: FloatArray,
    columns: int,
    gradient: FloatArray,
    threads: int,
) -> float: ...
def sparse_softmax_loss(
    data: AnyArray,
    indices: AnyArray,
    indptr: AnyArray,
    y: CodeArray,
    w: FloatArray | None,
    class_weight: FloatArray,
    offset: FloatArray | None,
    table: FloatArray,
    columns: int,
    gradient: FloatArray,
    threads: int,
) -> float: ...
def softmax_residuals(
    scores: FloatArray, y: CodeArray, w: FloatArray | None, class_weight: FloatArray, columns: int, threads: int
) -> float: ...
def softmax_curvature(
    x: AnyArray,
    y: CodeArray,
    w: FloatArray | None,
    class_weight: FloatArray,
    table: FloatArray,
    columns: int,
    out: FloatArray,
    threads: int,
) -> None: ...
def grid_counts(
    values: AnyArray, bits: IntArray, y: CodeArray, w: FloatArray | None, classes: int, threads: int
) -> list[tuple[IntArray, FloatArray]]: ...
def shrunk_tables(
    counts: FloatArray,
    unit: FloatArray,
    start: IntArray,
    binary: bool,
    strengths: FloatArray,
    log_prior: FloatArray,
    full: FloatArray,
    own: FloatArray,
    others: FloatArray,
) -> tuple[int, float]: ...
def pair_counts(
    codes: CodeArray,
    sizes: IntArray,
    pairs: IntArray,
    start: IntArray,
    y: CodeArray,
    w: FloatArray | None,
    table: FloatArray,
    threads: int,
) -> None: ...
def pair_slopes(
    counts: FloatArray,
    sizes: IntArray,
    pairs: IntArray,
    start: IntArray,
    groups: CodeArray,
    grouped: IntArray,
    unit: FloatArray,
    constant: float,
    codes: CodeArray,
    y: CodeArray,
    excess: FloatArray,
    p: FloatArray,
    w: FloatArray,
    slope: FloatArray,
    curvature: FloatArray,
    threads: int,
) -> None: ...
def wave_scores(
    z: SingleArray, frequencies: FloatArray, coefficients: FloatArray, out: FloatArray, threads: int
) -> None: ...
def intervals(x: AnyArray, cuts: FloatArray, start: IntArray, out: CodeArray, threads: int) -> None: ...
def polylines(
    x: AnyArray,
    columns: IntArray,
    at: FloatArray,
    height: FloatArray,
    start: IntArray,
    out: SingleArray,
    threads: int,
) -> None: ...
def pair_tables(
    counts: FloatArray,
    sizes: IntArray,
    start: IntArray,
    unit: FloatArray,
    constant: float,
    full: FloatArray,
    own: FloatArray,
    others: FloatArray,
    threads: int,
) -> None: ...
def pair_cells(
    codes: CodeArray, pairs: IntArray, left: CodeArray, right: CodeArray, out: CodeArray, threads: int
) -> None: ...
def left_out_scores(
    cells: CodeArray,
    start: IntArray,
    own: AnyArray,
    others: AnyArray,
    y: CodeArray,
    lines: AnyArray,
    lanes: int,
    first: int,
    threads: int,
) -> None: ...
def weighing_loss(
    x: AnyArray,
    y: CodeArray,
    w: FloatArray,
    weights: FloatArray,
    offset: FloatArray,
    classes: int,
    gradient: FloatArray,
    threads: int,
) -> float: ...
def cell_sweeps(
    cells: CodeArray,
    start: IntArray,
    y: CodeArray,
    w: FloatArray,
    offset: FloatArray,
    lanes: int,
    classes: int,
    ridge: float,
    sweeps: int,
    out: FloatArray,
) -> None: ...
def cell_sweeps_by_fold(
    cells: CodeArray,
    start: IntArray,
    y: CodeArray,
    w: FloatArray,
    offset: FloatArray,
    lanes: int,
    classes: int,
    ridge: float,
    sweeps: int,
    fold: CodeArray,
    folds: int,
    out: FloatArray,
    threads: int,
) -> None: ...
def equal_groups(mass: FloatArray, most: int, out: IntArray) -> None: ...
def weighing_roots(
    x: AnyArray,
    w: FloatArray,
    weights: FloatArray,
    offset: FloatArray,
    parts: int,
    every: int,
    factor: float,
    out: AnyArray,
) -> None: ...
def grow_forest(
    codes: AnyArray,
    is_level: AnyArray,
    order: IntArray,
    keys: AnyArray,
    y: CodeArray,
    weight: FloatArray,
    classes: int,
    share: float,
    observed: bool,
    tried: int,
    first: int,
    count: int,
    seed: int,
    scored: int,
    threads: int,
) -> tuple[Any, ...]: ...
def flatten_forest(
    column: AnyArray,
    cut: AnyArray,
    sets: AnyArray,
    is_level: AnyArray,
    leaf_size: AnyArray,
    leaf_class: AnyArray,
    leaf_weight: SingleArray,
    prior: FloatArray,
    nodes: AnyArray,
    root: CodeArray,
    shares: SingleArray,
    inner: SingleArray,
    threads: int,
) -> None: ...
def out_of_bag_shares(
    leaf_of: CodeArray,
    outside: SingleArray,
    leaf_start: IntArray,
    shares: SingleArray,
    out: FloatArray,
    total: FloatArray,
    threads: int,
) -> None: ...
def forest_shares(
    nodes: AnyArray, root: CodeArray, shares: SingleArray, codes: AnyArray, out: FloatArray, threads: int
) -> None: ...
def forest_steps(
    nodes: AnyArray,
    root: CodeArray,
    shares: SingleArray,
    inner: SingleArray,
    codes: AnyArray,
    out: FloatArray,
    threads: int,
) -> None: ...
