/** The file of a card that is too long for one message, made anew from the stored approval. */
import { parseApproval } from '../approvals/approval.ts';
import type { Language } from '../base/language.ts';
import { buildCard, cardWords } from '../judge/card.ts';
import { approvalKey } from '../store/keys.ts';
import { loadItem } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';

/** @returns undefined if there is no such approval, or its card fits one message */
export const loadCardFile = async (
  table: Pick<Table, 'load'>,
  space: string,
  id: string,
  language: Language,
): Promise<string | undefined> => {
  const item = await loadItem(table, approvalKey(space, id));
  return item === undefined ? undefined : buildCard(parseApproval(id, item), await cardWords.in(language)).file;
};
