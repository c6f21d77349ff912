/** Only approvers decide, in time, and the outcome is written once (I5). */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApprovalRuling,
  endUnspent,
  parseApproval,
  type RulingFacts,
  ruleOnApproval,
  STAGES,
  settleApproval,
  stageOf,
} from '../../../lib/core/approvals/approval.ts';
import { ConditionError } from '../../../lib/core/base/errors.ts';
import type { Payload, Signal } from '../../../lib/core/signal/signal.ts';
import { approvalKey } from '../../../lib/core/store/keys.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { POLICY_VERSION } from '../gates/samples.ts';
import { APPROVAL_ID, approvalWith, HOUR, NOW, ownerText, signalWith } from './samples.ts';

type Decision = Extract<Payload, { sensor: 'approval-decision' }>;
const tap = (changes: Partial<Decision> = {}, sender: Partial<Signal> = {}): Signal =>
  signalWith(
    {
      sensor: 'approval-decision',
      approvalId: APPROVAL_ID,
      decision: 'approve',
      card: { chat: '7', message: 5 },
      ...changes,
    },
    sender,
  );
const facts: RulingFacts = { now: NOW, policyVersion: POLICY_VERSION, isStopped: false };
const unknown: ApprovalRuling = { kind: 'stale', state: 'unknown' };
const { card: _card, ...typed } = tap().payload as Decision;

describe('ruleOnApproval', () => {
  it.each<readonly [string, Parameters<typeof ruleOnApproval>, ApprovalRuling]>([
    ['an approval', [approvalWith(), tap(), facts], { kind: 'decided', state: 'approved' }],
    [
      'one typed as a command',
      [approvalWith(), signalWith(typed as Payload), facts],
      { kind: 'decided', state: 'approved' },
    ],
    ['a denial', [approvalWith(), tap({ decision: 'deny' }), facts], { kind: 'decided', state: 'denied' }],
    [
      '“allow similar”',
      [approvalWith(), tap({ decision: 'allow-similar' }), facts],
      { kind: 'decided', state: 'approved' },
    ],
    ['one that does not exist', [undefined, tap(), facts], unknown],
    ['another kind of signal', [approvalWith(), ownerText(), facts], unknown],
    ['one of another space', [approvalWith({ space: 'other' }), tap(), facts], unknown],
    [
      'a stranger',
      [approvalWith(), tap({}, { sender: { id: 'telegram:8', isApprover: false } }), facts],
      { kind: 'may-not', because: 'person' },
    ],
    [
      'a tap in another chat',
      [approvalWith(), tap({ card: { chat: '8', message: 5 } }), facts],
      { kind: 'may-not', because: 'chat' },
    ],
    [
      'the same signal again',
      [approvalWith({ state: 'approved', decidedBy: 'tg-1-9' }), tap(), facts],
      { kind: 'decided', state: 'approved' },
    ],
    [
      'the same denial again',
      [approvalWith({ state: 'denied', decidedBy: 'tg-1-9' }), tap({ decision: 'deny' }), facts],
      { kind: 'decided', state: 'denied' },
    ],
    [
      'a second approval',
      [approvalWith({ state: 'approved', decidedBy: 'tg-1-8' }), tap(), facts],
      { kind: 'stale', state: 'approved' },
    ],
    [
      'a denial after an approval',
      [approvalWith({ state: 'approved', decidedBy: 'tg-1-9' }), tap({ decision: 'deny' }), facts],
      { kind: 'stale', state: 'approved' },
    ],
    ['one that is spent', [approvalWith({ state: 'spent' }), tap(), facts], { kind: 'stale', state: 'spent' }],
    [
      'one this very signal found outdated',
      [approvalWith({ state: 'expired', endedBecause: 'policy', decidedBy: 'tg-1-9' }), tap(), facts],
      { kind: 'outdated' },
    ],
    [
      'one another signal found outdated',
      [approvalWith({ state: 'expired', endedBecause: 'policy', decidedBy: 'tg-1-8' }), tap(), facts],
      { kind: 'stale', state: 'expired' },
    ],
    [
      'one this very signal found out of time',
      [approvalWith({ state: 'expired', decidedBy: 'tg-1-9' }), tap(), facts],
      { kind: 'stale', state: 'expired' },
    ],
    ['one at its end', [approvalWith(), tap(), { ...facts, now: NOW + HOUR }], { kind: 'stale', state: 'expired' }],
    [
      'one right before its end',
      [approvalWith(), tap(), { ...facts, now: NOW + HOUR - 1 }],
      { kind: 'decided', state: 'approved' },
    ],
    ['one under old rules', [approvalWith(), tap(), { ...facts, policyVersion: 'b'.repeat(64) }], { kind: 'outdated' }],
    ['an approval while stopped', [approvalWith(), tap(), { ...facts, isStopped: true }], { kind: 'stopped' }],
    [
      'a denial while stopped',
      [approvalWith(), tap({ decision: 'deny' }), { ...facts, isStopped: true }],
      { kind: 'decided', state: 'denied' },
    ],
  ])('rules on %s', (_name, given, ruling) => {
    expect(ruleOnApproval(...given)).toStrictEqual(ruling);
  });
});

describe('parseApproval', () => {
  it('gives what was stored', () => {
    expect(parseApproval('x', { pk: 'a', sk: 'b', ...approvalWith() })).toStrictEqual(approvalWith());
  });

  it.each(['pending', 'approved', 'denied', 'expired', 'spent'] as const)('reads the state %s', (state) => {
    const ended = approvalWith({
      state,
      endedBecause: 'policy',
      taintSource: 'webhook shop',
      decidedBy: 'x',
      decider: 'y',
      decidedAt: 1,
      spentAt: 2,
    });
    expect(parseApproval('x', { ...ended })).toStrictEqual(ended);
  });

  it.each([
    ['another state', { state: 'granted' }],
    ['no action', { action: undefined }],
    ['an ask without a gate', { asks: [{ reason: 'x' }] }],
    ['an ask without a reason', { asks: [{ gate: 'x' }] }],
    ['another end', { endedBecause: 'time' }],
    ['reasons that are no texts', { reasons: [1] }],
  ])('refuses one with %s, by name', (_name, changes) => {
    expect(() => parseApproval('x', { ...approvalWith(), ...changes })).toThrow(/approval x/);
  });
});

describe('settleApproval', () => {
  let dynamo: TestDynamo;
  beforeAll(async () => {
    dynamo = await startDynamo();
  });
  afterAll(() => dynamo.stop());

  const stored = async (changes: Partial<ReturnType<typeof approvalWith>> = {}) => {
    const approval = approvalWith(changes);
    await dynamo.table.put(approvalKey(approval.space, approval.id), { ...approval });
    return approval;
  };
  const load = async () => {
    const [item] = await dynamo.table.load([approvalKey('default', APPROVAL_ID)], { isConsistent: true });
    return parseApproval(APPROVAL_ID, item ?? {});
  };

  it('writes an approval, which stays in the list of those to come back to', async () => {
    const approval = await stored();
    const outcome = { state: 'approved', by: 'tg-1-9', decider: 'telegram:7' } as const;
    const expected = {
      ...approval,
      state: 'approved',
      decider: 'telegram:7',
      decidedBy: 'tg-1-9',
      decidedAt: NOW + 1,
    };
    expect(await settleApproval(dynamo.table, approval, outcome, NOW + 1)).toStrictEqual(expected);
    expect(await load()).toStrictEqual(expected);
  });

  it('writes a denial, which leaves that list', async () => {
    const approval = await stored();
    const { unfinishedSpace: _space, unfinishedAt: _at, ...rest } = approval;
    const outcome = { state: 'denied', by: 'tg-1-9', decider: 'telegram:7' } as const;
    expect(await settleApproval(dynamo.table, approval, outcome, NOW + 1)).toStrictEqual({
      ...rest,
      state: 'denied',
      decider: 'telegram:7',
      decidedBy: 'tg-1-9',
      decidedAt: NOW + 1,
    });
  });

  it('writes an expiry and its reason', async () => {
    const approval = await stored();
    const outcome = { state: 'expired', by: 'tg-1-9', endedBecause: 'policy' } as const;
    expect(await settleApproval(dynamo.table, approval, outcome, NOW + 1)).toStrictEqual({
      ...approval,
      state: 'expired',
      endedBecause: 'policy',
      decidedBy: 'tg-1-9',
      decidedAt: NOW + 1,
    });
  });

  it.each(['approved', 'denied', 'expired', 'spent'] as const)('changes nothing once it is %s', async (state) => {
    const approval = await stored({ state, decidedBy: 'tg-1-8' });
    const outcome = { state: 'approved', by: 'tg-1-9', decider: 'telegram:7' } as const;
    expect(await settleApproval(dynamo.table, approvalWith(), outcome, NOW + 1)).toStrictEqual(approval);
    expect(await load()).toStrictEqual(approval);
  });

  it('fails, naming the rule, where there is none', async () => {
    const none = approvalWith({ id: 'cd'.repeat(16) });
    const settled = settleApproval(dynamo.table, none, { state: 'expired', by: 'x' }, NOW);
    await expect(settled).rejects.toThrow(ConditionError);
    await expect(settled).rejects.toThrow(/approval is pending/);
  });

  it('passes on the refusal of a store that does not say what is there', async () => {
    for (const current of [null, undefined, 'approved']) {
      const update = async (): Promise<never> => {
        throw new ConditionError('approval is pending', current);
      };
      const settled = settleApproval({ update }, approvalWith(), { state: 'expired', by: 'x' }, NOW);
      await expect(settled).rejects.toThrow(ConditionError);
    }
  });

  it('passes on what the store throws', async () => {
    const update = async (): Promise<never> => {
      throw Object.assign(new Error('the store is down'), { current: { state: 'approved' } });
    };
    const settled = settleApproval({ update }, approvalWith(), { state: 'expired', by: 'x' }, NOW);
    await expect(settled).rejects.toThrow('the store is down');
  });
});

describe('endUnspent', () => {
  let dynamo: TestDynamo;
  beforeAll(async () => {
    dynamo = await startDynamo();
  });
  afterAll(() => dynamo.stop());

  const loadAfter = async (approval: ReturnType<typeof approvalWith>) => {
    const key = approvalKey(approval.space, approval.id);
    await dynamo.table.put(key, { ...approval });
    await endUnspent(dynamo.table, approval, NOW);
    const [item] = await dynamo.table.load([key], { isConsistent: true });
    return parseApproval(APPROVAL_ID, item ?? {});
  };

  it('ends a yes that was not spent, and nobody comes back for it', async () => {
    const approval = approvalWith({ state: 'approved', decidedBy: 'tg-1-9' });
    const { unfinishedSpace: _space, unfinishedAt: _at, ...rest } = approval;
    expect(await loadAfter(approval)).toStrictEqual({
      ...rest,
      state: 'expired',
      endedBecause: 'refused',
      endedAt: NOW,
    });
  });

  it.each(['pending', 'denied', 'expired', 'spent'] as const)('leaves one that is %s as it is', async (state) => {
    const approval = approvalWith({ state, decidedBy: 'tg-1-9' });
    expect(await loadAfter(approval)).toStrictEqual(approval);
  });

  it('asks the store for one that is approved and not spent', async () => {
    const names: (string | undefined)[] = [];
    const update: Parameters<typeof endUnspent>[0]['update'] = async (_key, _changes, condition) => {
      names.push(condition?.name);
      return {};
    };
    await endUnspent({ update }, approvalWith(), NOW);
    expect(names).toStrictEqual(['approval is approved and not spent']);
  });

  it('passes on what the store throws', async () => {
    const update = async (): Promise<never> => {
      throw new Error('the store is down');
    };
    await expect(endUnspent({ update }, approvalWith(), NOW)).rejects.toThrow('the store is down');
  });
});

/** The stages of a flight plan follow from the approval alone. */
const END = 1_000;

describe('stageOf', () => {
  it.each([
    ['pending', END - 1, 'PLAN'],
    ['pending', END, 'EXPIRED'],
    ['approved', END - 1, 'APPROVED'],
    ['approved', END + 1, 'APPROVED'],
    ['denied', END - 1, 'DENIED'],
    ['expired', END - 1, 'EXPIRED'],
    ['spent', END + 1, 'APPROVED'],
  ] as const)('takes %s at %i for %s', (state, now, stage) => {
    expect(stageOf({ state, expiresAtMs: END }, now, '')).toBe(stage);
  });

  it('takes one that was approved and then refused by the rules for APPROVED', () => {
    expect(stageOf({ state: 'expired', expiresAtMs: END, endedBecause: 'refused' }, 0, '')).toBe('APPROVED');
  });

  it.each([
    ['aa', 'aa', 'PLAN'],
    ['aa', 'bb', 'EXPIRED'],
    ['aa', '', 'EXPIRED'],
    ['', 'bb', 'EXPIRED'],
    [undefined, 'bb', 'PLAN'],
  ] as const)('takes what was asked for under the policy %j, with %j in force, for %s', (asked, inForce, stage) => {
    expect(stageOf({ state: 'pending', expiresAtMs: END, policyHash: asked }, 0, inForce)).toBe(stage);
  });
});

describe('STAGES', () => {
  it('are told in the order they come in', () => {
    expect(STAGES).toStrictEqual(['PLAN', 'APPROVED', 'DENIED', 'EXPIRED']);
  });
});
