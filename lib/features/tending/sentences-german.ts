/** The sentences of the tools in German, as `tools.ts` has them in English. */
import type { Json } from '../../core/base/json.ts';
import { quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

const count = (value: Json | undefined, one: string, many: string): string => {
  const n = Array.isArray(value) ? value.length : 0;
  return `${n} ${n === 1 ? one : many}`;
};

export const TENDING_SENTENCES: Readonly<Record<string, Sentence>> = {
  'gather-turns': () => 'Die Gespräche seit dem letzten Mal sammeln',
  'keep-insight': ({ text: words, notes }) =>
    `Den Gedanken ${quoted(words)} behalten, aus ${count(notes, 'Notiz', 'Notizen')}`,
  'keep-notes': ({ turns }) => `Notizen zu ${count(turns, 'Nachricht', 'Nachrichten')} behalten`,
  'mend-memory': ({ mends }) => `Das Gedächtnis mit ${count(mends, 'Änderung', 'Änderungen')} aufräumen`,
  'pick-notes': () => 'Einige Notizen zum Nachdenken heraussuchen',
  'tend-memory': () => 'Im Gedächtnis nach etwas suchen, das sich aufräumen lässt',
};
