/** The sentences that end an answer without the agent's own words. */
import { textTable } from '../../core/base/language.ts';

const EN = {
  waits: (page: string, id: string) =>
    `This waits for your yes, which counts on the page alone, or in a chat or terminal of yours: ${page} (${id}).`,
  atWork: (id: string) => `I am still at work (${id}). Ask again later, and I say what became of it.`,
  ended: {
    done: 'Done.',
    failed: 'It failed.',
    refused: 'It was refused.',
    unknown: 'What became of it is not known.',
  },
};
export type ResponseTexts = typeof EN;

export const responseTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
