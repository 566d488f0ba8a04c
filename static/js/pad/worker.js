/* The service worker of the pads (a classic script, started by /pad/sw.js, which says what to keep).

   It knows the pages of pads alone, /pad/7/, and only those the server marks as their keeper's. The
   network comes first; what is kept answers when it does not. Everything else goes its usual way. */

const { version, files, kept, words } = self.PAD;
const CACHE = `pad-${version}`;
const PAGE = /^\/pad\/\d+\/$/;
const PATIENCE = 4000;
const PAGES_AT_MOST = 12;

const others = async () => (await caches.keys()).filter((name) => name.startsWith("pad-") && name !== CACHE);

/** A page as the network has it now, kept if it may be; what leads elsewhere is forgotten. */
async function fetched(request, path) {
  const answer = await fetch(request);
  const cache = await caches.open(CACHE);
  if (answer.status === 200 && !answer.redirected && answer.headers.get(kept)) {
    await cache.put(path, answer.clone());
    const pages = (await cache.keys()).map((one) => new URL(one.url).pathname).filter((one) => PAGE.test(one));
    for (const old of pages.filter((one) => one !== path).slice(0, Math.max(0, pages.length - PAGES_AT_MOST))) {
      await cache.delete(old);
    }
  } else if (answer.status < 500) {
    await cache.delete(path); // signed out, or not theirs any more
  }
  return answer;
}

const asked = (path) => new Request(path, { credentials: "same-origin", redirect: "manual", headers: { Accept: "text/html" } });

async function refill() {
  const cache = await caches.open(CACHE);
  await cache.addAll([...files, words]);
  for (const name of await others()) {
    for (const one of await (await caches.open(name)).keys()) {
      const path = new URL(one.url).pathname;
      if (PAGE.test(path)) await fetched(asked(path), path);
    }
  }
}

async function networkFirst(network, path) {
  const late = new Promise((done) => { setTimeout(done, PATIENCE, null); });
  const quick = await Promise.race([network.catch(() => null), late]);
  if (quick) return quick;
  return (await (await caches.open(CACHE)).match(path)) ?? network;
}

/* The catalogue's language follows a cookie, so it is as fresh as the page. */
async function freshWords(request) {
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(CACHE)).put(words, answer.clone());
  return answer;
}

self.addEventListener("install", (event) => {
  event.waitUntil(refill().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await others()) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (files.includes(url.pathname)) {
    event.respondWith(caches.match(url.pathname).then((found) => found ?? fetch(request)));
  } else if (url.pathname === words) {
    event.respondWith(networkFirst(freshWords(request), words));
  } else if (request.mode === "navigate" && PAGE.test(url.pathname)) {
    event.respondWith(networkFirst(fetched(request, url.pathname), url.pathname));
  }
});

self.addEventListener("message", (event) => {
  const path = event.data?.keep;
  if (typeof path === "string" && PAGE.test(path)) {
    event.waitUntil(fetched(asked(path), path).then(() => event.source?.postMessage({ kept: path }), () => null));
  }
});
