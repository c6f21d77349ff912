/**
 * The modal behind a card's yes: it shows the exact bytes, and only its own button decides. Words
 * stand in it as plain text, which Slack shows as they are.
 */
import type { Approval } from '../../core/approvals/approval.ts';
import { parseApproval } from '../../core/approvals/approval.ts';
import { type Language, USUAL_LANGUAGE } from '../../core/base/language.ts';
import { buildCard, cardWords } from '../../core/judge/card.ts';
import { hashOfList, loadListed } from '../../core/judge/listed-cards.ts';
import { chatOf } from '../../core/signal/channels.ts';
import type { Payload } from '../../core/signal/signal.ts';
import { approvalKey } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import { DECIDE, type ModalData } from './parse-payload.ts';
import { BLOCK_CHARS_MAX, type Block, sections } from './rich-text.ts';
import { SLACK_TEXTS } from './texts.ts';

/** Of all: Slack takes 100 blocks. A longer card is a file beside its message. */
const MODAL_CHARS_MAX = 30 * BLOCK_CHARS_MAX;

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });

/** A sentence in place of a modal that decides. */
export const noteModal = (text: string, language: Language = USUAL_LANGUAGE): Block => ({
  type: 'modal',
  title: plain(SLACK_TEXTS[language].notDone),
  blocks: sections(text),
});

type Wanted = Extract<Payload, { sensor: 'approval-decision' }>;

/** The approvals that a yes decides, if they wait and this conversation shows their cards. */
const loadDecided = async (
  table: Pick<Table, 'load'>,
  space: string,
  { approvalId: id, decision, choice }: Wanted,
  chat: string,
): Promise<readonly Approval[]> => {
  const item = await loadItem(table, approvalKey(space, id));
  if (item === undefined) return [];
  const one = parseApproval(id, item);
  const isOfList = decision === 'approve' && choice !== undefined;
  const all = isOfList ? (await loadListed(table, one)).map(({ approval }) => approval) : [one];
  if (isOfList && hashOfList(all) !== choice.at) return [];
  return all.filter(({ cardChat, state }) => state === 'pending' && cardChat === chat);
};

/** @returns undefined if nothing waits for this yes here */
export const loadModal = async (
  table: Pick<Table, 'load'>,
  space: string,
  wanted: Wanted,
  modal: ModalData,
  language: Language = USUAL_LANGUAGE,
): Promise<(Block & { readonly blocks: readonly Block[] }) | undefined> => {
  const decided = await loadDecided(table, space, wanted, chatOf({ target: 'slack', to: modal.to }));
  if (decided.length === 0) return undefined;
  const say = await cardWords.in(language);
  const { title, yes, no, cut } = SLACK_TEXTS[language];
  const text = decided
    .map((approval) => {
      const { text: card, file = card } = buildCard(approval, say);
      const hash = say.actionHash(approval.actionHash);
      return file.includes(hash) ? file : `${file}\n${hash}`;
    })
    .join('\n\n');
  const shown = text.length <= MODAL_CHARS_MAX ? text : `${text.slice(0, MODAL_CHARS_MAX)}\n${cut(text.length)}`;
  return {
    type: 'modal',
    callback_id: DECIDE,
    private_metadata: JSON.stringify(modal),
    ...{ title: plain(title), submit: plain(yes), close: plain(no) },
    blocks: sections(shown),
  };
};
