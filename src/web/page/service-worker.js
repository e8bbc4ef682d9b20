// Keeps the files of the page, so that it opens while the server does not run. A visit takes all its files either from
// the server or from what is kept, never from both: the server may be of another version. Answers of the server are
// not kept.

/**
 * The server puts `KEPT` before this text: the name of the version, which changes with every file, and the files. So
 * this text changes with them as well, which makes the browser keep the files of the new version. It shows them
 * once no visit uses those of the old version.
 * @type {[string, string[]]}
 */
const [version, files] = /** @type {any} */ (self).KEPT;

/** The visits that began without the server. @type {Set<string>} */
const offline = new Set();

/** @typedef {Event & { waitUntil: (work: Promise<unknown>) => void }} LifeEvent */
/**
 * @typedef {Event & {
 *   request: Request, clientId: string, resultingClientId: string, respondWith: (response: Promise<Response>) => void,
 * }} Fetch
 */

/** @param {string} path */
async function keptFile(path) {
  const cache = await caches.open(version);
  return await cache.match(path) ?? Response.error();
}

/** The response to a visit: a page of the server, or what is kept. @param {Fetch} event */
const open = ({ request, resultingClientId }) => fetch(request).catch(() => {
  offline.add(resultingClientId);
  return keptFile("/");
});

self.addEventListener("install", (event) => {
  /** @type {LifeEvent} */ (event).waitUntil(caches.open(version).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  const clear = async () => {
    // Other pages of the origin may have caches of their own.
    const old = (await caches.keys()).filter((name) => name.startsWith("morello ") && name !== version);
    for (const name of old) await caches.delete(name);
  };
  /** @type {LifeEvent} */ (event).waitUntil(clear());
});

self.addEventListener("fetch", (any) => {
  const event = /** @type {Fetch} */ (any);
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin || !files.includes(pathname)) return;
  if (event.request.mode === "navigate") event.respondWith(open(event));
  else if (offline.has(event.clientId)) event.respondWith(keptFile(pathname));
});
