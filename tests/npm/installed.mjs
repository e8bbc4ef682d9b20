// The package, packed and installed in an empty folder, as a user gets it. MORELLO_NPM is the folder that
// `scripts/build-web.sh` makes, by default target/web/npm.

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url));
const source = resolve(process.env.MORELLO_NPM ?? join(repository, "target/web/npm"));

/** The folder of a user with the package. */
export const folder = await mkdtemp(join(tmpdir(), "morello-npm-"));
after(() => rm(folder, { recursive: true, force: true }));

/** Runs a program in that folder. */
export const run = (program, args, options = {}) => execute(program, args, { cwd: folder, timeout: 120_000, ...options });

/** What `npm pack` says about the package. */
export const [packed] = JSON.parse((await run("npm", ["pack", "--json", source])).stdout);
await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
await run("npm", ["install", "--offline", "--no-audit", "--no-fund", packed.filename]);

export const installed = join(folder, "node_modules/morello");
export const morello = await import(pathToFileURL(join(installed, "index.js")));

/** Runs a script as a program, and returns what it prints. */
export async function script(name, text) {
  await writeFile(join(folder, name), text);
  return (await run(process.execPath, [...process.execArgv, name])).stdout;
}
