/**
 * Loads one decision with everything Act needs to perform it, and checks which of its actions a
 * message names.
 * @throws PipelineError (poison) if there is no signal or no stored decision (I1), or the message
 * names wrong actions
 */

import { PipelineError } from '../../base/errors.ts';
import { policyTextOf } from '../../judge/policy-setting.ts';
import { readKillSwitch } from '../../ledger/kill-switch.ts';
import { parseDecision, parseEffect, parseRecord } from '../../ledger/ledger.ts';
import { readOwnerSettings } from '../../ledger/owner-settings.ts';
import { pairedChatKey } from '../../ledger/paired-chats.ts';
import { parseRun } from '../../ledger/run.ts';
import { parseHead } from '../../ledger/session.ts';
import { commitKeys } from '../../memory/keys.ts';
import { spendKey } from '../../money/day-spend.ts';
import { isText } from '../../signal/action.ts';
import { chatOfSession } from '../../signal/channels.ts';
import type { Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import { isRunId, rootOf, stepOf } from '../../signal/ids.ts';
import { JobRun } from '../../signal/job-run.ts';
import type { ActMessage } from '../../signal/messages.ts';
import type { Signal, SignalState } from '../../signal/signal.ts';
import { approvalKey, jobKeys, mcpKey, runKeys, sessionKey, signalKeys } from '../../store/keys.ts';
import { loadItem, loadNamed, loadRows } from '../../store/load-named.ts';
import { parseStored } from '../../store/parse-stored.ts';
import type { Item, Table } from '../../store/table.ts';
import { findTool } from '../../tools/catalogue.ts';
import { NO_MCP, readMcpCatalogue } from '../../tools/mcp-catalogue.ts';
import { loadSettings } from '../load-settings.ts';
import { FOR_CALLS, STANDING } from '../turn-records.ts';
import type { ActStageDeps, LoadedDecision } from './act-context.ts';

export type NamedAction = ActMessage['actions'][number];

/** Again if something shown was forgotten meanwhile: the decision lost its words then. */
export const loadDecision = async (
  deps: Pick<ActStageDeps, 'table' | 'now' | 'forgetLate'>,
  message: ActMessage,
): Promise<LoadedDecision> => {
  const loaded = await readDecision(deps.table, message, deps.now());
  const { record, decision, commit } = loaded;
  const { memory, seen, forgottenAt } = decision;
  if (memory === undefined || memory.commit >= commit || seen === undefined) return loaded;
  if (forgottenAt !== undefined || !isDecided(record.state)) return loaded;
  const isForgotten = (await deps.forgetLate?.(record.signal, { seen, since: memory.commit })) === true;
  return isForgotten ? readDecision(deps.table, message, deps.now()) : loaded;
};

/** Not acted on yet. Reason leaves the state, and this message says there is a decision. */
export const isDecided = (state: SignalState): boolean => state === 'perceived' || state === 'reasoned';

/** A person approved it, or a runner had it. */
const isTakenUp = ({ approvalId, isHanded }: NamedAction): boolean => approvalId !== undefined || isHanded === true;

/** Only an approval or a runner's end takes up a suspended signal, and no repeat. */
export const isToBeDone = (state: SignalState, message: ActMessage): boolean =>
  isDecided(state) || (state === 'suspended' && message.actions.some(isTakenUp));

/** The signal that began a turn: later ones are the system's, for whoever began it. */
export const loadRoot = async (table: Pick<Table, 'load'>, signal: Signal): Promise<Signal> => {
  if (signal.id === signal.root) return signal;
  const item = await loadItem(table, signalKeys.record(signal.space, signal.root));
  return item === undefined ? signal : parseRecord(signal.root, item).signal;
};

/** Rows of a signal that Act reads: its decision, effects and record, and none of the attempts. */
const OWN_ROWS = ['decision', 'record'] as const;

const readDecision = async (
  table: Pick<Table, 'load' | 'query'>,
  message: ActMessage,
  now: number,
): Promise<LoadedDecision> => {
  const { space, signalId: id, session, actions } = message;
  const chat = chatOfSession(session);
  const approvalIds = actions.flatMap(({ approvalId }) => (approvalId === undefined ? [] : [approvalId]));
  const [own, { killSwitch, owner, policy }, items] = await Promise.all([
    loadRows(table, signalKeys.partition(space, id), OWN_ROWS),
    loadSettings(table, space),
    loadNamed(table, {
      head: sessionKey(space, session),
      standing: STANDING.keys(space),
      spend: spendKey(space, now),
      memoryHead: commitKeys.head(space),
      run: isRunId(id) ? jobKeys.occurrence(space, rootOf(id)) : undefined,
      stepRun: stepOf(id) === undefined ? undefined : runKeys.record(space, rootOf(id)),
      chat: chat === undefined ? undefined : pairedChatKey(space, chat),
      approvals: approvalIds.map((approval) => approvalKey(space, approval)),
    }),
  ]);
  const [record, stored] = [signalKeys.record(space, id), signalKeys.decision(space, id)].map(({ sk }) => own.get(sk));
  if (record === undefined) throw new PipelineError(`there is no signal ${id}`, id, false);
  if (stored === undefined) throw new PipelineError('there is no stored decision: nothing may be performed', id, false);
  const decision = parseDecision(id, stored);
  const named = new Set(actions.map(({ n }) => n));
  const effects = decision.actions.flatMap((_, n): readonly Effect[] => {
    const item = own.get(signalKeys.effect(space, id, n).sk);
    return item === undefined ? [] : [parseEffect(id, item)];
  });
  const { head } = items;
  const { mcp, records } = await loadForTools(table, space, decision);
  return {
    mcp,
    records: { ...records, ...STANDING.read(items.standing) },
    record: parseRecord(id, record),
    decision,
    others: effects.filter(({ n }) => !named.has(n)),
    head: head === undefined ? undefined : parseHead(session, head),
    commit: commitOf(items.memoryHead),
    killSwitch: readKillSwitch(killSwitch),
    policyText: policyTextOf(policy),
    settings: readOwnerSettings(owner),
    spend: items.spend,
    chat: items.chat,
    run: items.run === undefined ? undefined : parseStored(items.run, JobRun),
    stepRun: items.stepRun === undefined ? undefined : parseRun(items.stepRun),
    effects: new Map(effects.filter(({ n }) => named.has(n)).map((effect) => [effect.n, effect])),
    approvals: new Map(
      items.approvals.flatMap((item, n): [string, Item][] =>
        item === undefined ? [] : [[approvalIds[n] ?? '', item]],
      ),
    ),
  };
};

/** Other servers and records of features: a decision of texts alone needs neither. */
const loadForTools = async (
  table: Pick<Table, 'load'>,
  space: string,
  { actions }: Decision,
): Promise<Pick<LoadedDecision, 'mcp' | 'records'>> => {
  if (actions.every(({ action }) => isText(action))) return { mcp: NO_MCP, records: {} };
  const { mcp, records } = await loadNamed(table, { mcp: mcpKey(space), records: FOR_CALLS.keys(space) });
  return { mcp: readMcpCatalogue(mcp), records: FOR_CALLS.read(records) };
};

/** A head that cannot be read may stand anywhere: memory, looked into, says what is wrong. */
const commitOf = (head: Item | undefined): number => {
  if (head === undefined) return 0;
  return typeof head.number === 'number' ? head.number : Number.POSITIVE_INFINITY;
};

/**
 * A message names all actions of the decision, each once, or those that an approval or a runner's
 * end is about. Nothing else was made by this system, and half of a decision must never pass for
 * all of it. Hashes are checked action by action, where a refusal is recorded.
 * @throws PipelineError (poison)
 */
export const checkNamed = ({ signalId, actions }: ActMessage, decision: Pick<Decision, 'actions'>): void => {
  const problem = findProblem(actions, decision.actions.length);
  if (problem !== undefined) throw new PipelineError(problem, signalId, false);
};

const findProblem = (actions: readonly NamedAction[], count: number): string | undefined => {
  const named = new Set(actions.map(({ n }) => n));
  const unknown = [...named].find((n) => n < 0 || n >= count);
  if (unknown !== undefined) return `the decision has no action ${unknown}`;
  if (named.size !== actions.length) return 'the message names an action twice';
  if (named.size === 0) return 'the message names no action';
  const isWhole = named.size === count || actions.every(isTakenUp);
  return isWhole ? undefined : 'the message names only some actions of the decision';
};

/** Reads the space's own records or nothing at all, and may be repeated. */
const isIndependentRead = ({ action, outcome }: JudgedAction): boolean => {
  if (action.target !== 'tool' || outcome !== 'pass') return false;
  const tool = findTool(action.tool ?? '');
  const isOurs = tool?.outputOrigin === 'objects' || tool?.outputOrigin === 'clean';
  return isOurs && tool.kind === 'read' && tool.tier === 'allow';
};

/**
 * Groups the actions that may be performed at the same time: neighbours that only read what is ours
 * and that nobody is asked about. Every other action is alone in its place, so that a read after a
 * write sees what was written.
 */
export const groupReads = (
  actions: readonly NamedAction[],
  decision: Pick<Decision, 'actions'>,
): readonly NamedAction[][] => {
  const groups: NamedAction[][] = [];
  let isOpen = false;
  for (const named of actions) {
    const judged = decision.actions[named.n];
    const isRead = judged !== undefined && named.approvalId === undefined && isIndependentRead(judged);
    const last = groups.at(-1);
    if (isRead && isOpen && last !== undefined) last.push(named);
    else groups.push([named]);
    isOpen = isRead;
  }
  return groups;
};
