/** The sentence of the tool in German, as `tools.ts` has it in English. */
import { MEMORY_ID_SHOWN_CHARS } from '../../core/base/limits.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

const furtherWords = (count: number): string =>
  count === 0 ? '' : `, und ${count} weitere ${count === 1 ? 'Nachricht' : 'Nachrichten'}`;

export const FORGETTING_SENTENCES: Readonly<Record<string, Sentence>> = {
  forget: ({ id, signals }) =>
    `Die Notiz ${String(id).slice(0, MEMORY_ID_SHOWN_CHARS)} endgültig löschen, mit jeder Erwähnung${furtherWords(Array.isArray(signals) ? signals.length : 0)}`,
};
