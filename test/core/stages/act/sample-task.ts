/** One action as Act finds it, and what Act is given, with only what a test of it names. */

import { randomBytes } from 'node:crypto';
import { AFTERS, buildGuards } from '../../../../functions/act/features.ts';
import type { Grant } from '../../../../lib/core/approvals/grant.ts';
import type { GateSet } from '../../../../lib/core/gates/engine/build-gate-set.ts';
import { NO_POLICY } from '../../../../lib/core/judge/space-policy.ts';
import type { SignalRecord } from '../../../../lib/core/ledger/record.ts';
import { type Action, actionHash } from '../../../../lib/core/signal/action.ts';
import type { Effect, JudgedAction } from '../../../../lib/core/signal/decision.ts';
import { PASS, type Verdict } from '../../../../lib/core/signal/gate.ts';
import type { Signal } from '../../../../lib/core/signal/signal.ts';
import type { ActDeps, ActTurn, Task } from '../../../../lib/core/stages/act/act-context.ts';
import { signalKeys } from '../../../../lib/core/store/keys.ts';
import type { Table } from '../../../../lib/core/store/table.ts';
import { NO_MCP } from '../../../../lib/core/tools/mcp-catalogue.ts';
import { DEFAULT_CAPS } from '../../../support/default-caps.ts';
import { ownerMessage } from '../../../support/simulation.ts';

export const NOW = 1_790_000_000_000;
export const APPROVAL_ID = 'a'.repeat(32);
export const GRANT_ID = 'c'.repeat(12);

/** A signal in a space of its own, so that no two cases share a row. */
export const sampleSignal = (): Signal => ownerMessage(`s${randomBytes(6).toString('hex')}`, 1, 'hello', '7', NOW);

export const TEXT: Action = { target: 'telegram', to: '7', text: 're', explanation: '', author: 'model' };
export const CALL: Action = {
  target: 'webhook',
  tool: 'call-webhook',
  to: 'lamp',
  args: { on: true },
  explanation: 'because it is dark',
  author: 'model',
};

export const sampleEffect = (changes: Partial<Effect> = {}): Effect => ({
  schemaVersion: 1,
  n: 0,
  actuator: 'webhook',
  state: 'claimed',
  actionHash: actionHash(CALL),
  trace: [],
  facts: [],
  tries: 0,
  ...changes,
});

export const sampleGrant = (space: string, changes: Partial<Grant> = {}): Grant => ({
  schemaVersion: 1,
  id: GRANT_ID,
  space,
  policyVersion: 'p',
  gates: ['only'],
  target: 'webhook',
  loosened: [],
  usesMax: 2,
  uses: 0,
  state: 'live',
  createdAt: 1,
  createdBy: 'telegram:7',
  fromSignal: 'tg-1-0',
  fromN: 0,
  expiresAtMs: NOW + 1,
  ...changes,
});

/** One gate that always says the same. */
export const gateSetOf = (verdict: Verdict): GateSet => ({
  gates: [{ name: 'only', priority: 1, version: 1, check: () => verdict }],
  version: 'test',
  problem: '',
});

export const sampleDeps = (table: Table, changes: Partial<ActDeps> = {}): ActDeps => ({
  table,
  publishPerceive: async () => {},
  gateSet: gateSetOf(PASS),
  guards: buildGuards({ caps: DEFAULT_CAPS, webhookCosts: new Map() }),
  afters: AFTERS,
  actuators: new Map(),
  silent: new Set(),
  setup: {},
  newId: () => randomBytes(16).toString('hex'),
  remainingMs: () => 60_000,
  now: () => NOW,
  ...changes,
});

export const sampleTask = (signal: Signal, action: Action, changes: Partial<Task> = {}): Task => {
  const judged: JudgedAction = { action, hash: actionHash(action), outcome: 'pass', trace: [], facts: [] };
  return {
    signal,
    n: 0,
    judged,
    namedHash: judged.hash,
    effect: undefined,
    approvalId: undefined,
    consentedAt: NOW,
    grant: undefined,
    looks: [],
    factSources: {
      stage: 'act',
      now: NOW,
      space: signal.space,
      reply: signal.reply,
      origin: 'owner',
      state: { policyVersion: 'p' },
      turn: { askedBy: 'approver' },
    },
    ...changes,
  };
};

const recordOf = (signal: Signal): SignalRecord => ({
  schemaVersion: 1,
  state: 'reasoned',
  signal,
  round: 0,
  sweeps: 0,
});

export const sampleTurn = ({ signal, judged }: Task): ActTurn => ({
  record: recordOf(signal),
  decision: {
    schemaVersion: 1,
    signalId: signal.id,
    at: NOW,
    outcome: 'act',
    reason: '',
    gateSet: 'test',
    policyVersion: 'p',
    attemptCount: 0,
    actions: [judged],
  },
  head: undefined,
  killSwitch: undefined,
  commit: 0,
  policyText: '',
  mcp: NO_MCP,
  records: {},
  settings: undefined,
  effects: new Map(),
  run: undefined,
  stepRun: undefined,
  others: [],
  approvals: new Map(),
  spend: undefined,
  chat: undefined,
  policy: NO_POLICY,
  isForged: false,
});

export const putRecord = (table: Table, signal: Signal): Promise<void> =>
  table.put(signalKeys.record(signal.space, signal.id), { ...recordOf(signal), signal: JSON.stringify(signal) });
