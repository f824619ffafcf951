// What the server hands out as report-live.js: the script of reports, crates/pictures/src/report/live.js.

export function liveCharts(parent: HTMLElement, charts: any[]): void;
export function liveFilm(parent: HTMLElement, film: any): void;
