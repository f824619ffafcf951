// What every figure can do: be taken along as SVG, PNG and CSV and, where it carries its numbers, be explored.

// Fields of comma-separated values.
function csvLine(fields) {
  return fields.map((field) => {
    const text = field === null || field === undefined ? "" : String(field);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }).join(",");
}

// The numbers of a figure as a table of text; null where it has none.
function csvOf(numbers) {
  if (numbers === null) return null;
  if (typeof numbers.csv === "string") return numbers.csv;
  const lines = [];
  if (numbers.charts !== undefined) {
    const banded = numbers.charts.some((chart) => chart.series.some((series) => series.band !== null && series.band !== undefined));
    lines.push(csvLine(["panel", "series", "x", "y", ...(banded ? ["low", "high"] : [])]));
    for (const chart of numbers.charts) {
      for (const series of chart.series) {
        const band = new Map((series.band ?? []).map(([x, low, high]) => [x, [low, high]]));
        for (const [x, y] of series.points) {
          const ends = banded ? (band.get(x) ?? ["", ""]) : [];
          lines.push(csvLine([label(chart.y), series.name, x, y, ...ends]));
        }
      }
    }
  }
  if (numbers.film !== undefined) {
    const film = numbers.film;
    lines.push(csvLine(["cycle", "router", "value"]));
    film.frames.map(bytes).forEach((frame, index) => {
      frame.forEach((level, router) => lines.push(csvLine([film.from + index * film.every, router, (level / 255) * film.high])));
    });
  }
  return lines.length === 0 ? null : `${lines.join("\n")}\n`;
}

function take(name, href) {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
}

function takeBlob(name, blob) {
  const address = URL.createObjectURL(blob);
  take(name, address);
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Draws the picture at three times its size, on white.
function takePng(name, image) {
  if (image.src.startsWith("data:image/png")) {
    take(name, image.src);
    return;
  }
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth * 3, image.naturalHeight * 3];
  const paint = canvas.getContext("2d");
  paint.fillStyle = "#ffffff";
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => takeBlob(name, blob), "image/png");
}

function downloads(figure, image, numbers) {
  const caption = figure.querySelector("figcaption");
  const bar = document.createElement("span");
  bar.className = "get";
  caption.prepend(bar);
  const stem = `${document.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "report"}-figure-${figure.id.slice(1)}`;
  const offer = (kind, act) => {
    const button = make(bar, "button", { type: "button", "aria-label": `Download figure ${figure.id.slice(1)} as ${kind}` }, kind);
    button.addEventListener("click", () => act(`${stem}.${kind.toLowerCase()}`));
  };
  if (image.src.startsWith("data:image/svg")) offer("SVG", (name) => take(name, image.src));
  offer("PNG", (name) => takePng(name, image));
  const csv = csvOf(numbers);
  if (csv !== null) offer("CSV", (name) => takeBlob(name, new Blob([csv], { type: "text/csv" })));
}

// A button that changes between the picture and the one that a pointer reads.
function explorable(figure, live) {
  const bar = make(figure, "div", { class: "zoom" });
  const button = make(bar, "button", { type: "button", "aria-pressed": "false" }, "Explore");
  button.addEventListener("click", () => {
    const shown = figure.classList.toggle("has-live");
    button.setAttribute("aria-pressed", String(shown));
    button.textContent = shown ? "Show the picture" : "Explore";
  });
  figure.insertBefore(bar, figure.querySelector("figcaption"));
  live.dataset.ready = "";
}

// Drawings are made for print; on a screen they are half as large again, where there is room.
const [LARGER, WIDEST] = [1.5, 1032];

function enlarge(image) {
  if (image.naturalWidth === 0) return;
  image.dataset.width = `${Math.max(image.naturalWidth, Math.min(WIDEST, LARGER * image.naturalWidth))}px`;
  image.style.width = image.dataset.width;
}

for (const figure of document.querySelectorAll("figure")) {
  const sheet = figure.querySelector(".sheet");
  const image = sheet.querySelector("img");
  const numbers = numbersOf(image);
  downloads(figure, image, numbers);
  if (image.src.startsWith("data:image/svg")) image.decode().then(() => enlarge(image), () => {});
  if (image.src.startsWith("data:image/svg")) sheet.classList.add("lines");
  if (numbers === null || (numbers.charts === undefined && numbers.film === undefined)) {
    zoomable(figure, sheet, image);
    continue;
  }
  const live = document.createElement("div");
  live.className = "live";
  if (numbers.charts !== undefined) liveCharts(live, numbers.charts);
  if (numbers.film !== undefined) liveFilm(live, numbers.film);
  sheet.before(live);
  if (numbers.film !== undefined) {
    figure.classList.add("has-live");
    continue;
  }
  explorable(figure, live);
}
