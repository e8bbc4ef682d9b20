// Tests the page of `morello serve` in a browser: GROUP=0 node web.mjs ADDRESS CHROMIUM [SCREENSHOT FOLDER]
//
// Two groups can run side by side, since most tests wait for the page.

import { browser, failed } from "./web-harness.mjs";

const GROUPS = [
  ["basics", "play", "review", "app"], ["games", "notes", "practice", "files", "axe", "keyboard"],
];

for (const name of GROUPS[Number(process.env.GROUP)]) await import(`./web-${name}.mjs`);
await browser.close();
process.exit(failed ? 1 : 0);
