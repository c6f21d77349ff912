/**
 * What becomes of a suspended action: refused with a word to the model, or sent to Act, and each
 * safely twice.
 */

import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../lib/core/approvals/approval.ts';
import { SWEEP_BACKOFF_MS } from '../../../lib/core/base/limits.ts';
import { saveDecision } from '../../../lib/core/ledger/ledger.ts';
import { buildRecordItem } from '../../../lib/core/ledger/record.ts';
import type { Decision, Effect } from '../../../lib/core/signal/decision.ts';
import type { ActMessage } from '../../../lib/core/signal/messages.ts';
import type { Signal } from '../../../lib/core/signal/signal.ts';
import { refuseSuspended, resumeSuspended } from '../../../lib/core/stages/suspended.ts';
import { approvalKey, signalKeys } from '../../../lib/core/store/keys.ts';
import type { Item, Table } from '../../../lib/core/store/table.ts';
import { ENDING_HOOKS } from '../../../lib/features/ending.ts';
import { eachSpace } from '../../support/each-space.ts';
import { factsFor, POLICY_VERSION, reply, toolCall } from '../gates/samples.ts';
import { APPROVAL_ID, approvalWith, NOW, ownerText } from './samples.ts';

const ID = 'tg-1-1';
const OTHER_APPROVAL = 'cd'.repeat(16);

let table: Table;
let space = '';
eachSpace('held', (here) => {
  ({ table, space } = here);
});

const signal = () => ownerText({ id: ID, root: ID, space });
const saveSignal = async (state: 'suspended' | 'acted' = 'suspended'): Promise<void> => {
  const { unfinishedSpace: _space, unfinishedAt: _at, ...item } = buildRecordItem(signal(), state, NOW);
  await table.put(signalKeys.record(space, ID), { ...item, round: 3 });
};
const saveEffect = (n: number, changes: Partial<Effect> = {}): Promise<void> =>
  table.put(signalKeys.effect(space, ID, n), {
    schemaVersion: 1,
    n,
    actuator: 'webhook',
    state: 'suspended',
    actionHash: 'a'.repeat(64),
    trace: '[]',
    facts: '[]',
    tries: 0,
    ...changes,
  });
const saveApproval = async (changes: Partial<Approval> = {}): Promise<Approval> => {
  const approval = approvalWith({ space, signalId: ID, ...changes });
  await table.put(approvalKey(space, approval.id), { ...approval });
  return approval;
};
const stored = async (sk: string): Promise<Item | undefined> => {
  const [item] = await table.load([{ pk: signalKeys.partition(space, ID), sk }], { isConsistent: true });
  return item;
};

const decision = (): Decision => ({
  schemaVersion: 1,
  signalId: ID,
  at: NOW,
  outcome: 'act',
  reason: '',
  gateSet: 'g',
  policyVersion: POLICY_VERSION,
  attemptCount: 1,
  actions: [{ action: toolCall(), hash: 'a'.repeat(64), outcome: 'ask', trace: [], facts: [factsFor(toolCall())] }],
});

const refuse = (table: Table, approval: Approval, decision: 'denied' | 'expired', now: number) =>
  refuseSuspended({ table, hooks: ENDING_HOOKS, now }, approval, decision);

describe('refuseSuspended', () => {
  const child = (reason: string, decision: 'denied' | 'expired' = 'denied', n = 0) => ({
    ...ownerText(),
    id: `${ID}/d${n}`,
    source: 'system',
    space,
    root: ID,
    parent: ID,
    depth: 1,
    receivedAt: NOW + 5,
    sender: { id: 'system', isApprover: false },
    payload: {
      sensor: 'approval-decided',
      decision,
      n,
      results: [{ n, tool: 'call-webhook', state: 'refused', output: reason, origin: 'agent' }],
    },
  });

  it.each<readonly [string, Partial<Approval>, 'denied' | 'expired', string]>([
    ['a denial', { state: 'denied' }, 'denied', 'a person denied it'],
    ['a denial under old rules', { endedBecause: 'policy' }, 'denied', 'a person denied it'],
    ['the end of its time', {}, 'expired', 'nobody approved it in time'],
    [
      'new rules',
      { endedBecause: 'policy' },
      'expired',
      'the rules changed, or its chat was removed, before anybody approved it',
    ],
  ])('refuses after %s, ends the signal and tells the model', async (_name, changes, decision, reason) => {
    await saveSignal();
    await saveEffect(0);
    const approval = await saveApproval(changes);
    expect(await refuse(table, approval, decision, NOW + 5)).toStrictEqual(child(reason, decision));
    const { state, reason: why, settledAt } = (await stored('effect#0')) ?? {};
    expect({ state, why, settledAt }).toStrictEqual({ state: 'refused', why: reason, settledAt: NOW + 5 });
    const record = await stored('record');
    expect([record?.state, record?.children]).toStrictEqual(['refused', new Set([`${ID}/d0`])]);
  });

  it.each([
    ['none', undefined, [ID]],
    ['one', signal, []],
  ] as const)('tells that a step has ended which code decided, unless a step follows: %s', async (_, next, told) => {
    await saveSignal();
    await saveEffect(0);
    await saveDecision(table, { space, id: ID }, { ...decision(), attemptCount: 0 });
    const ended: string[] = [];
    const hooks = [
      { nextSignal: async () => next?.(), onEnded: async (_deps: unknown, { id }: Signal) => void ended.push(id) },
    ];
    const approval = await saveApproval({ state: 'denied' });
    expect(await refuseSuspended({ table, hooks, now: NOW }, approval, 'denied')).toStrictEqual(next?.());
    expect(ended).toStrictEqual(told);
  });

  it('names no tool where a text was refused', async () => {
    await saveSignal();
    await saveEffect(2);
    const approval = await saveApproval({ action: reply(), n: 2 });
    expect((await refuse(table, approval, 'denied', NOW))?.payload).toStrictEqual({
      sensor: 'approval-decided',
      decision: 'denied',
      n: 2,
      results: [{ n: 2, state: 'refused', output: 'a person denied it', origin: 'agent' }],
    });
  });

  it.each(['denied', 'expired'] as const)('tells no model of a command of a person that is %s', async (decision) => {
    await saveSignal();
    await saveEffect(0);
    const approval = await saveApproval({ action: { ...toolCall(), author: 'owner' } });
    expect(await refuse(table, approval, decision, NOW + 5)).toBeUndefined();
    const record = await stored('record');
    expect([record?.state, record?.children, (await stored('effect#0'))?.state]).toStrictEqual([
      'refused',
      undefined,
      'refused',
    ]);
  });

  it('leaves the signal suspended while another action of it waits', async () => {
    await saveSignal();
    await saveEffect(0);
    await saveEffect(1);
    expect((await refuse(table, await saveApproval(), 'denied', NOW))?.id).toBe(`${ID}/d0`);
    expect((await stored('record'))?.state).toBe('suspended');
    expect((await stored('effect#1'))?.state).toBe('suspended');
  });

  it('changes nothing when it is repeated', async () => {
    await saveSignal();
    await saveEffect(0);
    const approval = await saveApproval();
    const first = await refuse(table, approval, 'denied', NOW + 5);
    expect(await refuse(table, approval, 'denied', NOW + 5)).toStrictEqual(first);
    expect((await stored('effect#0'))?.settledAt).toBe(NOW + 5);
  });

  it('takes back nothing that was done', async () => {
    await saveSignal('acted');
    await saveEffect(0, { state: 'done', output: 'ok' });
    await refuse(table, await saveApproval(), 'denied', NOW);
    expect((await stored('effect#0'))?.state).toBe('done');
    expect((await stored('record'))?.state).toBe('acted');
  });

  it('makes no child of a signal that is gone', async () => {
    expect(await refuse(table, await saveApproval(), 'denied', NOW)).toBeUndefined();
  });

  it('reads what stands now, names the child before the signal ends, and names the rule it relies on', async () => {
    await saveSignal();
    await saveEffect(0);
    const steps: unknown[] = [];
    const seen: Table = {
      ...table,
      query: (query) => {
        steps.push(query);
        return table.query(query);
      },
      update: (key, change, condition) => {
        steps.push([key.sk, condition?.name]);
        return table.update(key, change, condition);
      },
    };
    await refuse(seen, await saveApproval(), 'denied', NOW);
    expect(steps).toStrictEqual([
      ['effect#0', 'effect is suspended'],
      { pk: signalKeys.partition(space, ID), isConsistent: true },
      ['record', 'signal exists'],
      ['record', 'signal is suspended'],
    ]);
  });

  it('passes on what the store throws', async () => {
    const update = async (): Promise<never> => {
      throw new Error('the store is down');
    };
    const approval = await saveApproval();
    await expect(refuse({ ...table, update }, approval, 'denied', NOW)).rejects.toThrow('the store is down');
  });
});

describe('resumeSuspended', () => {
  type Published = readonly [ActMessage, string];
  const resume = async (over: Partial<Table> = {}): Promise<readonly Published[]> => {
    const published: Published[] = [];
    const publishAct = async (message: ActMessage, name: string): Promise<void> => {
      published.push([message, name]);
    };
    await resumeSuspended({ table: { ...table, ...over }, hooks: [], publishAct, now: NOW }, space, ID);
    return published;
  };
  const saveAll = async (): Promise<void> => {
    await saveSignal();
    await saveDecision(table, { space, id: ID }, decision());
  };

  it('sends each approved action, by its approval, and puts the signal back among the unfinished', async () => {
    await saveAll();
    await saveEffect(0, { approvalId: APPROVAL_ID });
    await saveEffect(1, { approvalId: OTHER_APPROVAL });
    await saveEffect(2, { state: 'done' });
    const hashes = { [APPROVAL_ID]: 'e'.repeat(64), [OTHER_APPROVAL]: 'f'.repeat(64) };
    await saveApproval({ state: 'approved', actionHash: hashes[APPROVAL_ID] ?? '' });
    await saveApproval({ id: OTHER_APPROVAL, n: 1, state: 'spent', actionHash: hashes[OTHER_APPROVAL] ?? '' });
    const message = {
      stage: 'act',
      v: 1,
      space,
      session: 'telegram:7',
      signalId: ID,
      decisionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    };
    expect(await resume()).toStrictEqual([
      [{ ...message, actions: [{ n: 0, hash: 'e'.repeat(64), approvalId: APPROVAL_ID }] }, `approved:${APPROVAL_ID}:3`],
      [
        { ...message, actions: [{ n: 1, hash: 'f'.repeat(64), approvalId: OTHER_APPROVAL }] },
        `approved:${OTHER_APPROVAL}:3`,
      ],
    ]);
    const { state, unfinishedSpace, unfinishedAt } = (await stored('record')) ?? {};
    expect({ state, unfinishedSpace, unfinishedAt }).toStrictEqual({
      state: 'suspended',
      unfinishedSpace: `unfinished#${space}`,
      unfinishedAt: NOW + SWEEP_BACKOFF_MS[0],
    });
  });

  it.each(['pending', 'denied', 'expired'] as const)('sends nothing that is %s', async (state) => {
    await saveAll();
    await saveEffect(0, { approvalId: APPROVAL_ID });
    await saveApproval({ state });
    expect(await resume()).toStrictEqual([]);
  });

  it('sends what was approved and then refused for good, so that the signal can end', async () => {
    await saveAll();
    await saveEffect(0, { approvalId: APPROVAL_ID });
    await saveApproval({ state: 'expired', endedBecause: 'refused' });
    expect((await resume()).map(([, name]) => name)).toStrictEqual([`approved:${APPROVAL_ID}:3`]);
  });

  it.each([
    ['approved', [['awaitsLog']]],
    ['pending', []],
  ] as const)('puts back among the unfinished only what is approved: %s', async (state, removed) => {
    await saveAll();
    await saveEffect(0, { approvalId: APPROVAL_ID });
    await saveApproval({ state });
    const asked: unknown[] = [];
    await resume({
      update: (key, changes, ...rest) => {
        asked.push(changes.remove);
        return table.update(key, changes, ...rest);
      },
    });
    expect(asked).toStrictEqual(removed);
  });

  it('sends nothing whose approval is gone, and nothing without a decision', async () => {
    await saveAll();
    await saveEffect(0, { approvalId: APPROVAL_ID });
    expect(await resume()).toStrictEqual([]);
    space = `${space}-b`;
    await saveSignal();
    await saveEffect(0, { approvalId: APPROVAL_ID });
    await saveApproval({ state: 'approved' });
    expect(await resume()).toStrictEqual([]);
  });

  it('puts no signal back that has ended, and reads what stands now', async () => {
    await saveSignal('acted');
    await saveDecision(table, { space, id: ID }, decision());
    await saveEffect(0, { approvalId: APPROVAL_ID });
    await saveEffect(1, { state: 'done' });
    await saveApproval({ state: 'approved' });
    const asked: unknown[] = [];
    await resume({
      query: (query) => {
        asked.push(query);
        return table.query(query);
      },
      load: (keys, options) => {
        asked.push(keys, options);
        return table.load(keys, options);
      },
    });
    expect((await stored('record'))?.unfinishedSpace).toBeUndefined();
    expect(asked).toStrictEqual([
      { pk: signalKeys.partition(space, ID), isConsistent: true },
      [approvalKey(space, APPROVAL_ID)],
      { isConsistent: true },
    ]);
  });
});
