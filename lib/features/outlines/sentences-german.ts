/** The sentences of the tools of subtrees in German, as `tools.ts` has them in English. */
import { MEMORY_ID_SHOWN_CHARS } from '../../core/base/limits.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

const short = (id: unknown): string => String(id).slice(0, MEMORY_ID_SHOWN_CHARS);

export const OUTLINE_SENTENCES: Readonly<Record<string, Sentence>> = {
  'read-notes': ({ id }) => `Die Notiz ${short(id)} und die darunter lesen`,
  'arrange-notes': ({ note, outline, links }) => {
    if (outline !== undefined) return `Die Notizen unter ${short(note)} ordnen`;
    return links === undefined
      ? `Eine Zusammenfassung zu ${short(note)} legen`
      : `Die Notizen von ${short(note)} verknüpfen`;
  },
};
