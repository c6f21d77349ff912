/**
 * The language of the command line: that of the terminal (LC_ALL, LC_MESSAGES, LANG), or the one
 * that `/language` chose, which the stack names with each answer. Only the terminal says sentences
 * in it; programs read English JSON.
 */
import { type Language, spokenLanguage, textTable, USUAL_LANGUAGE } from '../../lib/core/base/language.ts';
import type { Variables } from './stack.ts';

const sentences = textTable((text: string): string => text, {
  de: async () => (await import('./sentences-german.ts')).inGerman,
});

export interface Speech {
  /** A text of the command line, line by line; what it does not know stays. */
  readonly say: (text: string) => string;
  /** The language of `say`, for texts that come from a table. */
  readonly language: () => Language;
  /** The header `accept-language`; undefined if the stack's own choice counts. */
  readonly asks: Language | undefined;
  /** @param language of an answer of the stack */
  readonly hear: (language: string) => Promise<void>;
}

/** `de_DE.UTF-8` */
const terminalLanguage = ({ LC_ALL, LC_MESSAGES, LANG }: Variables): Language | undefined =>
  spokenLanguage((LC_ALL || LC_MESSAGES || LANG || '').split(/[.@]/)[0]?.replace('_', '-') ?? '');

/** @param isJson for programs */
export const openSpeech = async (env: Variables, isJson = false): Promise<Speech> => {
  const own = isJson ? USUAL_LANGUAGE : terminalLanguage(env);
  const isFixed = isJson || (own !== undefined && own !== USUAL_LANGUAGE);
  let language: Language = own ?? USUAL_LANGUAGE;
  let say = await sentences.in(language);
  return {
    say: (text) => say(text),
    language: () => language,
    asks: isFixed ? own : undefined,
    hear: async (tag) => {
      const heard = spokenLanguage(tag);
      if (isFixed || heard === undefined) return;
      language = heard;
      say = await sentences.in(heard);
    },
  };
};
