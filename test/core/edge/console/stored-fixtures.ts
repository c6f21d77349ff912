/**
 * Stored signals as the pipeline leaves them: record, attempts, decision and effects, put straight
 * into a table.
 */

import type { Approval } from '../../../../lib/core/approvals/approval.ts';
import { buildRecordItem } from '../../../../lib/core/ledger/record.ts';
import { type Action, actionHash } from '../../../../lib/core/signal/action.ts';
import type { Attempt, Decision, Effect, JudgedAction } from '../../../../lib/core/signal/decision.ts';
import { FACT_DEFAULTS, type Facts } from '../../../../lib/core/signal/facts.ts';
import type { Signal, SignalState } from '../../../../lib/core/signal/signal.ts';
import { approvalKey, indexPartitions, signalKeys } from '../../../../lib/core/store/keys.ts';
import type { Table } from '../../../../lib/core/store/table.ts';

export const SPACE = 'default';
export const POLICY = 'p'.repeat(64);

export const buildSignal = (id: string, over: Partial<Signal> = {}): Signal => ({
  schemaVersion: 1,
  id,
  type: 'EVENT',
  source: 'console',
  space: SPACE,
  session: 'console:main',
  root: id.split('/')[0] ?? id,
  ...(id.includes('/') ? { parent: id.slice(0, id.lastIndexOf('/')) } : {}),
  depth: id.split('/').length - 1,
  receivedAt: 1_700_000_000_000,
  sender: { id: 'console', isApprover: false },
  reply: { target: 'console', to: 'main' },
  payload: { sensor: 'chat-message', text: [{ text: 'hello', origin: 'owner' }] },
  ...over,
});

export const buildFacts = (action: Action): Facts => ({
  ...FACT_DEFAULTS,
  schemaVersion: 1,
  stage: 'reason',
  now: 1_700_000_000_100,
  space: SPACE,
  actionHash: actionHash(action),
  tier: 'allow',
  isPlainReply: true,
  origin: 'owner',
  policyVersion: POLICY,
});

export const reply = (text: string, over: Partial<Action> = {}): Action => ({
  target: 'console',
  to: 'main',
  text,
  explanation: 'a plain reply to the person',
  author: 'model',
  ...over,
});

export const toolCall = (tool: string, args: Action['args'] = {}): Action => ({
  target: 'tool',
  tool,
  args,
  explanation: 'the person asked for exactly this',
  author: 'model',
});

export const judge = (
  action: Action,
  outcome: JudgedAction['outcome'] = 'pass',
  trace: JudgedAction['trace'] = [{ gate: 'kill-switch', verdict: 'pass', reason: '' }],
): JudgedAction => ({ action, hash: actionHash(action), outcome, trace, facts: [buildFacts(action)] });

export const buildAttempt = (n: number, judged: readonly JudgedAction[], over: Partial<Attempt> = {}): Attempt => ({
  schemaVersion: 1,
  n,
  at: 1_700_000_000_050,
  provider: 'demo',
  model: 'scripted',
  promptHash: 'a'.repeat(64),
  proposal: { calls: [], text: judged[0]?.action.text ?? 'nothing' },
  judged: [...judged],
  ...over,
});

export const buildDecision = (
  signalId: string,
  actions: readonly JudgedAction[],
  over: Partial<Decision> = {},
): Decision => ({
  schemaVersion: 1,
  signalId,
  at: 1_700_000_000_100,
  outcome: 'act',
  reason: '',
  gateSet: 'g'.repeat(64),
  policyVersion: POLICY,
  attemptCount: 1,
  actions: [...actions],
  ...over,
});

export const buildEffect = (n: number, judged: JudgedAction, over: Partial<Effect> = {}): Effect => ({
  schemaVersion: 1,
  n,
  actuator: judged.action.target,
  state: 'done',
  actionHash: judged.hash,
  trace: judged.trace,
  facts: judged.facts,
  tries: 1,
  settledAt: 1_700_000_000_200 + n,
  ...over,
});

export interface StoredTurn {
  readonly signal: Signal;
  readonly state: SignalState;
  readonly children?: readonly string[];
  readonly attempts?: readonly Attempt[];
  readonly decision?: Decision;
  readonly effects?: readonly Effect[];
  readonly record?: Readonly<Record<string, string | number>>;
}

export const putSignal = async (table: Table, stored: StoredTurn): Promise<void> => {
  const { id, space } = stored.signal;
  for (const attempt of stored.attempts ?? [])
    await table.put(signalKeys.attempt(space, id, attempt.n), { ...attempt });
  if (stored.decision !== undefined) await table.put(signalKeys.decision(space, id), { ...stored.decision });
  for (const effect of stored.effects ?? []) await table.put(signalKeys.effect(space, id, effect.n), { ...effect });
  // As in a stack, the state comes last: whoever reads an ended signal finds its effects.
  await table.put(signalKeys.record(space, id), {
    ...buildRecordItem(stored.signal, stored.state, stored.signal.receivedAt + 60_000),
    ...(stored.children === undefined ? {} : { children: new Set(stored.children) }),
    ...stored.record,
  });
};

export const buildApproval = (id: string, judged: JudgedAction, over: Partial<Approval> = {}): Approval => ({
  schemaVersion: 1,
  id,
  space: SPACE,
  session: 'console:main',
  signalId: 'con-asks',
  n: 0,
  action: judged.action,
  actionHash: judged.hash,
  policyVersion: POLICY,
  reasons: ['calls that leave the space need a person'],
  asks: [{ gate: 'permissions', reason: 'calls that leave the space need a person' }],
  state: 'pending',
  createdAt: 1_700_000_000_000,
  expiresAtMs: 1_700_003_600_000,
  unfinishedSpace: indexPartitions.pendingApprovals(SPACE),
  unfinishedAt: 1_700_003_600_000,
  ...over,
});

/** @param feedAt its place in the list of all approvals; it stands in none without one */
export const putApproval = (table: Table, approval: Approval, feedAt?: number): Promise<void> =>
  table.put(approvalKey(approval.space, approval.id), {
    ...approval,
    ...(feedAt === undefined ? {} : { feedSpace: indexPartitions.approvalFeed(approval.space), feedAt }),
  });
