import { expect, it } from 'vitest';
import { actionHash } from '../../../lib/core/signal/action.ts';
import { changeLines } from '../../../lib/core/verbs/signals/change-lines.ts';
import { type Order, orderHashOf, signOrder } from '../../../lib/features/runner/order.ts';
import { buildShown, signReceipt, signResult } from '../../../lib/features/runner/result.ts';
import { buildSigner } from '../../../lib/features/runner/sign.ts';
import { buildOrderRow, buildReceiptRow, buildResultRow } from '../../../lib/features/runner/signed-rows.ts';
import { toolCall } from '../../core/gates/samples.ts';

const AT = Date.parse('2026-10-25T08:30:00Z');
const ACT = buildSigner(Buffer.alloc(32, 1));
const MACHINE = buildSigner(Buffer.alloc(32, 2));
const hex = (digit: string, length = 64): string => digit.repeat(length);

const action = toolCall({ tool: 'shell', args: { cmd: 'cat violet-heron.txt', runner: 'home' } });
const job: Order = {
  v: 1,
  id: 'con-1#0',
  space: 'default',
  runner: 'home',
  action,
  actionHash: actionHash(action),
  decisionHash: hex('a'),
  traceHash: hex('b'),
  consent: { kind: 'approval', id: hex('9', 16) },
  issuedAt: AT,
  expiresAt: AT + 3_600_000,
  nonce: hex('c', 32),
};
const named = { v: 1, jobHash: orderHashOf(job), runner: 'home', claim: hex('d', 32) } as const;
const receipt = signReceipt(MACHINE, { ...named, takenAt: AT + 1_000, runMsMax: 300_000 });
const result = signResult(MACHINE, {
  ...named,
  state: 'done',
  reason: '',
  exitCode: 0,
  startedAt: AT + 1_000,
  endedAt: AT + 1_250,
  output: { sha256: hex('e'), bytes: 7 },
  shown: buildShown('dawn', true),
  changed: [],
  moreChanged: 0,
  allowHash: hex('f'),
});

it('tells of a machine: the job, who took it, and how it ended, without words of the command', () => {
  const pairing = { publicKey: MACHINE.publicKey, pairedAt: AT, pairedBy: 'telegram:7' };
  const lines = changeLines([
    { pk: 'signal#default#con-1', sk: 'runner#0#job', ...buildOrderRow(signOrder(ACT, job), pairing, ACT.publicKey) },
    { pk: 'signal#default#con-1', sk: 'runner#0#receipt', ...buildReceiptRow(job.id, receipt, AT) },
    { pk: 'signal#default#con-1', sk: 'runner#0#result', ...buildResultRow(job.id, result, AT) },
  ]);
  expect(lines).toStrictEqual([
    expect.stringMatching(
      /^Machine home \(key [0-9a-f]{12}\): job con-1#0 handed over 2026-10-25 08:30 UTC, by approval, to begin before 2026-10-25 09:30 UTC$/,
    ),
    'Machine home: took con-1#0 2026-10-25 08:30 UTC (claim dddddddddddd)',
    'Machine home: says that con-1#0 ended 2026-10-25 08:30 UTC: done, exit code 0 after 0.25 s, 7 bytes of output, allow-file ffffffffffff',
  ]);
  expect(lines.join()).not.toContain('violet');
});
