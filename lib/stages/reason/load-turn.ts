/**
 * Everything Reason needs to know about a signal, in one consistent read: its record, what earlier deliveries stored, the
 * chain of signals that led to it, the session's ended turns, the kill switch, the day's spending, where memory and its log stand.
 * A second read only where messages wait or an attempt was rejected.
 */

import { grantsInForce } from '../../approvals/grants-in-force.ts';
import { PipelineError } from '../../base/errors.ts';
import { ATTEMPTS_MAX, CONSENSUS_PROVIDERS_MAX } from '../../base/limits.ts';
import { toolAccess } from '../../gates/rules/access-table.ts';
import { isAccepted } from '../../judge/judge.ts';
import { policyKey, policyTextOf } from '../../judge/policy/policy-setting.ts';
import { isStoppedFor, KillSwitch, killSwitchKey } from '../../ledger/kill-switch.ts';
import { parseDecision, parseRecord } from '../../ledger/ledger.ts';
import { chatMemoryOf, type OwnerSettings, ownerSettingsKey, readOwnerSettings } from '../../ledger/owner-settings.ts';
import { parseStored, type SessionHead, type SignalRecord } from '../../ledger/record.ts';
import { parseHead } from '../../ledger/session.ts';
import type { Tier } from '../../llm/provider-table.ts';
import { commitKeys, memoryKeys } from '../../memory/keys.ts';
import { spendKey } from '../../money/day-spend.ts';
import type { HistoryTurn, TurnStep } from '../../prompt/prompt-input.ts';
import { type Asker, askerOf, type ChatMemory, isOwnerSpeaking } from '../../signal/asker.ts';
import { Attempt, type Decision } from '../../signal/decision.ts';
import { chainOf } from '../../signal/ids.ts';
import type { ReasonMessage } from '../../signal/messages.ts';
import { joinOrigins, type Payload, type TextPiece } from '../../signal/signal.ts';
import { logKeys, mcpKey, sessionKey, signalKeys } from '../../store/keys.ts';
import { loadNamed } from '../../store/load-named.ts';
import type { Item, Table } from '../../store/table.ts';
import { type McpCatalogue, readMcpCatalogue } from '../../tools/mcp/catalogue.ts';
import type { Spending } from '../spending.ts';
import { buildSpending } from '../spending.ts';

export interface LoadedTurn {
  readonly record: SignalRecord;
  readonly decision: Decision | undefined;
  readonly attempts: readonly Attempt[];
  readonly head: SessionHead | undefined;
  /** The kill switch is on, or was while the signal waited for a model. */
  readonly isStopped: boolean;
  /** Who began the turn. */
  readonly asker: Asker;
  /** How the chat that is answered stands to memory. */
  readonly chatMemory: ChatMemory;
  /** An earlier step of the turn was shown something of memory, or of another server. */
  readonly wasMemoryShown: boolean;
  /** The owner's policy; empty when there is none. */
  readonly policyText: string;
  readonly steps: readonly TurnStep[];
  readonly history: readonly HistoryTurn[];
  /** The summary of what was before them, as `readSummary` takes it. */
  readonly summaryItem: Item | undefined;
  /** Ledger events of the session, oldest first, as codes. */
  readonly logs: readonly string[];
  readonly mailbox: readonly (readonly TextPiece[])[];
  /** What started the turn, and its record. */
  readonly rootPayload: Payload;
  readonly rootRecord: SignalRecord;
  /** Says where memory stands; absent while it is empty. Unparsed: memory that cannot be read ends no conversation. */
  readonly memoryHead: Item | undefined;
  /** Says where the evidence log stands; absent while there is none. Unparsed, as memory's. */
  readonly logHead: Item | undefined;
  /** MCP servers and their tools. */
  readonly mcp: McpCatalogue;
  /** What the owner set of identity and skills; undefined where it cannot be read. */
  readonly settings: OwnerSettings | undefined;
  /** Standing yeses in force. */
  readonly grantsInForce: number;
  /** Tier of the decision that led to this signal. */
  readonly tierBefore: Tier | undefined;
  /** Where this day's spending stands, and whose account this turn is on. */
  readonly spending: Spending;
}

const stripKey = (item: Item): Item => {
  const { pk: _pk, sk: _sk, ...rest } = item;
  return rest;
};

/** Text of a payload as the model sees it; results come as a step of their own. */
export const piecesOf = (payload: Payload): readonly TextPiece[] => {
  switch (payload.sensor) {
    case 'user-input':
    case 'chat-message':
    case 'webhook':
    case 'job-due':
      return payload.text;
    case 'command':
      return [{ text: `/${payload.name} ${payload.rest}`.trim(), origin: 'outside' }];
    case 'loop-error':
      return [
        {
          text: `Working on this failed in stage ${payload.stage}: ${payload.message}. Say plainly what this means for the person; do not repeat what was already done.`,
          origin: 'agent',
        },
      ];
    default:
      return [];
  }
};

const stepsOf = (record: SignalRecord, decision: Decision | undefined): readonly TurnStep[] => {
  const { payload } = record.signal;
  const results = 'results' in payload ? payload.results : [];
  const pieces = piecesOf(payload);
  const proposal = decision?.attempt?.proposal;
  return [
    ...(pieces.length > 0 ? [{ kind: 'input', pieces } as const] : []),
    ...(results.length > 0 ? [{ kind: 'results', results } as const] : []),
    ...(proposal === undefined
      ? []
      : [
          {
            kind: 'answer',
            text: proposal.text,
            calls: proposal.calls,
            origin: joinOrigins(decision?.actions.flatMap((judged) => judged.facts.map((facts) => facts.origin)) ?? []),
          } as const,
        ]),
  ];
};

const historyOf = (record: SignalRecord): HistoryTurn => ({
  user: piecesOf(record.signal.payload),
  agent: record.replies ?? [],
  tools: record.toolCalls ?? [],
});

/** @throws PipelineError (poison) when the signal is not stored. */
export const loadTurn = async (
  table: Pick<Table, 'load'>,
  message: ReasonMessage,
  now: number,
): Promise<LoadedTurn> => {
  const { space, signalId: id } = message;
  const chain = chainOf(id).slice(0, -1);
  const recent = message.recent.filter((root) => root !== chainOf(id)[0]);
  const items = await loadNamed(table, {
    record: signalKeys.record(space, id),
    decision: signalKeys.decision(space, id),
    head: sessionKey(space, message.session),
    killSwitch: killSwitchKey(space),
    firstAttempt: signalKeys.attempt(space, id, 1),
    chainRecords: chain.map((ancestor) => signalKeys.record(space, ancestor)),
    chainDecisions: chain.map((ancestor) => signalKeys.decision(space, ancestor)),
    past: recent.map((root) => signalKeys.record(space, root)),
    summary: message.summary === undefined ? undefined : memoryKeys.object(space, message.summary),
    policy: policyKey(space),
    spend: spendKey(space, now),
    memory: commitKeys.head(space),
    log: logKeys.head(space),
    mcp: mcpKey(space),
    owner: ownerSettingsKey(space),
  });
  if (items.record === undefined) throw new PipelineError(`there is no signal ${id}`, id, false);
  const record = parseRecord(id, items.record);
  const decision = items.decision === undefined ? undefined : parseDecision(id, items.decision);
  const before = chain.map((ancestor, index) => {
    const item = items.chainRecords[index];
    const decided = items.chainDecisions[index];
    return {
      record: item === undefined ? undefined : parseRecord(ancestor, item),
      decision: decided === undefined ? undefined : parseDecision(ancestor, decided),
    };
  });
  const ancestors = before.flatMap((one): readonly TurnStep[] =>
    one.record === undefined ? [] : stepsOf(one.record, one.decision),
  );
  const ended = items.past
    .flatMap((item, index) => (item === undefined ? [] : [parseRecord(recent[index] ?? '', item)]))
    .filter(({ signal }) => signal.session === message.session && isNamed(record.signal.payload, signal.id));
  const head = items.head === undefined ? undefined : parseHead(message.session, items.head);
  const attempts = await loadAttempts(table, space, id, items.firstAttempt);
  const rootRecord = before[0]?.record ?? record;
  // A root that is gone counts as nobody's.
  const asker = chain.length > 0 && before[0]?.record === undefined ? 'system' : askerOf(rootRecord.signal);
  const settings = readOwnerSettings(items.owner);
  const chatMemory = chatMemoryOf(record.signal.reply, settings);
  const rootPayload = rootRecord.signal.payload;
  return {
    record,
    decision,
    attempts,
    head,
    isStopped: isStoppedFor(
      items.killSwitch === undefined ? undefined : parseStored('setting kill-switch', items.killSwitch, KillSwitch),
      record.modelWait?.since ?? Number.POSITIVE_INFINITY,
    ),
    asker,
    chatMemory,
    wasMemoryShown:
      [record, ...before.flatMap((one) => one.record ?? [])].some(hasPrivateResults) ||
      before.some((one) => (one.decision?.seen?.length ?? 0) > 0),
    policyText: policyTextOf(items.policy),
    steps: [...ancestors, ...stepsOf(record, undefined)],
    history: ended.map(historyOf),
    summaryItem: items.summary,
    logs: ended.map(({ signal, state }) => `${signal.id} ${state}`),
    mailbox: await loadMailbox(table, space, head?.mailbox ?? [], asker),
    rootPayload,
    rootRecord,
    memoryHead: items.memory,
    logHead: items.log,
    mcp: readMcpCatalogue(items.mcp),
    settings,
    grantsInForce: grantsInForce(items.owner, now),
    tierBefore: before.at(-1)?.decision?.attempt?.tier,
    spending: buildSpending(record.signal, rootRecord.signal, {
      item: items.spend,
      head,
      ancestors: before.flatMap((one) => (one.decision === undefined ? [] : [one.decision])),
      attempts,
    }),
  };
};

/** A message may be altered on its way: a summary is of the turns its signal names, and of no others. */
const isNamed = (payload: Payload, root: string): boolean =>
  payload.sensor !== 'session-summary' || payload.turns.includes(root);

/** Outputs of tools that read only where a chat is named for it. */
const hasPrivateResults = ({ signal: { payload } }: SignalRecord): boolean =>
  'results' in payload && payload.results.some(({ tool = '' }) => toolAccess(tool)?.where === 'named');

/** Later attempts only where there is a first, and votes where one was accepted: asking for what is not there costs as much as reading it. */
const loadAttempts = async (
  table: Pick<Table, 'load'>,
  space: string,
  id: string,
  first: Item | undefined,
): Promise<readonly Attempt[]> => {
  if (first === undefined) return [];
  const load = async (numbers: readonly number[]): Promise<readonly (Item | undefined)[]> =>
    table.load(
      numbers.map((n) => signalKeys.attempt(space, id, n)),
      { isConsistent: true },
    );
  const parse = (items: readonly (Item | undefined)[]): readonly Attempt[] =>
    items.flatMap((item) => (item === undefined ? [] : [parseStored(`attempt of ${id}`, stripKey(item), Attempt)]));
  const own = parse([first, ...(await load([2, ATTEMPTS_MAX]))]);
  const votes = Array.from({ length: CONSENSUS_PROVIDERS_MAX - 1 }, (_, index) => ATTEMPTS_MAX + index + 1);
  return own.some(isAccepted) ? [...own, ...parse(await load(votes))] : own;
};

const loadMailbox = async (
  table: Pick<Table, 'load'>,
  space: string,
  ids: readonly string[],
  asker: Asker,
): Promise<readonly (readonly TextPiece[])[]> => {
  const items = await table.load(
    ids.map((id) => signalKeys.record(space, id)),
    { isConsistent: true },
  );
  return items.flatMap((item, index) => {
    const signal = item === undefined ? undefined : parseRecord(ids[index] ?? '', item).signal;
    // The owner's turn may read what a member's may not: a member's words wait for a turn of their
    // own, and steer none.
    if (signal === undefined || (isOwnerSpeaking(asker) && askerOf(signal) === 'member')) return [];
    const pieces = piecesOf(signal.payload);
    // A summary that waits says nothing.
    return pieces.length === 0 ? [] : [pieces];
  });
};

/** Memory is read in turns the owner began, in chats that are named for it, and nowhere else. */
export const mayReadMemory = ({ asker, chatMemory }: Pick<LoadedTurn, 'asker' | 'chatMemory'>): boolean =>
  isOwnerSpeaking(asker) && chatMemory !== 'closed';
