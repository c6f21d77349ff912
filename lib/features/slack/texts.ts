/** The words that Slack's door shows to one person: behind a tap, in a modal, in the home tab. */
import type { Language } from '../../core/base/language.ts';

const EN = {
  // Behind a tap.
  notPaired:
    'This conversation is not paired with me (any more), so its buttons do nothing. Pair it: npx passepartout pair',
  answered: 'This question is answered already.',
  notMine: 'This button is not one of mine, so it does nothing.',
  mayNotSee: 'Only an approver may see why.',
  mayNotDecide: 'Only an approver may decide this: those whose direct message with me is paired.',
  over: 'This is decided already, or over. Nothing was done.',
  late: 'The window could not be opened. Tap again, or decide by words: !approve and the id on the card.',
  // The modal. Its title and buttons have at most 24 characters.
  title: 'Exactly this?',
  yes: 'Approve',
  no: 'Cancel',
  notDone: 'Not done',
  cut: (chars: number) => `[It has ${chars} characters. All of it is in the file beside its card.]`,
  // The home tab.
  unpaired: 'Not paired. On the machine of the agent: npx passepartout pair. Then write to it: !pair and the code.',
  nothing: 'Nothing waits for you.',
  waits: (count: number) =>
    count === 1 ? '1 action waits for a yes, on its card:' : `${count} actions wait for a yes, on their cards:`,
  waitsUntil: (sentence: string, id: string, until: string) => `${sentence}\n${id}, until ${until}`,
  reacted: 'A reaction approves nothing. This is the card, whose button decides:',
};

const DE: typeof EN = {
  notPaired:
    'Dieses Gespräch ist nicht (mehr) mit mir gekoppelt, also tun seine Knöpfe nichts. Koppeln: npx passepartout pair',
  answered: 'Diese Frage ist schon beantwortet.',
  notMine: 'Dieser Knopf ist keiner von mir, also tut er nichts.',
  mayNotSee: 'Das Warum darf nur eine freigebende Person sehen.',
  mayNotDecide: 'Das darf nur eine freigebende Person entscheiden: wessen Direktnachricht mit mir gekoppelt ist.',
  over: 'Das ist schon entschieden oder vorbei. Nichts wurde getan.',
  late: 'Das Fenster ging nicht auf. Noch einmal tippen, oder mit Worten entscheiden: !approve und die Kennung der Karte.',
  title: 'Genau das?',
  yes: 'Freigeben',
  no: 'Abbrechen',
  notDone: 'Nicht getan',
  cut: (chars) => `[Es hat ${chars} Zeichen. Alles steht in der Datei neben der Karte.]`,
  unpaired:
    'Nicht gekoppelt. Auf dem Rechner des Agenten: npx passepartout pair. Dann ihm schreiben: !pair und den Code.',
  nothing: 'Nichts wartet auf dich.',
  waits: (count) =>
    count === 1
      ? '1 Aktion wartet auf ein Ja, auf ihrer Karte:'
      : `${count} Aktionen warten auf ein Ja, auf ihren Karten:`,
  waitsUntil: (sentence, id, until) => `${sentence}\n${id}, bis ${until}`,
  reacted: 'Eine Reaktion gibt nichts frei. Das ist die Karte, deren Knopf entscheidet:',
};

export const SLACK_TEXTS: Readonly<Record<Language, typeof EN>> = { en: EN, de: DE };
