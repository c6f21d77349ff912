/** The answers about receipts in German; `texts.ts` has the names and values. */
import type { ReceiptTexts } from './texts.ts';

export const DE: ReceiptTexts = {
  noDeed: 'in diesem Gespräch wurde zuletzt nichts getan',
  proof: (deed) => `Ein Beleg dafür, für andere: /receipt ${deed}`,
  notInLog: (name) => `Das Protokoll enthält ${name} noch nicht: in einer Minute noch einmal fragen.`,
  receiptOf: (name) => `Der Beleg für ${name}: Unter Entscheidungen sichert ihn der Knopf Beleg neben der Wirkung.`,
  aboutProof: (id) => `Ein Beleg über ${id} für Fremde?`,
};
