/* What happened between two views, as sentences for the screen reader: cards, then the rest. */

import { fill, gettext } from "./i18n.js";
import { spoken } from "./journal.js";
import { spokenPanel } from "./panels.js";
import { called, isMe, nameOf, ofName } from "./people.js";
import { asText, pieces, theCard } from "./sentence.js";
import { spokenResult } from "./showdown.js";
import { turnWords } from "./words.js";

/** Read out what happened between two views, each event as a sentence, then whose turn it is. */
export function announceChange(page, before, view, fresh) {
  if (view.shuffle) {
    if (!before.shuffle) page.say(gettext("The cards are being shuffled."));
    return;
  }
  const said = [];
  if (view.hand && fresh.length && view.at[0] >= before.at[0]) {
    said.push(ownDraw(view, fresh) || spoken(view, fresh));
  }
  if (view.state !== "playing") {
    if (before.state !== view.state || before.end?.bonuses_written !== view.end?.bonuses_written) {
      if (view.state !== "waiting") said.push(spokenResult(view));
    }
    for (const entry of view.seats) {
      const was = before.seats.find((other) => other.seat === entry.seat);
      if (isMe(view, entry.seat) || !was) continue;
      if (entry.ready && !was.ready) said.push(fill(gettext("%(name)s is ready."), { name: entry.name }));
      if (entry.rematch && !was.rematch) said.push(fill(gettext("%(name)s asks for a rematch."), { name: entry.name }));
    }
  } else if (before.at.join() !== view.at.join() || before.state !== view.state) {
    if (before.at[0] !== view.at[0]) {
      said.push(fill(gettext("Hand %(number)s. %(name)s: dealer."), { number: view.at[0], name: called(view, view.hand.dealer) }));
    }
    const { head, rest } = turnWords(view);
    said.push(rest ? `${head}. ${rest}.` : `${head}.`);
  }
  said.push(...beside(before, view));
  page.say(said.filter(Boolean).join(" "));
}

/* The log names no card drawn from the stock; whoever drew it sees it, and so must hear it. */
function ownDraw(view, fresh) {
  const drew = fresh.length === 1 && fresh[0].move === "draw stock" && isMe(view, fresh[0].seat);
  return drew && view.hand.drawn ? asText(pieces(gettext("You draw %(card)s."), { card: theCard(view.hand.drawn) })) : "";
}

/** What happened beside the cards: offers, comings and goings, moves made by the clock. */
function beside(before, view) {
  const said = [spokenPanel(before, view), askAgain(before, view)];
  if (before.call_off && !view.call_off && isMe(view, before.call_off.by) && view.state !== "finished") {
    said.push(gettext("The offer to call the game off no longer stands."));
  }
  if (before.adjourned && !view.adjourned && view.state === "playing") said.push(gettext("The game goes on."));
  view.present?.forEach((here, seat) => {
    const was = before.present?.[seat];
    if (isMe(view, seat) || was === undefined || was === here || view.state === "waiting") return;
    const name = nameOf(view, seat);
    said.push(here ? fill(gettext("%(name)s is back."), { name }) : fill(gettext("%(name)s is away."), { name }));
  });
  return said;
}

/** Said to whose wish for the next game was taken back since the last view. */
export function askAgain(before, view) {
  if (before.game?.id !== view.game?.id || view.state !== "finished") return "";
  const own = (told) => told.seats.find((entry) => isMe(told, entry.seat));
  const mine = own(before)?.rematch && own(view) && !own(view).rematch;
  const inLine = before.next?.you && before.next.ready && view.next?.you && !view.next.ready;
  return mine || inLine ? gettext("The terms of the next game have changed: ask again if you agree.") : "";
}

/** Moves the clock made since the last view, said to everybody. */
export function timedOut(before, view) {
  if (before.game?.id !== view.game?.id) return "";
  const seat = (view.timeouts ?? []).findIndex((count, at) => count > (before.timeouts?.[at] ?? 0));
  if (seat === -1) return "";
  return isMe(view, seat) ? gettext("Your time was up: the clock played for you.")
    : fill(gettext("The time %(of_name)s was up: the clock played."), { of_name: ofName(view, seat) });
}
