/** Changes that can be taken back, in English, the typed source. Pure. */
import { textTable } from '../../core/base/language.ts';
import { actionSentence, type NamedAction } from '../../core/tools/action-sentence.ts';

export const EN = {
  sentence: (action: NamedAction): string => actionSentence(action),
  set: (field: string, value: string) => `Set ${field} to ${value === '' ? 'nothing' : `“${value}”`}`,
  granted: (sentence: string) => `Allow again without asking: ${sentence}`,
  revoked: (id: string) => `Take the grant ${id} back`,
  /** Only a person can take back what this tool did. @param how as the verb's row says it */
  byHand: (_tool: string, how: string): string => how,
};
export type UndoTexts = typeof EN;

export const undoTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
