/* A reader's own settings of the table, put on the page before it is first painted.
   Who has an account finds them on the page already; else this browser keeps them. */

(() => {
  const STORE = "ginrami.table";
  const page = document.documentElement;
  const USUAL = { deck4: false, large: false, french: false, sounds: false, animation: true };
  const MARKS = { deck4: ["data-deck", "4"], large: ["data-cards", "large"], french: ["data-courts", "french"],
    sounds: ["data-sounds", "on"], animation: ["data-animation", "off"] };

  /** The settings in a text this browser keeps; the usual ones for whatever it does not say. */
  function told(text) {
    const settings = { ...USUAL };
    try {
      const kept = JSON.parse(text) ?? {};
      for (const name of Object.keys(USUAL)) if (typeof kept[name] === "boolean") settings[name] = kept[name];
    } catch {
      // Something else wrote there.
    }
    return settings;
  }

  function stored() {
    try {
      return told(localStorage.getItem(STORE));
    } catch {
      return { ...USUAL }; // a browser that keeps nothing shows the usual table
    }
  }

  /* Moving cards are usual, so their mark says the opposite. */
  const isMarked = (settings, name) => settings[name] !== (name === "animation");

  /** Put the settings on the page, where style sheets and modules look for them. */
  function show(settings) {
    for (const [name, [mark, value]] of Object.entries(MARKS)) {
      if (isMarked(settings, name)) page.setAttribute(mark, value);
      else page.removeAttribute(mark);
    }
  }

  /** What the page shows now. */
  function read() {
    const marked = ([name, [mark]]) => [name, page.hasAttribute(mark) !== (name === "animation")];
    return Object.fromEntries(Object.entries(MARKS).map(marked));
  }

  function keep(settings) {
    try {
      localStorage.setItem(STORE, JSON.stringify(settings));
    } catch {
      // Shown all the same, until the page is left.
    }
    show(settings);
  }

  if (!page.hasAttribute("data-kept")) show(stored());
  globalThis.tableSettings = { STORE, told, read, keep, show };
})();
