// Keeps the files of the page, so that it opens while the server does not run. A visit takes all its files either from
// the server or from what is kept, never from both: the server may be of another version. Answers of the server are
// not kept.

/**
 * What serves the page puts `KEPT` before this text: the name of the version, which changes with every file, and the
 * files to keep at once and when they are first used. So this text changes with them as well, which makes the browser
 * keep the files of the new version. It shows them once no visit uses those of the old version.
 * @type {[string, string[], string[]?]}
 */
const [named, files, filesInUse] = /** @type {any} */ (self).KEPT;

/** Other editions of the page may have the same origin. */
const scope = new URL(".", location.href).pathname;
const version = `${named} ${scope}`;
/** @param {string[]} names */
const paths = (names) => names.map((name) => new URL(name, location.href).pathname);
const [kept, keptInUse] = [paths(files), paths(filesInUse ?? [])];

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

/** A file that is kept when it was loaded once. @param {Request} request */
async function loadOnce(request) {
  const cache = await caches.open(version);
  const { pathname } = new URL(request.url);
  const known = await cache.match(pathname);
  if (known) return known;
  const response = await fetch(pathname, { cache: "no-cache" });
  // Without space, nothing is kept.
  if (response.ok) await cache.put(pathname, response.clone()).catch(() => {});
  return response;
}

/** The response to a visit: a page of the server, or what is kept. @param {Fetch} event */
const open = ({ request, resultingClientId }) => fetch(request).catch(() => {
  offline.add(resultingClientId);
  return keptFile(paths(["."])[0]);
});

/** Lets the workers of the browser edition share memory, whatever headers its host sends. @param {Response} response */
function isolated(response) {
  if (!filesInUse || response.status < 200) return response;
  const headers = new Headers(response.headers);
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-embedder-policy", "require-corp");
  return new Response(response.body, { headers, status: response.status, statusText: response.statusText });
}

self.addEventListener("install", (event) => {
  // The browser may have files of the version before.
  const requests = kept.map((path) => new Request(path, { cache: "reload" }));
  const keep = async () => (await caches.open(version)).addAll(requests);
  /** @type {LifeEvent} */ (event).waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const clear = async () => {
    // Other pages of the origin have caches of their own.
    const isOwn = (/** @type {string} */ name) => name.startsWith("morello ") && name.endsWith(` ${scope}`);
    const old = (await caches.keys()).filter((name) => isOwn(name) && name !== version);
    for (const name of old) await caches.delete(name);
  };
  /** @type {LifeEvent} */ (event).waitUntil(clear());
});

self.addEventListener("fetch", (any) => {
  const event = /** @type {Fetch} */ (any);
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (keptInUse.includes(pathname)) event.respondWith(loadOnce(request));
  else if (!kept.includes(pathname)) return;
  else if (request.mode === "navigate") event.respondWith(open(event).then(isolated));
  else if (offline.has(event.clientId)) event.respondWith(keptFile(pathname).then(isolated));
  // A service worker that has slept does not know which visits began without the server.
  else if (filesInUse) event.respondWith(fetch(request).catch(() => keptFile(pathname)).then(isolated));
});
