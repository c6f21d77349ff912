/** Values inside a German sentence, as `quoted.ts` has them for an English one. Pure. */
import { fieldsWords, named, quoted } from './quoted.ts';

/** „…“ */
const germanQuotes = (words: string): string =>
  words.replaceAll(/“([^“”]*)”(?: \((\d+) characters\))?/g, (_, text: string, chars?: string) =>
    chars === undefined ? `„${text}“` : `„${text}“ (${chars} Zeichen)`,
  );

export const quotedInGerman = (value: unknown): string => germanQuotes(quoted(value));
export const namedInGerman = (name: string): string => germanQuotes(named(name));
export const fieldsInGerman = (fields: Readonly<Record<string, unknown>>): string =>
  germanQuotes(fieldsWords(fields)).replace(/(\d+) more$/, '$1 weitere');
