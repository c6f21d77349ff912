/**
 * Sends texts that code wrote. Each is an action with a stored decision like any other (I1).
 * `buildNoticeDecision` answers the signal itself (a command's answer, a refusal); `saveNotice`
 * makes a signal of its own (a card, a report).
 */
import { SWEEP_BACKOFF_MS } from '../base/limits.ts';
import type { GateSet } from '../gates/engine/verify.ts';
import { saveDecidedSignal } from '../ledger/ledger.ts';
import { languageOf, type OwnerSettings, ownerSettingsKey, readOwnerSettings } from '../ledger/owner-settings.ts';
import { buildRecordItem } from '../ledger/record.ts';
import type { Decision } from '../signal/decision.ts';
import { buildChild, type Signal } from '../signal/signal.ts';
import { loadItem } from '../store/load-named.ts';
import type { Table } from '../store/table.ts';
import { baseFacts } from './base-facts.ts';
import { decideByCode } from './judge.ts';
import { buildNoticeAction, inLanguage, type Notice } from './notices.ts';
import { NO_POLICY } from './space-policy.ts';

export interface NoticeContext {
  readonly gateSet: GateSet;
  readonly now: number;
  /** Of the owner: they hold each chat's language. `saveNotice` reads them if they are absent. */
  readonly settings?: OwnerSettings | undefined;
}

/** Decides that a signal ends with these notices; one without a route goes to the asker. */
export const buildNoticeDecision = async (
  { gateSet, now, settings }: NoticeContext & { readonly settings: OwnerSettings | undefined },
  { id, space, reply }: Pick<Signal, 'id' | 'space' | 'reply'>,
  outcome: Decision['outcome'],
  reason: string,
  list: readonly Notice[],
): Promise<Decision> =>
  decideByCode(
    gateSet,
    { signalId: id, outcome, reason },
    await Promise.all(
      list.map(async (notice) => {
        const route = notice.route ?? reply;
        return buildNoticeAction(await inLanguage(notice, languageOf(settings, route)), route);
      }),
    ),
    baseFacts(
      { stage: 'reason', now, space, setup: { gateSet }, policy: NO_POLICY, settings: undefined },
      { reply, origin: 'agent' },
    ),
  );

/** Undefined if this release cannot read them: a notice is sent all the same. */
const loadSettings = async (table: Pick<Table, 'load'>, space: string): Promise<OwnerSettings | undefined> =>
  readOwnerSettings(await loadItem(table, ownerSettingsKey(space)));

/** The signal a notice travels as: a child that takes no turn. */
export const buildNoticeSignal = (parent: Signal, suffix: string, template: string, now: number): Signal => ({
  ...buildChild(parent, suffix, { sensor: 'notice', template }, now),
  type: 'RESPONSE',
  // A notice adds no step: it must reach the person even at the end of the longest chain.
  depth: parent.depth,
});

/** Stores a notice as a decided signal; the caller publishes it. Repeating it changes nothing. */
export const saveNotice = async (
  table: Pick<Table, 'load' | 'put'>,
  context: NoticeContext,
  parent: Signal,
  suffix: string,
  notice: Notice,
  reason = '',
): Promise<{ signal: Signal; decision: Decision }> => {
  const signal = buildNoticeSignal(parent, suffix, notice.template, context.now);
  const settings = context.settings ?? (await loadSettings(table, parent.space));
  const built = await buildNoticeDecision({ ...context, settings }, signal, 'act', reason, [notice]);
  const item = buildRecordItem(signal, 'reasoned', context.now + SWEEP_BACKOFF_MS[0]);
  return { signal, decision: await saveDecidedSignal(table, signal, item, built) };
};
