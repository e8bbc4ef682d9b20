// Tests the page as an installed app: what browsers require of it, and a visit without the server.

import assert from "node:assert/strict";
import { reads, test, visit } from "./web-harness.mjs";

await test("browsers offer to install the page", { serviceWorkers: "allow" }, async (page) => {
  await visit(page);
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send("Page.getAppManifest");
  assert.deepEqual([errors, JSON.parse(data).short_name], [[], "morello"]);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // The windows of the tests keep nothing, in which browsers install no apps.
  const found = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito");
  assert.deepEqual(found, []);
});

await test("the page opens without the server", { serviceWorkers: "allow" }, async (page) => {
  await visit(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await (await caches.open(names[0])).keys();
    return [names.length, requests.map(({ url }) => new URL(url).pathname)];
  });
  assert.equal(kept[0], 1);
  assert.ok(kept[1].includes("/") && kept[1].includes("/app.js"), `${kept[1]}`);
  assert.deepEqual(kept[1].filter((path) => path.startsWith("/api/")), []);
  const loaded = await page.evaluate(() => (
    performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)));
  assert.deepEqual(loaded.filter((path) => !path.startsWith("/api/") && !kept[1].includes(path)), []);
  await page.context().setOffline(true);
  await page.reload();
  await reads(page, "#status", /The server does not respond/);
  await page.context().setOffline(false);
  await page.locator("#retry").click();
  await page.waitForSelector("#board svg");
  assert.ok(await page.locator("#retry").isHidden());
});
