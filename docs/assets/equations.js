// Typesets the equations of a page with the KaTeX of this folder, which is loaded only where there are any.
(() => {
  const folder = new URL("katex/", document.currentScript.src);

  function typeset(equations) {
    for (const equation of equations) {
      const tex = equation.textContent.trim();
      katex.render(tex.slice(2, -2), equation, { displayMode: tex.startsWith("\\["), throwOnError: false });
    }
  }

  function load() {
    const equations = document.querySelectorAll(".arithmatex");
    if (!equations.length) return;
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = new URL("katex.min.css", folder);
    const script = document.createElement("script");
    script.src = new URL("katex.min.js", folder);
    script.onload = () => typeset(equations);
    document.head.append(style, script);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", load);
  else load();
})();
