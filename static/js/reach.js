/* What the site itself cannot reach just now, and how that is said. */

import { gettext } from "./i18n.js";

export class Reach {
  constructor() {
    this.bells = true; // moves made by way of another process come at once
    this.database = true;
    this.told = false; // whether anything came over the present line yet
  }

  /** A new line, perhaps to another process: what the last one could not reach says nothing of it. */
  anew() {
    this.told = false;
  }

  /** Take in what a message tells of it, and say whether anything is otherwise now. */
  heard(message) {
    const before = `${this.bells} ${this.database}`;
    if (message.type === "reach") {
      this.bells = message.bells;
      this.database = message.database;
      this.told = true;
    } else if (message.type === "refused") {
      if (message.code === "unavailable") this.database = false;
    } else if (message.type === "table" || message.type === "pong") {
      this.database = true; // that is where it came from
      if (!this.told) this.bells = true;
      this.told = true;
    }
    return before !== `${this.bells} ${this.database}`;
  }

  /** In a sentence, and one more where there is room; nothing while all is well. */
  words() {
    if (!this.database) {
      return [gettext("The site cannot reach its database: nothing is lost."), gettext("Play goes on by itself.")];
    }
    if (!this.bells) {
      return [gettext("Moves arrive a little late: nothing is lost."), gettext("A part of the site does not answer.")];
    }
    return [];
  }
}
