/** The answers about receipts in English, the typed source. Pure. */
import { textTable } from '../../core/base/language.ts';

export const EN = {
  noDeed: 'nothing was done in this conversation lately',
  proof: (deed: string) => `Proof of it for somebody else: /receipt ${deed}`,
  notInLog: (name: string) => `The evidence log does not hold ${name} yet: ask again in a minute.`,
  receiptOf: (name: string) => `The receipt of ${name}: in Decisions, the button Receipt beside its effect saves it.`,
  aboutProof: (id: string) => `A proof of ${id} for somebody else?`,
};
export type ReceiptTexts = typeof EN;

export const receiptTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
