/** The answers to the verbs of subtrees in English, the typed source. Pure. */
import { textTable } from '../../core/base/language.ts';

export const EN = {
  asked: (name: string) =>
    `The model looks at ${name} and the notes below it. Its proposal comes as a card; nothing changes without your yes.`,
  isPrivate: 'the note is marked private, so no model is shown it',
  nothingBelow: 'no note below it may be shown to a model',
  tooMany: (count: number, most: number) =>
    `it has ${count} notes below it, and ${most} can be looked at together: name a note further below`,
};
export type OutlineTexts = typeof EN;

export const outlineTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
