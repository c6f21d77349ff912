/** The answers to the verbs of subtrees in German. */
import type { OutlineTexts } from './texts.ts';

export const DE: OutlineTexts = {
  asked: (name) =>
    `Das Modell sieht sich ${name} und die Notizen darunter an. Sein Vorschlag kommt als Karte; ohne ein Ja ändert sich nichts.`,
  isPrivate: 'die Notiz ist als privat markiert, also wird sie keinem Modell gezeigt',
  nothingBelow: 'darunter ist keine Notiz, die einem Modell gezeigt werden darf',
  tooMany: (count, most) =>
    `darunter sind ${count} Notizen, und ${most} können zusammen angesehen werden: eine Notiz weiter unten nennen`,
};
