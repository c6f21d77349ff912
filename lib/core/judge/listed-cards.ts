/**
 * Calls of one answer that wait for a yes together stand on one card. Which ones, and in which
 * order, follows from the stored approvals alone, whatever became of them since. A button for all
 * of them names the hash of the listed ids and actions, so that it decides exactly what was listed.
 */
import { createHash } from 'node:crypto';
import { type Approval, parseApproval, shortIdOf } from '../approvals/approval.ts';
import { isQuestion } from '../approvals/similar.ts';
import { canonicalJson } from '../base/canonical.ts';
import { utcMinute } from '../base/utc-minute.ts';
import { parseEffect } from '../ledger/ledger.ts';
import type { Effect } from '../signal/decision.ts';
import { approvalKey, signalKeys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { buildCardLines, CARD_WORDS, type Card, type CardEnding, type CardWords, verdictOf } from './card.ts';

/** Calls on one card: each has a number of one digit, and a person reads all of them. */
const LISTED_MAX = 8;
/** Characters of a list with all details, in one Telegram message with room for how each ended. */
const LISTED_CHARS_MAX = 2_600;
/** Actions of an answer that are looked at; one may be several texts. */
const EFFECTS_MAX = 24;

const charsOf = (approval: Approval): number => {
  const { sentence, unusual, rest } = buildCardLines(approval);
  return [sentence, ...unusual, ...rest].join('\n').length;
};

/** Pure. @param approvals of one answer, by number @returns at least two, or none */
export const chooseListed = (approvals: readonly Approval[]): readonly Approval[] => {
  const able = approvals.filter(({ action }) => action.author === 'model' && !isQuestion(action));
  const placeOf = ({ cardChat = '', cardRoute }: Approval): string => `${cardChat} ${canonicalJson(cardRoute ?? null)}`;
  let left = LISTED_CHARS_MAX;
  const listed = able.filter((one) => {
    const chars = charsOf(one);
    if (placeOf(one) !== placeOf(able[0] ?? one) || chars > left) return false;
    left -= chars;
    return true;
  });
  return listed.length < 2 ? [] : listed.slice(0, LISTED_MAX);
};

/** The first 48 bits: all of them were stored before a button names it. */
export const hashOfList = (listed: readonly Approval[]): number =>
  Number.parseInt(
    createHash('sha256')
      .update(`passepartout/listed\n${listed.map(({ id, actionHash }) => `${id} ${actionHash}`).join('\n')}`)
      .digest('hex')
      .slice(0, 12),
    16,
  );

export interface Listed {
  readonly approval: Approval;
  readonly effect: Effect;
}

/** @returns all that stand on the card of this one, by number; none if it has a card of its own */
export const loadListed = async (
  table: Pick<Table, 'load'>,
  { space, signalId, id }: Pick<Approval, 'space' | 'signalId' | 'id'>,
): Promise<readonly Listed[]> => {
  const keys = Array.from({ length: EFFECTS_MAX }, (_, n) => signalKeys.effect(space, signalId, n));
  const effects = (await table.load(keys, { isConsistent: true })).flatMap((item) =>
    item === undefined ? [] : [parseEffect(signalId, item)],
  );
  const asked = effects.flatMap((effect) =>
    effect.approvalId === undefined ? [] : [{ effect, approvalId: effect.approvalId }],
  );
  if (asked.length < 2) return [];
  const items = await table.load(
    asked.map((one) => approvalKey(space, one.approvalId)),
    { isConsistent: true },
  );
  const found = items.flatMap((item, index) => {
    const { effect, approvalId = '' } = asked[index] ?? {};
    const approval = item === undefined ? undefined : parseApproval(approvalId, item);
    return effect === undefined || approval?.signalId !== signalId || approval.n !== effect.n
      ? []
      : [{ approval, effect }];
  });
  const listed = chooseListed(found.map(({ approval }) => approval)).map((one) => one.id);
  return listed.includes(id) ? found.filter(({ approval }) => listed.includes(approval.id)) : [];
};

const ENDED: Partial<Record<Effect['state'], CardEnding>> = {
  done: 'done',
  failed: 'failed',
  unknown: 'unknown',
  refused: 'refused',
};

/** @param now an ending that the table does not have yet */
export const buildListCard = (
  listed: readonly Listed[],
  say: CardWords = CARD_WORDS,
  now?: { readonly id: string; readonly ending: CardEnding | undefined },
): Card => {
  const shown = listed.map(({ approval, effect }, index) => {
    const { sentence, unusual, rest } = buildCardLines(approval, say);
    const ending = approval.id === now?.id ? now.ending : ENDED[effect.state];
    const verdict = approval.state === 'pending' ? [] : [verdictOf(approval, ending, say)];
    return { lines: [`${index + 1}. ${sentence}`, ...unusual, ...verdict], rest: [`${index + 1}.`, ...rest] };
  });
  const open = listed.filter(({ approval }) => approval.state === 'pending').map(({ approval }) => approval);
  const [first] = open;
  return {
    text: [
      say.listed(listed.length, open.length),
      ...shown.flatMap(({ lines }) => lines),
      first === undefined ? say.details() : say.detailsUntil(utcMinute(first.expiresAtMs)),
      ...shown.flatMap(({ rest }) => rest),
      ...open.map(({ id }) => say.hint(shortIdOf(id))),
    ].join('\n'),
  };
};
