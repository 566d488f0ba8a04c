/* The translation catalogue of the page (loaded by a classic script before), as module exports.
   Without it the page speaks English rather than not at all. */

const named = (format, params) =>
  format.replace(/%\((\w+)\)s/g, (_, key) => String(params[key]));

export const gettext = globalThis.gettext ?? ((text) => text);
export const pgettext = globalThis.pgettext ?? ((_context, text) => text);
export const ngettext =
  globalThis.ngettext ?? ((one, many, count) => (count === 1 ? one : many));

/** A translated sentence with its `%(name)s` places filled in. */
export const fill = (format, params = {}) => named(format, params);
