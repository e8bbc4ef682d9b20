// The layers of the page's modules, from the lowest. A module imports only modules of its own and lower layers.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("../../src/web/page/", import.meta.url);

const LAYERS = {
  values: [
    "gif", "lit-html", "mills", "service-worker", "storage", "texts-de", "texts-en", "transport", "transport-error", "tree", "trusted",
  ],
  language: ["language", "sound"],
  words: ["api", "cards", "export-text", "kept-reviews", "library", "mistakes", "openings", "progress", "score"],
  elements: ["dom", "game", "graph", "miniature"],
  board: [
    "board", "board-input", "board-labels", "board-look", "board-marks", "board-men", "board-motion", "board-shapes", "board-texture",
    "board-texture-worker", "board-words", "drag",
  ],
  state: ["state"],
  actions: [
    "clock", "documents", "engine", "notes", "play", "practice-run", "practice-words", "records", "review-run",
  ],
  views: ["board-view", "evaluation", "graph-panel", "line-preview", "moves", "players", "practice", "review", "setup", "status", "tabs"],
  dialogs: ["images", "keys", "open-dialog", "practice-dialog", "recent", "result-dialog", "rules", "save-dialog", "settings-dialog", "sheet",
    "start-dialog"],
  app: ["app"],
};

const names = readdirSync(FOLDER).filter((name) => name.endsWith(".js")).map((name) => name.slice(0, -3));
const imports = new Map(names.map((name) => {
  const text = readFileSync(new URL(`${name}.js`, FOLDER), "utf8");
  return [name, [...text.matchAll(/"\.\/([^"]+)\.js"/g)].map(([, other]) => other)];
}));
const layerOf = (name) => Object.values(LAYERS).findIndex((layer) => layer.includes(name));

test("every module has a layer", () => {
  assert.deepEqual(Object.values(LAYERS).flat().sort(), names.sort());
});

test("modules import only modules of their own and lower layers", () => {
  const pairs = [...imports].flatMap(([name, others]) => others.map((other) => [name, other]));
  const upward = pairs.filter(([name, other]) => layerOf(other) > layerOf(name));
  assert.deepEqual(upward, []);
});

test("no modules import each other, directly or indirectly", () => {
  const done = new Set();
  const visit = (name, path) => {
    assert.ok(!path.includes(name), `a circle: ${[...path, name].join(" > ")}`);
    if (done.has(name)) return;
    imports.get(name).forEach((other) => visit(other, [...path, name]));
    done.add(name);
  };
  names.forEach((name) => visit(name, []));
});
