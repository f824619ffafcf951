// Makes pictures live that carry their numbers (the <metadata> of their SVG): curves to read, zoom and hide, films to play.
// Nothing of a picture but its numbers is put on the page, and those as text. Without scripts, and in print, pictures stay.

const NS = "http://www.w3.org/2000/svg";

function make(parent, name, attributes = {}, text = "") {
  const svg = parent.namespaceURI === NS || name === "svg";
  const element = svg ? document.createElementNS(NS, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== "") element.textContent = text;
  parent.append(element);
  return element;
}

function bytes(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

function numbersOf(image) {
  const [, data] = image.src.split("data:image/svg+xml;base64,");
  if (data === undefined) return null;
  const picture = new DOMParser().parseFromString(new TextDecoder().decode(bytes(data)), "image/svg+xml");
  const metadata = picture.querySelector("metadata");
  try {
    return metadata === null ? null : JSON.parse(metadata.textContent);
  } catch {
    return null;
  }
}

// A number with so many digits as a reader wants.
function short(value) {
  if (value === null || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-3 && size < 1e6)) return String(Number(value.toPrecision(4)));
  return value.toExponential(2);
}

function label(axis) {
  return axis.unit === "" ? axis.label : `${axis.label} [${axis.unit}]`;
}

// How values become a share of the axis, and back.
function scale(axis) {
  const to = axis.log ? Math.log10 : (v) => v;
  const from = axis.log ? (v) => 10 ** v : (v) => v;
  const [low, high] = [to(axis.low), to(axis.high)];
  return {
    share: (value) => (to(value) - low) / (high - low),
    value: (share) => from(low + share * (high - low)),
    shows: (value) => value !== null && Number.isFinite(value) && (!axis.log || value > 0),
  };
}

// Places of ticks: steps of 1, 2 or 5; on a logarithmic axis the powers of ten, where there are two or more.
function ticks(axis) {
  if (axis.log) {
    const powers = [];
    for (let e = Math.ceil(Math.log10(axis.low)); e <= Math.floor(Math.log10(axis.high)); e += 1) powers.push(10 ** e);
    if (powers.length > 1) return powers;
  }
  const rough = (axis.high - axis.low) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((s) => s * power >= rough);
  const found = [];
  for (let i = Math.ceil(axis.low / step); i * step <= axis.high; i += 1) found.push(i * step);
  return found;
}

const [WIDE, HIGH] = [640, 380];
const AREA = { left: 64, top: 26, right: 14, bottom: 46 };
// Room for the numbers and the label of a second axis.
const SECOND_AXIS = 50;
const INNER_HIGH = HIGH - AREA.top - AREA.bottom;

// Width of the plot itself: a chart with a second axis has less.
function innerWide(view) {
  return WIDE - AREA.left - AREA.right - (view.y2 === null ? 0 : SECOND_AXIS);
}

function drawAxes(svg, chart, view) {
  const x = scale(view.x);
  const [wide, middle] = [innerWide(view), AREA.top + INNER_HIGH / 2];
  const right = AREA.left + wide;
  for (const at of ticks(view.x)) {
    const place = AREA.left + x.share(at) * wide;
    make(svg, "line", { x1: place, x2: place, y1: AREA.top, y2: HIGH - AREA.bottom, class: "grid" });
    make(svg, "text", { x: place, y: HIGH - AREA.bottom + 16, "text-anchor": "middle", class: "tick x" }, short(at));
  }
  for (const at of ticks(view.y)) {
    const place = HIGH - AREA.bottom - scale(view.y).share(at) * INNER_HIGH;
    make(svg, "line", { x1: AREA.left, x2: right, y1: place, y2: place, class: "grid" });
    make(svg, "text", { x: AREA.left - 6, y: place + 4, "text-anchor": "end", class: "tick y" }, short(at));
  }
  for (const at of view.y2 === null ? [] : ticks(view.y2)) {
    const place = HIGH - AREA.bottom - scale(view.y2).share(at) * INNER_HIGH;
    make(svg, "line", { x1: right, x2: right + 4, y1: place, y2: place, class: "frame" });
    make(svg, "text", { x: right + 7, y: place + 4, "text-anchor": "start", class: "tick y2" }, short(at));
  }
  const turned = (at, text, name) =>
    make(svg, "text", { x: at, y: middle, "text-anchor": "middle", transform: `rotate(-90 ${at} ${middle})`, class: name }, text);
  make(svg, "text", { x: AREA.left + wide / 2, y: HIGH - 8, "text-anchor": "middle" }, label(chart.x));
  turned(14, label(chart.y), "label y");
  if (view.y2 !== null) turned(WIDE - 6, label(chart.y2), "label y2");
  make(svg, "text", { x: AREA.left + wide / 2, y: 16, "text-anchor": "middle", class: "title" }, chart.title);
}

// The pixels of a point; null where the axes cannot show it.
function projection(view, right) {
  const [x, y] = [scale(view.x), scale(right && view.y2 !== null ? view.y2 : view.y)];
  const wide = innerWide(view);
  return ([a, b]) =>
    x.shows(a) && y.shows(b)
      ? [AREA.left + x.share(a) * wide, HIGH - AREA.bottom - y.share(b) * INNER_HIGH]
      : null;
}

function path(points, step) {
  let text = "";
  let open = false;
  for (const point of points) {
    if (point === null) {
      open = false;
      continue;
    }
    const [x, y] = point.map((v) => Math.max(-1e5, Math.min(1e5, v)).toFixed(2));
    text += open ? (step ? `H${x}V${y}` : `L${x} ${y}`) : `M${x} ${y}`;
    open = true;
  }
  return text;
}

function drawSeries(plot, view, series) {
  const project = projection(view, series.right);
  if (series.band !== null) {
    const edge = (at) => series.band.map((row) => project([row[0], row[at]])).filter((p) => p !== null);
    const outline = [...edge(1), ...edge(2).reverse()];
    if (outline.length > 2) make(plot, "path", { d: `${path(outline)}Z`, fill: series.colour, opacity: 0.18 });
  }
  const points = series.points.map(project);
  if (series.line) {
    const dash = series.dashed ? { "stroke-dasharray": "6 4" } : {};
    make(plot, "path", { d: path(points, series.step), stroke: series.colour, "stroke-width": 1.8, fill: "none", ...dash });
  }
  if (series.dots) {
    for (const point of points) {
      if (point !== null) make(plot, "circle", { cx: point[0], cy: point[1], r: 2.6, fill: series.colour });
    }
  }
}

function drawMarks(plot, view, marks) {
  for (const mark of marks) {
    const vertical = mark.x !== undefined;
    const at = projection(view, false)(vertical ? [mark.x, view.y.high] : [view.x.high, mark.y]);
    if (at === null) continue;
    const line = vertical
      ? { x1: at[0], x2: at[0], y1: AREA.top, y2: HIGH - AREA.bottom }
      : { x1: AREA.left, x2: AREA.left + innerWide(view), y1: at[1], y2: at[1] };
    make(plot, "line", { ...line, class: "mark" });
    const text = vertical ? { x: at[0] - 4, y: AREA.top + 12 } : { x: AREA.left + innerWide(view) - 4, y: at[1] - 4 };
    make(plot, "text", { ...text, "text-anchor": "end", class: "tick" }, mark.label);
  }
}

// The point of each visible series next to a place on the x axis.
function nearest(chart, hidden, at) {
  const distance = (point) => Math.abs(point[0] - at);
  const rows = chart.series
    .filter((series) => !hidden.has(series.name))
    .map((series) => ({
      series,
      point: series.points.filter((p) => p[0] !== null && p[1] !== null).reduce((a, b) => (a === null || distance(b) < distance(a) ? b : a), null),
    }));
  return rows.filter((row) => row.point !== null);
}

function liveChart(parent, chart, hidden, redrawAll) {
  const whole = { x: chart.x, y: chart.y, y2: chart.y2 };
  let view = whole;
  const box = make(parent, "div", { class: "chart" });
  const svg = make(box, "svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": chart.title || label(chart.y) });
  const tip = make(box, "div", { class: "tip", hidden: "" });
  let from = null;
  const place = (event) => {
    const frame = svg.getBoundingClientRect();
    const share = (at, start, size, whole, inner) => ((at - start) / size * whole - inner[0]) / inner[1];
    return [
      share(event.clientX, frame.left, frame.width, WIDE, [AREA.left, innerWide(view)]),
      1 - share(event.clientY, frame.top, frame.height, HIGH, [AREA.top, INNER_HIGH]),
    ].map((v) => Math.max(0, Math.min(1, v)));
  };
  const draw = () => {
    svg.replaceChildren();
    drawAxes(svg, chart, view);
    const wide = innerWide(view);
    const window = { x: AREA.left, y: AREA.top, width: wide, height: INNER_HIGH };
    make(svg, "rect", { ...window, class: "frame" });
    const plot = make(svg, "svg", { ...window, viewBox: `${AREA.left} ${AREA.top} ${wide} ${INNER_HIGH}` });
    for (const series of chart.series) if (!hidden.has(series.name)) drawSeries(plot, view, series);
    drawMarks(plot, view, chart.marks);
    svg.marked = make(svg, "g");
  };
  const zoom = (a, b) => {
    const cut = (axis, i) => {
      if (axis === null) return null;
      const [low, high] = [a[i], b[i]].sort((p, q) => p - q).map(scale(axis).value);
      return { ...axis, low, high };
    };
    view = { x: cut(view.x, 0), y: cut(view.y, 1), y2: cut(view.y2, 1) };
    draw();
  };
  const show = (event) => {
    const [x] = place(event);
    const rows = nearest(chart, hidden, scale(view.x).value(x));
    svg.marked.replaceChildren();
    tip.replaceChildren();
    tip.hidden = rows.length === 0;
    if (rows.length === 0) return;
    make(tip, "b", {}, `${chart.x.label} ${short(rows[0].point[0])}`);
    for (const { series, point } of rows.slice(0, 12)) {
      const at = projection(view, series.right)(point);
      if (at !== null) make(svg.marked, "circle", { cx: at[0], cy: at[1], r: 4.5, stroke: series.colour, class: "ring" });
      const row = make(tip, "div");
      make(row, "i").style.background = series.colour;
      const where = point[0] === rows[0].point[0] ? "" : ` at ${short(point[0])}`;
      make(row, "span", {}, `${series.name === "" ? "" : `${series.name}: `}${short(point[1])}${where}`);
    }
    tip.style.left = `${x < 0.5 ? 62 : 12}%`;
  };
  svg.addEventListener("pointermove", (event) => {
    show(event);
    if (from === null) return;
    const to = place(event);
    const pixel = ([x, y]) => [AREA.left + x * innerWide(view), HIGH - AREA.bottom - y * INNER_HIGH];
    const [p, q] = [pixel(from), pixel(to)];
    const corner = { x: Math.min(p[0], q[0]), y: Math.min(p[1], q[1]) };
    make(svg.marked, "rect", { ...corner, width: Math.abs(p[0] - q[0]), height: Math.abs(p[1] - q[1]), class: "choice" });
  });
  svg.addEventListener("pointerleave", () => {
    tip.hidden = true;
    svg.marked.replaceChildren();
  });
  svg.addEventListener("pointerdown", (event) => {
    from = place(event);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointerup", (event) => {
    const [start, end] = [from, place(event)];
    from = null;
    if (start !== null && Math.abs(start[0] - end[0]) > 0.02 && Math.abs(start[1] - end[1]) > 0.02) zoom(start, end);
  });
  svg.addEventListener("dblclick", () => {
    view = whole;
    draw();
  });
  redrawAll.push(draw);
  draw();
}

function liveCharts(parent, charts) {
  const hidden = new Set();
  const redraw = [];
  const panels = make(parent, "div", { class: charts.length > 1 ? "panels" : "panel" });
  for (const chart of charts) liveChart(panels, chart, hidden, redraw);
  const colours = new Map(charts.flatMap((chart) => chart.series).map((series) => [series.name, series.colour]));
  colours.delete("");
  const legend = make(parent, "div", { class: "legend" });
  for (const [name, colour] of colours) {
    const button = make(legend, "button", { type: "button", "aria-pressed": "true" });
    make(button, "i").style.background = colour;
    make(button, "span", {}, name);
    button.addEventListener("click", () => {
      if (!hidden.delete(name)) hidden.add(name);
      button.setAttribute("aria-pressed", String(!hidden.has(name)));
      for (const draw of redraw) draw();
    });
  }
  make(parent, "p", { class: "how" }, "Drag a box to zoom in, click twice for the whole; a name hides its curve.");
}

// The colour of a share of the palette: red, green, blue.
function shade(palette, share) {
  const place = Math.min(share * (palette.length - 1), palette.length - 1.001);
  const part = place - Math.floor(place);
  const at = (i) => [1, 3, 5].map((c) => parseInt(palette[i].slice(c, c + 2), 16));
  const [a, b] = [at(Math.floor(place)), at(Math.floor(place) + 1)];
  return a.map((v, i) => Math.round(v + (b[i] - v) * part));
}

function liveFilm(parent, film) {
  const frames = film.frames.map(bytes);
  const size = Math.max(3, Math.floor(480 / Math.max(film.columns, film.rows)));
  // Routers stand in columns and rows, or where the places of a network of any shape say.
  const places = film.places ?? null;
  const [width, height] = places === null ? [film.columns * size, film.rows * size] : [520 * Math.sqrt(film.aspect), 520 / Math.sqrt(film.aspect)];
  const dot = places === null ? 0 : Math.max(1.5, Math.min(14, 0.8 * film.radius * height));
  const spot = ([x, y]) => [20 + x * (width - 40), 20 + (1 - y) * (height - 40)];
  const canvas = make(parent, "canvas", { width: Math.round(width), height: Math.round(height) });
  const colours = Array.from({ length: 256 }, (_, level) => `rgb(${shade(film.palette, level / 255).join(" ")})`);
  const controls = make(parent, "div", { class: "player" });
  const play = make(controls, "button", { type: "button" }, "Play");
  const slider = make(controls, "input", { type: "range", min: 0, max: frames.length - 1, value: 0, "aria-label": "Time" });
  const time = make(controls, "output");
  const reading = make(parent, "p", { class: "how" }, "Point at a router for its load.");
  const paint = canvas.getContext("2d");
  const draw = () => {
    const frame = frames[slider.valueAsNumber];
    frame.forEach((level, router) => {
      if (places !== null) {
        paint.fillStyle = colours[level];
        paint.beginPath();
        paint.arc(...spot(places[router]), dot, 0, 2 * Math.PI);
        paint.fill();
        return;
      }
      const [column, row] = [router % film.columns, Math.floor(router / film.columns)];
      paint.fillStyle = colours[level];
      paint.fillRect(column * size, (film.rows - 1 - row) * size, size, size);
    });
    const from = film.from + slider.valueAsNumber * film.every;
    time.textContent = `cycles ${short(from)} to ${short(from + film.every)}`;
  };
  let timer = null;
  play.addEventListener("click", () => {
    play.textContent = timer === null ? "Pause" : "Play";
    if (timer !== null) {
      clearInterval(timer);
      timer = null;
      return;
    }
    timer = setInterval(() => {
      // Whoever has taken it off the page does not see it any more.
      if (!canvas.isConnected) clearInterval(timer);
      slider.value = (slider.valueAsNumber + 1) % frames.length;
      draw();
    }, 120);
  });
  slider.addEventListener("input", draw);
  canvas.addEventListener("pointermove", (event) => {
    const frame = canvas.getBoundingClientRect();
    if (places !== null) {
      const at = [((event.clientX - frame.left) / frame.width) * width, ((event.clientY - frame.top) / frame.height) * height];
      const away = places.map((place) => Math.hypot(spot(place)[0] - at[0], spot(place)[1] - at[1]));
      const router = away.indexOf(Math.min(...away));
      const load = frames[slider.valueAsNumber][router];
      reading.textContent = `router ${router}: ${short((load / 255) * film.high)} ${film.unit}; colours from 0 to ${short(film.high)}`;
      return;
    }
    const column = Math.floor(((event.clientX - frame.left) / frame.width) * film.columns);
    const row = film.rows - 1 - Math.floor(((event.clientY - frame.top) / frame.height) * film.rows);
    const level = frames[slider.valueAsNumber][row * film.columns + column];
    if (level === undefined) return;
    reading.textContent = `router [${column}, ${row}]: ${short((level / 255) * film.high)} ${film.unit}; colours from 0 to ${short(film.high)}`;
  });
  draw();
}

// Buttons that enlarge a picture and make it smaller again; the sheet scrolls.
function zoomable(figure, sheet, image) {
  const bar = make(figure, "div", { class: "zoom" });
  let times = 1;
  const set = (next) => {
    const middle = [sheet.scrollLeft + sheet.clientWidth / 2, sheet.scrollTop + sheet.clientHeight / 2].map((v) => v / times);
    const base = image.clientWidth / times;
    times = Math.max(1, Math.min(16, next));
    sheet.classList.toggle("enlarged", times > 1);
    image.style.width = times > 1 ? `${base * times}px` : (image.dataset.width ?? "");
    sheet.scrollTo(middle[0] * times - sheet.clientWidth / 2, middle[1] * times - sheet.clientHeight / 2);
  };
  for (const [sign, name, factor] of [["+", "Enlarge", 1.5], ["−", "Make smaller", 1 / 1.5], ["⤢", "Fit to the page", 0]]) {
    const button = make(bar, "button", { type: "button", "aria-label": name, title: name }, sign);
    button.addEventListener("click", () => set(times * factor));
  }
}
