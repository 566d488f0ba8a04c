/* A reader's own settings of the table, put on the page before it is first painted. */

(() => {
  const STORE = "ginrami.table";
  const USUAL = { deck4: false, large: false, french: false, sounds: false, animation: true };

  function read() {
    const settings = { ...USUAL };
    try {
      const kept = JSON.parse(localStorage.getItem(STORE)) ?? {};
      for (const name of Object.keys(USUAL)) if (typeof kept[name] === "boolean") settings[name] = kept[name];
    } catch {
      // A browser that keeps nothing shows the usual table.
    }
    return settings;
  }

  function mark(name, value) {
    if (value === null) document.documentElement.removeAttribute(name);
    else document.documentElement.setAttribute(name, value);
  }

  /** Put the settings on the page, where style sheets and modules look for them. */
  function show(settings) {
    mark("data-deck", settings.deck4 ? "4" : null);
    mark("data-cards", settings.large ? "large" : null);
    mark("data-courts", settings.french ? "french" : null);
    mark("data-sounds", settings.sounds ? "on" : null);
    mark("data-animation", settings.animation ? null : "off");
  }

  function keep(settings) {
    try {
      localStorage.setItem(STORE, JSON.stringify(settings));
    } catch {
      // Shown all the same, until the page is left.
    }
    show(settings);
  }

  show(read());
  globalThis.tableSettings = { STORE, read, keep, show };
})();
