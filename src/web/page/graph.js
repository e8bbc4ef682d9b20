// The evaluation graph: Black's evaluation after each ply. A click or an arrow key selects a ply.

const NS = "http://www.w3.org/2000/svg";
const [HEIGHT, PAD] = [128, 6];

function draw(name, attributes, parent) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.append(element);
  return element;
}

export class Graph {
  /** `onJump` is called with the selected ply. */
  constructor(host) {
    this.onJump = () => {};
    this.svg = draw("svg", {
      role: "slider", tabindex: 0,
      "aria-label": "Selected move", "aria-valuemin": 0,
    }, host);
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      const ply = ((event.clientX - box.left - PAD) / (box.width - 2 * PAD)) * this.plies;
      this.onJump(Math.max(0, Math.min(this.plies, Math.round(ply))));
    });
    this.svg.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, Home: -Infinity, End: Infinity };
      if (!(event.key in steps)) return;
      event.preventDefault();
      this.onJump(Math.max(0, Math.min(this.plies, this.ply + steps[event.key])));
    });
  }

  /** Shows Black's evaluation for each ply, from 0 (lost) to 1 (won) or null if unknown. `words` describe the evaluation of the selected ply. */
  show(shares, ply, words) {
    const plies = (this.plies = shares.length - 1);
    this.ply = ply;
    const width = Math.max(this.svg.clientWidth, 4 * PAD);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.svg.replaceChildren();
    const at = (index) => (plies ? PAD + (index / plies) * (width - 2 * PAD) : width / 2);
    const height = (share) => PAD + (1 - share) * (HEIGHT - 2 * PAD);
    draw("line", { x1: 0, x2: width, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "graph-mid" }, this.svg);
    for (const [words, y] of [["Black ahead", 13], ["White ahead", HEIGHT - 6]]) {
      draw("text", { x: 4, y, class: "graph-label" }, this.svg).textContent = words;
    }
    const known = shares.map((share, index) => [share, index]).filter(([share]) => share !== null);
    const line = known.map(([share, index], nth) => `${nth ? "L" : "M"}${at(index).toFixed(1)} ${height(share).toFixed(1)}`).join("");
    if (known.length > 1) {
      const [first, last] = [known[0][1], known.at(-1)[1]];
      draw("path", { d: `${line}L${at(last)} ${HEIGHT / 2}L${at(first)} ${HEIGHT / 2}Z`, class: "graph-area" }, this.svg);
      draw("path", { d: line, class: "graph-line" }, this.svg);
    }
    draw("line", { x1: at(ply), x2: at(ply), y1: 0, y2: HEIGHT, class: "graph-now" }, this.svg);
    if (shares[ply] !== null && shares[ply] !== undefined) {
      draw("circle", { cx: at(ply), cy: height(shares[ply]), r: 4, class: "graph-dot now" }, this.svg);
    } else if (known.length === 1) {
      draw("circle", { cx: at(known[0][1]), cy: height(known[0][0]), r: 3, class: "graph-dot" }, this.svg);
    }
    this.svg.setAttribute("aria-valuemax", plies);
    this.svg.setAttribute("aria-valuenow", ply);
    this.svg.setAttribute("aria-valuetext", `Move ${ply} of ${plies}${words ? `, ${words}` : ""}`);
  }
}
