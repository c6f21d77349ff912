/**
 * The evidence of a space with one runner: paired by a person, with jobs that ended in every way,
 * one with a long output, one whose words were forgotten, and one that is under way. `Lies` are
 * told by the machine, or by whoever writes the rows, before anything is signed or hashed.
 */
import { hash } from 'node:crypto';
import { OUTPUT_HEAD_CHARS } from '../../../lib/core/base/limits.ts';
import { approvalRef } from '../../../lib/core/evidence/record-hash.ts';
import {
  buildApprovalRecord,
  buildDecisionRecord,
  buildEffectRecord,
  jobDecisionHash,
  jobTraceHash,
} from '../../../lib/core/log/evidence-records.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { Effect } from '../../../lib/core/signal/decision.ts';
import type { Item } from '../../../lib/core/store/table.ts';
import { showLongOutput } from '../../../lib/core/tools/long-output.ts';
import type { JournalLine } from '../../../lib/features/runner/journal-line.ts';
import { type Order, orderHashOf, signOrder } from '../../../lib/features/runner/order.ts';
import {
  buildShown,
  type RunnerReceipt,
  type RunnerResult,
  signReceipt,
  signResult,
} from '../../../lib/features/runner/result.ts';
import { buildSigner, type Signer } from '../../../lib/features/runner/sign.ts';
import { buildOrderRow, buildReceiptRow, buildResultRow } from '../../../lib/features/runner/signed-rows.ts';
import { NOW, POLICY_VERSION, toolCall } from '../gates/samples.ts';
import { claimOf, decisionOf, GATE_SET_VERSION, judgeAction, SPACE } from './export-world.ts';
import type { LogEvent } from './job-world.ts';

export const ACT = buildSigner(Buffer.alloc(32, 71));
export const MACHINE = buildSigner(Buffer.alloc(32, 72));
export const FOREIGN = buildSigner(Buffer.alloc(32, 73));
const OWNER = 'telegram:7';
const MINUTE = 60_000;
export const EXPORTED_AT = NOW + 200 * MINUTE;
export const SECRET_WORDS = 'violet-heron';

/** Something told otherwise in one signal; the rest is as an honest stack and machine write it. */
export interface Lies {
  readonly job?: (job: Order) => Order;
  readonly receipt?: (receipt: RunnerReceipt) => RunnerReceipt;
  readonly result?: (result: RunnerResult) => RunnerResult;
  readonly act?: Signer;
  readonly machine?: Signer;
  /** The text that Act stores, in place of the one that the runner showed. */
  readonly stored?: string;
  readonly effect?: (effect: Effect) => Effect;
  readonly pairing?: { readonly publicKey: string; readonly pairedAt: number; readonly pairedBy: string };
}

type End = Effect['state'] | 'handed';

interface Plan {
  readonly signal: string;
  readonly at: number;
  readonly end: End;
  readonly text?: string;
  readonly hasReceipt?: boolean;
  readonly hasResult?: boolean;
  readonly isForgotten?: boolean;
}

export const PLANS: readonly Plan[] = [
  { signal: 'con-done', at: NOW + 20 * MINUTE, end: 'done', text: 'exit code 0\nall is well' },
  { signal: 'con-long', at: NOW + 30 * MINUTE, end: 'done', text: 'line of the log\n'.repeat(OUTPUT_HEAD_CHARS) },
  { signal: 'con-gone', at: NOW + 40 * MINUTE, end: 'done', text: SECRET_WORDS, isForgotten: true },
  { signal: 'con-failed', at: NOW + 50 * MINUTE, end: 'failed', text: 'it took longer than 5 minutes' },
  { signal: 'con-refused', at: NOW + 60 * MINUTE, end: 'refused', text: 'no network here', hasReceipt: false },
  { signal: 'con-expired', at: NOW + 70 * MINUTE, end: 'failed', hasReceipt: false, hasResult: false },
  { signal: 'con-lost', at: NOW + 80 * MINUTE, end: 'unknown', hasResult: false },
  { signal: 'con-handed', at: NOW + 190 * MINUTE, end: 'handed', hasReceipt: false, hasResult: false },
];

const PAIRED_AT = NOW + 5 * MINUTE;
const PAIRING = { publicKey: MACHINE.publicKey, pairedAt: PAIRED_AT, pairedBy: OWNER };

const recordOf = (item: Item): object => {
  const { schemaVersion: _v, ...fixed } = item;
  return fixed;
};

export interface RunnerWorld {
  readonly events: readonly LogEvent[];
  /** The machine's own lines. */
  readonly journal: readonly JournalLine[];
}

const hex = (seed: string, length: number): string => hash('sha256', seed).slice(0, length);

/** A person's command that a tool performs. */
export const command = (signal: string, at: number, action: Action): readonly LogEvent[] => {
  const judged = judgeAction(action, 'pass', at);
  const effect: Effect = {
    ...claimOf(judged, at + 20, undefined),
    actuator: 'tool',
    state: 'done',
    settledAt: at + 40,
  };
  const leaf = { signal, actor: OWNER, at };
  return [
    {
      record: { kind: 'decision', ...buildDecisionRecord(decisionOf(signal, at, judged, GATE_SET_VERSION()), []) },
      leaf,
    },
    { record: { kind: 'effect', ...buildEffectRecord(signal, effect) }, leaf: { ...leaf, at: at + 40, state: 'done' } },
  ];
};

const outputOf = (id: string, text: string): string =>
  text.length > 16_384 ? showLongOutput(id, { text, chars: text.length }) : text;

const buildTurn = (plan: Plan, lies: Lies): RunnerWorld => {
  const { signal, at, end, text, hasReceipt = true, hasResult = true, isForgotten } = plan;
  const id = `${signal}#0`;
  const action = toolCall({ tool: 'shell', args: { cmd: `cat ${SECRET_WORDS}-${signal}`, runner: 'desk' } });
  const judged = judgeAction(action, 'ask', at);
  const decision = decisionOf(signal, at, judged, GATE_SET_VERSION());
  const approvalId = hex(signal, 32);
  const endedAt = at + 3 * MINUTE;
  const job = (lies.job ?? ((one) => one))({
    v: 1,
    id,
    space: SPACE,
    runner: 'desk',
    action,
    actionHash: judged.hash,
    decisionHash: jobDecisionHash(decision),
    traceHash: jobTraceHash(judged.trace),
    consent: { kind: 'approval', id: approvalRef(approvalId) },
    issuedAt: at + 30,
    expiresAt: at + 60 * MINUTE,
    nonce: hex(`nonce ${signal}`, 32),
  });
  const claim = hex(`claim ${signal}`, 32);
  const receipt = (lies.receipt ?? ((one) => one))({
    v: 1,
    jobHash: orderHashOf(job),
    runner: 'desk',
    takenAt: at + MINUTE,
    claim,
    runMsMax: 5 * MINUTE,
  });
  const result = (lies.result ?? ((one) => one))({
    v: 1,
    jobHash: orderHashOf(job),
    runner: 'desk',
    ...(hasReceipt ? { claim } : {}),
    state: end === 'handed' || end === 'claimed' || end === 'suspended' ? 'done' : end,
    reason: end === 'done' ? '' : `${SECRET_WORDS}: it did not`,
    exitCode: 0,
    endedAt,
    output: { sha256: hex('a', 64), bytes: 3 },
    shown: buildShown(text ?? '', true),
    changed: [{ path: `/home/a/${SECRET_WORDS}`, kind: 'added' }],
    moreChanged: 0,
    allowHash: hex('b', 64),
  });
  const signedJob = signOrder(lies.act ?? ACT, job);
  const signedReceipt = signReceipt(lies.machine ?? MACHINE, receipt);
  const signedResult = signResult(lies.machine ?? MACHINE, result);

  const claimed: Effect = { ...claimOf(judged, at + 20, approvalId), actuator: 'runner' };
  const handed: Effect = { ...claimed, state: 'suspended', handedTo: { runner: 'desk', until: at + 90 * MINUTE } };
  const state = end === 'handed' ? 'suspended' : end;
  const settled: Effect = { ...claimed, state, settledAt: endedAt, outputOrigin: 'outside' };
  const stored = lies.stored ?? (text === undefined ? undefined : outputOf(id, text));
  const ended = stored === undefined ? settled : { ...settled, output: stored };
  const effect = (lies.effect ?? ((one) => one))(end === 'handed' ? handed : ended);

  const leaf = { signal, actor: OWNER, at };
  const approval = buildApprovalRecord({
    ...{ schemaVersion: 1, id: approvalId, space: SPACE, session: 'telegram:7', signalId: signal, n: 0, action },
    ...{ actionHash: judged.hash, policyVersion: POLICY_VERSION, reasons: [], requester: OWNER, origin: 'owner' },
    ...{
      state: 'spent',
      createdAt: at,
      expiresAtMs: at + 60 * MINUTE,
      decider: OWNER,
      decidedAt: at + 10,
      spentAt: at + 20,
    },
  } as Parameters<typeof buildApprovalRecord>[0]);
  const last = effect.settledAt ?? at + 40;
  const [effectRecord, decisionRecord] = [buildEffectRecord(signal, effect), buildDecisionRecord(decision, [])];
  const { content: _words, ...bareDecision } = decisionRecord;
  const { content: _output, ...bareEffect } = effectRecord;
  const gone = { isForgotten: true } as const;
  const pairing = lies.pairing ?? PAIRING;
  const events: LogEvent[] = [
    { record: { kind: 'decision', ...(isForgotten ? { ...bareDecision, ...gone } : decisionRecord) }, leaf },
    { record: { kind: 'approval', ...approval }, leaf: { ...leaf, at: at + 20, state: 'spent' } },
    {
      record: {
        kind: 'runner-job',
        id,
        fixed: recordOf(buildOrderRow(signedJob, pairing, (lies.act ?? ACT).publicKey)),
      },
      leaf: { ...leaf, at: job.issuedAt },
    },
  ];
  const add = (kind: 'runner-receipt' | 'runner-result', row: Item): void => {
    events.push({ record: { kind, id, fixed: recordOf(row) }, leaf: { ...leaf, at: endedAt } });
  };
  if (hasReceipt) add('runner-receipt', buildReceiptRow(id, signedReceipt, endedAt));
  if (hasResult) add('runner-result', buildResultRow(id, signedResult, endedAt));
  events.push({
    record: { kind: 'effect', ...(isForgotten ? { ...bareEffect, ...gone } : effectRecord) },
    leaf: { ...leaf, at: last, state: effect.state },
  });
  return {
    events,
    journal: [
      ...(hasReceipt ? [{ kind: 'job', at, signed: signedJob } as const] : []),
      ...(hasReceipt ? [{ kind: 'receipt', at, signed: signedReceipt } as const] : []),
      ...(hasResult ? [{ kind: 'result', at: endedAt, signed: signedResult } as const] : []),
    ],
  };
};

/** @param lies by signal */
export const buildRunnerWorld = (lies: Readonly<Record<string, Lies>> = {}): RunnerWorld => {
  const turns = PLANS.map((plan) => buildTurn(plan, lies[plan.signal] ?? {}));
  const args = { name: 'desk', codeHash: hex('c', 64) };
  const covers = ['decision con-gone', 'effect con-gone#0'];
  const fixed = {
    v: 1,
    object: 'note',
    hash: 'b'.repeat(64),
    forgottenAt: NOW + 100 * MINUTE,
    signal: 'con-f',
    covers,
  };
  const leaf = { signal: 'con-f', actor: OWNER, at: NOW + 100 * MINUTE };
  const events = [
    ...command('con-pair', NOW, toolCall({ tool: 'pair-runner', args })),
    ...turns.flatMap((turn) => turn.events),
    { record: { kind: 'tombstone', id: 'note', fixed }, leaf } as const,
  ];
  return { events, journal: turns.flatMap((turn) => turn.journal) };
};
