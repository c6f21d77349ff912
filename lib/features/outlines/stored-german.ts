/** Stored sentences of subtrees in German: cards, outputs and faults. */
import type { SentencePair } from '../../core/language/sentence-speaker.ts';

export const OUTLINE_STORED: readonly SentencePair[] = [
  ['Below: {1}', 'Unter: {1}'],
  ['Added: {1}, moved: {2}, changed: {3}, removed: {4}', 'Neu: {1}, verschoben: {2}, geändert: {3}, entfernt: {4}'],
  ['In another order: the notes below {1}', 'In anderer Reihenfolge: die Notizen unter {1}'],
  ['The notes then, in this order:', 'Die Notizen danach, in dieser Reihenfolge:'],
  ['{1} new heading: {2}', '{1} neue Überschrift: {2}'],
  ['{1} {2}, moved from below {3}', '{1} {2}, vorher unter {3}'],
  ['New first note: {1}', 'Neue erste Notiz: {1}'],
  ['New link: {1} → {2}', 'Neuer Verweis: {1} → {2}'],
  ['The note is not there any more: this will be refused.', 'Die Notiz gibt es nicht mehr: Das wird abgelehnt.'],
  [
    'The notes have changed since: this will be refused.',
    'Die Notizen haben sich seither geändert: Das wird abgelehnt.',
  ],
  [
    'Done, as commit {1} of {2} notes. To take it back: /undo',
    'Getan, als Stand {1} von {2} Notizen. Zum Zurücknehmen: /undo',
  ],
  ['Nothing changed: the notes stand so already.', 'Nichts geändert: Die Notizen stehen schon so da.'],
  [
    'the notes have changed since they were read: read them and propose it again',
    'die Notizen haben sich geändert, seit sie gelesen wurden: lesen und neu vorschlagen',
  ],
  [
    'it has {1} notes below it, and {2} can be looked at together: name a note further below',
    'darunter sind {1} Notizen, und {2} können zusammen angesehen werden: eine Notiz weiter unten nennen',
  ],
  ['note must be the id of a note that there is', 'note muss die Kennung einer Notiz sein, die es gibt'],
  ['memory has no note {1}', 'im Gedächtnis ist keine Notiz {1}'],
  ['outline[{1}] must have either an id or a title', 'outline[{1}] braucht entweder eine Kennung oder einen Titel'],
  [
    'outline[{1}] has level {2}, which is more than one below the line before',
    'outline[{1}] hat die Ebene {2}, mehr als eine unter der Zeile davor',
  ],
  ['the outline has a note twice: {1}', 'die Gliederung hat eine Notiz zweimal: {1}'],
  ['the outline leaves out {1}; every note must stay', 'die Gliederung lässt {1} weg; jede Notiz muss bleiben'],
  ['these are no notes below it: {1}', 'das sind keine Notizen darunter: {1}'],
  ['links[{1}].from is no note of this subtree', 'links[{1}].from ist keine dieser Notizen'],
  ['links[{1}].to is no note that there is', 'links[{1}].to ist keine Notiz, die es gibt'],
  ['links[{1}] links a note to itself', 'links[{1}] verweist von einer Notiz auf sie selbst'],
  ['a note has at most {1} links', 'eine Notiz hat höchstens {1} Verweise'],
  ['give one of outline, summary and links', 'eines von outline, summary und links angeben'],
];
