/**
 * Answers from the manual: to the model the passages that fit with the titles of all pages, so that
 * it can ask again by one of them; to a person the passages alone. All of it is the product's own
 * words.
 */
import type { Language } from '../../core/base/language.ts';
import { loadManual } from './load-manual.ts';
import type { Passage } from './manual.ts';
import { type ManualIndex, searchManual } from './search-manual.ts';
import { manualTexts } from './texts.ts';

const linesOf = ({ title, text, german, see }: Passage, language: Language): readonly string[] => {
  const shown = language === 'de' && german !== undefined ? german : { title, text };
  return [`${shown.title} (${see})`, ...shown.text.split('\n').map((line) => `  ${line}`)];
};

const titlesOf = ({ shown }: ManualIndex): string =>
  shown.passages.flatMap(({ kind, title }) => (kind === 'page' ? [title] : [])).join('; ');

export const recallManual = async (query: string): Promise<string> => {
  const index = await loadManual();
  const found = searchManual(index, query).map((passage) => linesOf(passage, 'en').join('\n'));
  const pages = `Pages, to ask for by title: ${titlesOf(index)}.`;
  return [...(found.length === 0 ? ['No passage of the manual has any of these words.'] : found), pages].join('\n\n');
};

/** Lines for `/help <words>`; empty if no passage fits. */
export const findHelp = async (words: string, language: Language): Promise<readonly string[]> => {
  const found = searchManual(await loadManual(), words);
  const say = await manualTexts.in(language);
  return found.length === 0 ? [] : [say.found, ...found.flatMap((passage) => ['', ...linesOf(passage, language)])];
};
