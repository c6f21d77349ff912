/** Signatures of jobs, receipts and results: what they cover, and what their evidence says. */
import { describe, expect, it } from 'vitest';
import { OUTPUT_HEAD_CHARS } from '../../../lib/core/base/limits.ts';
import { actionHash } from '../../../lib/core/signal/action.ts';
import { isOrderOf, type Order, orderHashOf, signOrder } from '../../../lib/features/runner/order.ts';
import { buildShown, isResultOf, isShown, type RunnerResult, signResult } from '../../../lib/features/runner/result.ts';
import { buildSigner } from '../../../lib/features/runner/sign.ts';
import {
  buildOrderRow,
  buildResultRow,
  parseOrderRow,
  parseResultRow,
} from '../../../lib/features/runner/signed-rows.ts';
import { NOW, toolCall } from '../../core/gates/samples.ts';

const ACT = buildSigner(Buffer.alloc(32, 1));
const MACHINE = buildSigner(Buffer.alloc(32, 2));
const hex = (digit: string, length = 64): string => digit.repeat(length);

const action = toolCall({ tool: 'shell', args: { cmd: 'cat violet-heron.txt', runner: 'desk' } });
const job: Order = {
  v: 1,
  id: 'con-1#0',
  space: 'default',
  runner: 'desk',
  action,
  actionHash: actionHash(action),
  decisionHash: hex('a'),
  traceHash: hex('b'),
  issuedAt: NOW,
  expiresAt: NOW + 1,
  nonce: hex('c', 32),
};
const result: RunnerResult = {
  v: 1,
  jobHash: orderHashOf(job),
  runner: 'desk',
  claim: hex('d', 32),
  state: 'done',
  reason: '',
  exitCode: 0,
  endedAt: NOW,
  output: { sha256: hex('e'), bytes: 3 },
  shown: buildShown('all is well', true),
  changed: [{ path: '/home/a/violet-heron.txt', kind: 'added' }],
  moreChanged: 0,
  allowHash: hex('f'),
};

describe('signOrder', () => {
  it('covers every field, and the action by its hash', () => {
    const signed = signOrder(ACT, job);
    expect(isOrderOf(ACT.publicKey, signed)).toBe(true);
    expect(isOrderOf(MACHINE.publicKey, signed)).toBe(false);
    const other = { ...action, args: { cmd: 'rm violet-heron.txt', runner: 'desk' } };
    const changes: readonly Partial<Order>[] = [
      { action: other },
      { action: other, actionHash: actionHash(other) },
      { runner: 'other' },
      { expiresAt: NOW + 2 },
      { nonce: hex('1', 32) },
      { consent: { kind: 'grant', id: 'g' } },
    ];
    for (const change of changes)
      expect(isOrderOf(ACT.publicKey, { ...signed, job: { ...job, ...change } }), JSON.stringify(change)).toBe(false);
  });
});

describe('signResult', () => {
  it('covers every field, reason and changed files too', () => {
    const signed = signResult(MACHINE, result);
    expect(isResultOf(MACHINE.publicKey, signed)).toBe(true);
    const changes: readonly Partial<RunnerResult>[] = [
      { reason: 'because' },
      { changed: [] },
      { exitCode: 1 },
      { shown: buildShown('all is lost', true) },
    ];
    for (const change of changes)
      expect(isResultOf(MACHINE.publicKey, { ...signed, result: { ...result, ...change } })).toBe(false);
  });
});

describe('isShown', () => {
  it('compares the whole text, long or short', () => {
    const long = 'a'.repeat(OUTPUT_HEAD_CHARS + 1);
    const of = (text: string): RunnerResult => ({ ...result, shown: buildShown(text, true) });
    expect(isShown(long, of(long))).toBe(true);
    expect(isShown(`${long}b`, of(long))).toBe(false);
    expect(isShown('\uD800', of('\uFFFD'))).toBe(false);
  });
});

describe('buildOrderRow', () => {
  it('holds no words of command, paths or reasons', () => {
    const rows = [
      buildOrderRow(
        signOrder(ACT, job),
        { publicKey: MACHINE.publicKey, pairedAt: 1, pairedBy: 'console:a' },
        ACT.publicKey,
      ),
      buildResultRow(job.id, signResult(MACHINE, { ...result, reason: 'violet-heron.txt is odd' }), NOW),
    ];
    expect(JSON.stringify(rows)).not.toContain('violet-heron');
    const [first = {}, second = {}] = rows.map((row) => ({ pk: 'p', sk: 's', ...row }));
    expect(parseOrderRow(first).job.id).toBe(job.id);
    expect(parseResultRow(second).effect).toBe(job.id);
  });
});
