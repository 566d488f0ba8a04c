// On the pages of whoever is signed out: forget what pads kept for opening without a network. Hands
// not sent yet stay, under their keeper's number: nobody else's pages read them.

globalThis.caches?.keys().then((names) => {
  for (const name of names) if (name.startsWith("pad-")) caches.delete(name);
}).catch(() => null);
try {
  for (const key of Object.keys(localStorage)) if (key.startsWith("pad-state:")) localStorage.removeItem(key);
} catch {
  // no store, nothing kept
}
