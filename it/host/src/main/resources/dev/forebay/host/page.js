const dark = matchMedia("(prefers-color-scheme: dark)").matches;
const COLOURS = dark
  ? ["#5ba7ff", "#f2a15f", "#ff6b74", "#4fd07f", "#b497ff", "#f284de", "#e3c645", "#4fd6f0"]
  : ["#0a58d6", "#d2691e", "#c4122f", "#15803d", "#6d3bd1", "#c026a8", "#a17c00", "#0891b2"];

// Units: a number in, its text out, with three digits.
const whole = x => Math.round(x).toLocaleString("en");
const digits = x => Math.abs(x) >= 99.95 || x === 0 ? whole(+x.toPrecision(3)) : x.toPrecision(3);
function time(ns) {
  let value = +ns.toPrecision(3), unit = 0;
  for (; Math.abs(value) >= 1000 && unit < 3; unit++) value /= 1000;
  return (unit ? digits(value) : whole(value)) + "\u00a0" + ["ns", "µs", "ms", "s"][unit];
}
const brief = text => text.replace(/(\.\d*?)0+(?!\d)/, "$1").replace(/\.(?!\d)/, "");

function make(tag, parent, text = "", css = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = css;
  parent.append(element);
  return element;
}
/** Cells are texts, or a text and a smaller one. Where the columns do not fit, each row is a card. */
function table(parent, heads, rows) {
  const element = make("table", parent, "", "plain"), head = make("tr", make("thead", element)), body = make("tbody", element);
  heads.forEach(text => make("th", head, text));
  for (const { cells, css } of rows) {
    const row = make("tr", body, "", css);
    cells.forEach((cell, i) => {
      const [text, more] = [cell].flat(), td = make("td", row);
      td.dataset.head = heads[i];
      const span = make("span", td, text);
      if (more) make("small", span, more);
    });
  }
}
function fit() {
  for (const element of document.querySelectorAll("table.plain")) {
    element.classList.remove("cards");
    element.classList.toggle("cards", element.offsetWidth > element.parentElement.clientWidth);
  }
}
["load", "resize"].forEach(when => addEventListener(when, fit));

/** Lines of nanoseconds on a logarithmic axis; 0 is a gap. */
function draw(place, { x, across, head, steps, shaded, lines }) {
  const style = name => getComputedStyle(document.body).getPropertyValue(name);
  const axis = { stroke: style("--faint"), grid: { stroke: style("--rule"), width: 1 } };
  const decades = (plot, ticks) => ticks.map(tick => Number.isInteger(Math.log10(tick)) ? tick : null);
  const plot = new uPlot({
    width: place.clientWidth, height: 340,
    scales: { x: { time: false }, y: { distr: 3 } },
    axes: [
      { ...axis, values: (plot, ticks) => ticks.map(across), ...steps },
      { ...axis, grid: { ...axis.grid, filter: decades }, ticks: { ...axis.grid, filter: decades }, filter: decades, size: 70,
        values: (plot, ticks) => ticks.map(tick => tick === null ? "" : brief(time(tick))) },
    ],
    series: [
      { label: head, value: (plot, x) => x === null ? "–" : across(x) },
      ...lines.map(({ y, ...line }) => ({ points: { show: false }, ...line, value: (plot, ns) => ns === null ? "–" : time(ns) })),
    ],
    hooks: { drawClear: [plot => {
      const [from, to] = shaded.map(x => plot.valToPos(x, "x", true));
      plot.ctx.fillStyle = dark ? "#ffffff18" : "#00000012";
      if (to) plot.ctx.fillRect(from, plot.bbox.top, to - from, plot.bbox.height);
    }] },
  }, [x, ...lines.map(line => x.map((_, i) => line.y[i] || null))], place);
  new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: 340 })).observe(place);
}
