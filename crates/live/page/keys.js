// The keyboard.

import { $, make } from "./parts.js";

/** @type {[string, string][]} */
const WORDS = [
  ["Space", "play, pause"], ["← →", "a cycle back, on; with Shift 64; with Alt a kept state"], ["Home End", "to the start, to the newest"],
  [", .", "slower, faster"], ["G", "go to a cycle"], ["W S, Q E", "zoom and move time"], ["+ − 0", "zoom the map, fit"],
  ["1 2 3 4", "Queues, Use, Trees, Difference"], ["F", "fork here"], ["A B C D", "the variant that is read and steered"],
  ["L", "a ring as a circle, or as a row; tiles turned"], ["/", "find a router, link, node or packet"], ["M", "follow the flow of what is selected"], ["N", "run to the next event: a first tree, one twice as large"], ["Ctrl-Z", "take the last change back"], ["arrows on the map", "next router; with Shift its link"], ["T", "dark or light"], ["Esc", "let go"],
];

/** @param {Record<string, (e: KeyboardEvent) => void>} actions */
export function listen(actions) {
  addEventListener("keydown", (e) => {
    const target = /** @type {HTMLElement} */ (e.target);
    // Its own keys are those of a list that is open.
    if (document.querySelector(":popover-open") !== null) return;
    if ($("dialog").open || ((e.ctrlKey || e.metaKey) && e.key !== "z")) return;
    const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName) && target.getAttribute("type") !== "range";
    if (typing && e.key !== "Escape") return;
    if (target.getAttribute("type") === "range" && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(e.key)) return;
    // A button is pressed by it.
    if (e.key === " " && ["BUTTON", "SUMMARY", "A"].includes(target.tagName)) return;
    const action = actions[(e.ctrlKey || e.metaKey ? "^" : "") + (e.key.length === 1 ? e.key.toLowerCase() : e.key)];
    if (action === undefined) return;
    action(e);
    e.preventDefault();
  });
}

/** Shows the keys. */
export function help() {
  const dialog = $("dialog");
  const rows = WORDS.map(([keys, words]) => make("tr", {}, make("td", {}, make("kbd", {}, keys)), make("td", {}, words)));
  dialog.replaceChildren(make("h2", { id: "dialog-title" }, "Keys"), make("table", {}, ...rows), make("div", { class: "row" }, make("button", { onclick: () => dialog.close() }, "Close")));
  dialog.showModal();
}
