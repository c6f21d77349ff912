import { describe, expect, it } from 'vitest';
import type { Run } from '../../../lib/core/ledger/run.ts';
import { describeRun } from '../../../lib/features/runbooks/describe-run.ts';
import { runbookTexts } from '../../../lib/features/runbooks/texts.ts';

const AT = Date.parse('2026-11-24T08:00:00Z');

const RUN: Run = {
  schemaVersion: 1,
  id: 'run-1',
  runbook: 'restart',
  hash: 'a'.repeat(64),
  inputs: {},
  origin: 'owner',
  session: 'console:main',
  reply: { target: 'console', to: 'main' },
  by: 'telegram:7',
  askedBy: 'approver',
  state: 'running',
  n: 4,
  current: { at: [1], kind: 'undo', tries: 0, since: AT, endsAt: AT },
  ended: [{ at: [0], n: 1, state: 'done' }],
  hashes: {},
  hashesBefore: {},
  startedAt: AT,
  changedAt: AT,
  endsAt: AT,
  looks: 0,
};
const linesOf = (changes: Partial<Run>, isAsking: boolean) =>
  describeRun(runbookTexts.en, { run: { ...RUN, ...changes }, runbook: undefined, inputs: {}, isAsking }, 'UTC');

describe('describeRun', () => {
  it.each([
    ['is done', { kind: 'step' }, false, 'it is being done'],
    ['waits for a yes', { kind: 'step' }, true, 'it waits for an approver, on its card'],
    ['is taken back', { kind: 'undo' }, false, 'it is taken back'],
    [
      'waits for a yes to be taken back',
      { kind: 'undo' },
      true,
      'to take it back, it waits for an approver, on its card',
    ],
  ] as const)('says that a step %s', (_name, { kind }, isAsking, words) => {
    const current = { at: [1], kind, tries: 0, since: AT, endsAt: AT };
    expect(linesOf({ current }, isAsking)).toContain(
      `Now: step 2, since Tue 2026-11-24 08:00: ${words}  /why run-1/s4`,
    );
  });

  it.each([
    ['unknown', 'its outcome is unknown'],
    ['undone', 'done, and taken back'],
    ['not-undone', 'done, and could not be taken back'],
  ] as const)('says in words that a step is %s', (state, words) => {
    expect(linesOf({ ended: [{ at: [0], n: 1, state }] }, false)).toContain(`step 1: ${words}  /why run-1/s1`);
  });

  it.each([
    ['running', 'run-1: the runbook restart: running'],
    ['failed', 'run-1: the runbook restart: failed: it is away'],
  ] as const)('begins with its state: %s', (state, line) => {
    expect(linesOf({ state, ...(state === 'failed' ? { why: 'it is away' } : {}) }, false)[0]).toBe(line);
  });
});
