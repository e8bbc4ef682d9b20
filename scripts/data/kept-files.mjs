// Names the files of the browser edition in its service worker, which keeps them: node kept-files.mjs FOLDER
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder] = process.argv.slice(2);
const script = join(folder, "service-worker.js");
const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== "service-worker.js")
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(join(folder, "/").length)).sort();
const hash = createHash("sha256");
for (const name of names) hash.update(name).update(readFileSync(join(folder, name)));
// Data of a game is kept when the game is first played. Visits without a network can share memory, and need one engine.
const isInUse = (name) => name.split("/").length > 2 || name.endsWith("/engine.wasm");
const kept = [
  `morello ${hash.digest("hex").slice(0, 16)}`,
  [".", ...names.filter((name) => !isInUse(name))],
  names.filter(isInUse),
];
writeFileSync(script, `self.KEPT = ${JSON.stringify(kept)};\n${readFileSync(script, "utf8")}`);
