/**
 * Changes an approval's card once the approval is decided, expired or spent: its buttons go, and a line says what happened,
 * by whom and when. The change is an action with a decision like any other, made once for each state, also when repeated.
 * Gives nothing where no card was shown in a channel that can change one, or where nobody knows which message it is.
 */
import * as z from 'zod/mini';
import type { Approval } from '../approvals/approval.ts';
import type { CardEnding } from '../approvals/card.ts';
import { parseEffect } from '../ledger/effects.ts';
import { parseRecord } from '../ledger/ledger.ts';
import { childId } from '../signal/ids.ts';
import type { Signal } from '../signal/signal.ts';
import { signalKeys } from '../store/keys.ts';
import { loadNamed } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { notices } from './notices.ts';
import { type NoticeContext, saveNotice } from './notify.ts';

const Shown = z.object({ messageIds: z.array(z.int()) });

/** Message the card is; undefined while it is not known. */
const cardMessage = (output: string | undefined): number | undefined => {
  try {
    const parsed = Shown.safeParse(JSON.parse(output ?? ''));
    return parsed.success ? parsed.data.messageIds.at(-1) : undefined;
  } catch {
    return undefined;
  }
};

/** Suffix of the signal a card travels as. */
export const cardSuffix = (n: number): string => `card-${n}`;

/** @returns the notice's signal, to be published. */
export const saveCardUpdate = async (
  table: Pick<Table, 'load' | 'put'>,
  context: NoticeContext,
  approval: Approval,
  ending?: CardEnding,
): Promise<Signal | undefined> => {
  const { space, signalId, n } = approval;
  const cardId = childId(signalId, cardSuffix(n));
  const items = await loadNamed(table, {
    record: signalKeys.record(space, signalId),
    cardEffect: signalKeys.effect(space, cardId, 0),
  });
  if (items.record === undefined || items.cardEffect === undefined) return undefined;
  const { signal } = parseRecord(signalId, items.record);
  const route = approval.cardRoute ?? signal.reply;
  const message = route.target === 'telegram' ? cardMessage(parseEffect(cardId, items.cardEffect).output) : undefined;
  if (message === undefined) return undefined;
  const step = ending === undefined ? approval.state : 'spent';
  const notice = { ...notices.cardUpdate(approval, message, ending), route };
  return (await saveNotice(table, context, signal, `c${n}-${step}`, notice)).signal;
};
