"""Texts that would run, load or break out if a page let them."""

SEEDS = (
    "<script>window.hit=1</script>",
    "<img src=x onerror=window.hit=1>",
    '"><svg onload=window.hit=1>',
    "'><iframe src=javascript:parent.hit=1>",
    "</td></table><script>hit=1</script>",
    "</style><script>hit=1</script>",
    "</title><script>hit=1</script>",
    "</pre><script>hit=1</script>",
    "--><script>hit=1</script>",
    "]]><script>hit=1</script>",
    "javascript:window.hit=1",
    '" onmouseover="window.hit=1" autofocus onfocus="window.hit=1',
    "' style='width:expression(hit=1)'",
    "{{ 7*7 }}",
    "{% for x in ().__class__.__base__.__subclasses__() %}{{ x }}{% endfor %}",
    "${window.hit=1}",
    "<details open ontoggle=window.hit=1>",
    "<math><mtext></p><style><img src=x onerror=hit=1>",
    "<base href=https://example.org/>",
    "<meta http-equiv=refresh content='0;url=https://example.org'>",
    "<link rel=stylesheet href=https://example.org/x.css>",
    "<object data=data:text/html,<script>parent.hit=1</script>>",
    "&lt;script&gt;hit=1&lt;/script&gt;",
    "$<script>hit=1</script>$",
    "\\u003cscript\\u003ehit=1\\u003c/script\\u003e",
)


def texts(n):
    """``n`` different ones."""
    return [f"{SEEDS[i % len(SEEDS)]}{i}" for i in range(n)]
