/** The sentences of answers in German. */
import type { ResponseTexts } from './texts.ts';

export const DE: ResponseTexts = {
  waits: (page, id) =>
    `Das wartet auf ein Ja, das nur auf der Seite, in einem Chat des Besitzers oder im Terminal zählt: ${page} (${id}).`,
  atWork: (id) => `Ich arbeite noch daran (${id}). Auf eine spätere Frage sage ich, was daraus wurde.`,
  ended: {
    done: 'Erledigt.',
    failed: 'Es ist misslungen.',
    refused: 'Es wurde abgelehnt.',
    unknown: 'Was daraus wurde, ist nicht bekannt.',
  },
};
