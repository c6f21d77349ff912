/** Whatever an actuator answers and whatever stands already, one action has one visible end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RetryLaterError, UnavailableError, WaitingError } from '../../../../lib/core/base/errors.ts';
import { RECEIVE_COUNT_MAX, RETRY_BACKOFF_MS } from '../../../../lib/core/base/limits.ts';
import { setKillSwitch } from '../../../../lib/core/ledger/kill-switch.ts';
import { packEffect } from '../../../../lib/core/ledger/ledger.ts';
import { pairedChatKey } from '../../../../lib/core/ledger/paired-chats.ts';
import type { Action } from '../../../../lib/core/signal/action.ts';
import type { Actuator, ActuatorContext, ActuatorResult } from '../../../../lib/core/signal/actuator.ts';
import type { Effect } from '../../../../lib/core/signal/decision.ts';
import type { GrantFacts } from '../../../../lib/core/signal/facts.ts';
import type { Signal } from '../../../../lib/core/signal/signal.ts';
import type { ActDeps, Task } from '../../../../lib/core/stages/act/act-context.ts';
import { performAction } from '../../../../lib/core/stages/act/perform.ts';
import { approvalKey, grantKey, type Key, signalKeys } from '../../../../lib/core/store/keys.ts';
import type { Item, Table } from '../../../../lib/core/store/table.ts';
import { startDynamo, type TestDynamo } from '../../../support/dynamo.ts';
import {
  APPROVAL_ID,
  CALL,
  GRANT_ID,
  gateSetOf,
  NOW,
  putRecord,
  sampleDeps,
  sampleEffect,
  sampleGrant,
  sampleSignal,
  sampleTask,
  sampleTurn,
  TEXT,
} from './sample-task.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const KINDS: readonly Actuator['kind'][] = ['once', 'idempotent'];
const DONE: ActuatorResult = { state: 'done', output: 'ok', origin: 'agent' };
const AWAY: ActuatorResult = { state: 'retry', reason: 'it is away' };
const ASK = { verdict: 'ask', reason: 'it costs money' } as const;

interface Case {
  readonly kind?: Actuator['kind'];
  readonly action?: Action;
  /** Answer of the actuator. */
  readonly result?: ActuatorResult;
  /** The stored effect. */
  readonly row?: Partial<Effect>;
  readonly deps?: Partial<ActDeps>;
  readonly task?: (signal: Signal) => Partial<Task>;
  /** Runs before the action is performed. */
  readonly before?: (signal: Signal) => Promise<unknown>;
}

const load = async (key: Key): Promise<Item | undefined> => {
  const [item] = await dynamo.table.load([key], { isConsistent: true });
  return item;
};

/** Performs one action. @returns what became of it, and what the actuator was asked for */
const perform = async ({ kind = 'once', action = CALL, result = DONE, row, ...rest }: Case) => {
  const signal = sampleSignal();
  const delivered: ActuatorContext[] = [];
  const actuator: Actuator = {
    kind,
    deliver: async (_, context) => {
      delivered.push(context);
      return result;
    },
  };
  const effect = row === undefined ? undefined : sampleEffect(row);
  await putRecord(dynamo.table, signal);
  if (effect !== undefined)
    await dynamo.table.put(signalKeys.effect(signal.space, signal.id, 0), { ...packEffect(effect) });
  await rest.before?.(signal);
  const actuators = new Map([
    ['webhook', actuator],
    ['telegram', actuator],
  ]);
  const deps = sampleDeps(dynamo.table, { actuators, ...rest.deps });
  const task = sampleTask(signal, action, { effect, ...rest.task?.(signal) });
  const performed = await performAction(deps, sampleTurn(task), task).then(
    (one) => ({ asked: undefined, ...one }),
    (error: unknown) => error,
  );
  return { performed, delivered, signal, stored: await load(signalKeys.effect(signal.space, signal.id, 0)) };
};

const endOf = (state: Effect['state'], changes: Partial<Effect> = {}) => ({
  effect: { state, ...changes },
  asked: undefined,
  isTooMany: false,
});

describe('performAction, by what the actuator answers', () => {
  it.each<[ActuatorResult, Partial<Effect>]>([
    [DONE, { state: 'done', output: 'ok', outputOrigin: 'agent' }],
    [
      { state: 'failed', reason: 'no' },
      { state: 'failed', reason: 'no' },
    ],
    [
      { state: 'unknown', reason: 'lost' },
      { state: 'unknown', reason: 'lost' },
    ],
  ])('ends %j as %j, whatever the kind', async (result, expected) => {
    for (const kind of KINDS) {
      const { performed, delivered, stored } = await perform({ kind, result });
      expect(performed).toMatchObject({ effect: { ...expected, tries: 1, settledAt: NOW }, asked: undefined });
      expect(stored).toMatchObject({ ...expected, tries: 1 });
      expect(delivered).toHaveLength(1);
    }
  });

  it('gives a claim back if nothing was performed, whatever the kind, until its tries are over', async () => {
    for (const kind of KINDS) {
      const first = await perform({ kind, result: AWAY });
      expect(first.performed).toStrictEqual(new RetryLaterError('it is away', RETRY_BACKOFF_MS[0]));
      expect(first.stored).toMatchObject({ state: 'claimed', isReleased: true, leaseUntil: 0, tries: 1 });
      const row = { isReleased: true, leaseUntil: 0, tries: RECEIVE_COUNT_MAX - 1 };
      const last = await perform({ kind, result: AWAY, row });
      expect(last.performed).toMatchObject(endOf('failed', { tries: RECEIVE_COUNT_MAX }));
    }
  });

  it('lets a text wait for its channel', async () => {
    const { performed, stored } = await perform({ action: TEXT, result: AWAY });
    expect(performed).toBeInstanceOf(WaitingError);
    expect(stored).toMatchObject({ state: 'claimed', waitingSince: NOW, isReleased: true });
  });

  it('tells the actuator the effect, what was judged, and which parts went out before', async () => {
    const row = { actuator: 'telegram', waitingSince: NOW - 1, sentIds: [4], isReleased: true, leaseUntil: 0 };
    const { delivered, signal } = await perform({ action: TEXT, row });
    expect(delivered).toStrictEqual([
      {
        effectId: `${signal.space}/${signal.id}#0`,
        now: NOW,
        addresses: [],
        origin: 'owner',
        askedBy: 'approver',
        signalId: signal.id,
        session: signal.session,
        isInGroup: false,
        endsWork: false,
        language: 'en',
        lines: '',
        sentIds: [4],
        actor: 'agent',
        policyVersion: 'p',
      },
    ]);
  });
});

describe('performAction, by what stands already', () => {
  it.each<Partial<Effect>>([
    { state: 'done' },
    { state: 'failed' },
    { state: 'refused' },
    { state: 'suspended' },
    { state: 'unknown' },
    { state: 'unknown', resolution: 'done' },
  ])('leaves %j as it is', async (row) => {
    for (const kind of KINDS) {
      const { performed, delivered, stored } = await perform({ kind, row });
      expect(performed).toMatchObject(endOf(row.state ?? 'done'));
      expect(stored).toMatchObject(packEffect(sampleEffect(row)));
      expect(delivered).toStrictEqual([]);
    }
  });

  it('tries again what a person wants to be tried again', async () => {
    const { performed, delivered } = await perform({ row: { state: 'unknown', resolution: 'retry', tries: 1 } });
    expect(performed).toMatchObject(endOf('done', { tries: 2 }));
    expect(delivered).toHaveLength(1);
  });

  const OVER = { state: 'claimed', claim: 'run1-old', leaseUntil: NOW - 1, tries: 1 } as const;
  const EDIT: Action = { ...TEXT, author: 'code', template: 'card', edits: { message: 5 } };
  it.each<[string, Case, 'again' | 'unknown']>([
    ['its lease is over, once', { kind: 'once', row: OVER }, 'unknown'],
    ['its lease is over, idempotent', { kind: 'idempotent', row: OVER }, 'again'],
    ['it was given back', { kind: 'once', row: { ...OVER, isReleased: true } }, 'again'],
    ['it edits a message', { action: EDIT, row: { ...OVER, actuator: 'telegram' } }, 'again'],
    [
      'its run is dead, once',
      { kind: 'once', row: { ...OVER, leaseUntil: NOW + 9 }, deps: { stackRun: 'run2-' } },
      'unknown',
    ],
    [
      'its run is dead, idempotent',
      { kind: 'idempotent', row: { ...OVER, leaseUntil: NOW + 9 }, deps: { stackRun: 'run2-' } },
      'again',
    ],
  ])('judges a claim of which %s', async (_, made, expected) => {
    const { performed, delivered, stored } = await perform(made);
    expect(performed).toMatchObject(endOf(expected === 'again' ? 'done' : 'unknown'));
    expect(delivered).toHaveLength(expected === 'again' ? 1 : 0);
    expect(stored?.tries).toBe(expected === 'again' ? 2 : 1);
  });

  it.each<[string, Case]>([
    ['lasts', { row: { ...OVER, leaseUntil: NOW + 9 } }],
    ['lasts, and is of this run', { row: { ...OVER, leaseUntil: NOW + 9 }, deps: { stackRun: 'run1-' } }],
  ])('comes later while the lease %s', async (_, made) => {
    for (const kind of KINDS) {
      const { performed, delivered, stored } = await perform({ ...made, kind });
      expect(performed).toStrictEqual(new RetryLaterError('another delivery holds the claim', 10));
      expect(performed).toMatchObject({ afterMs: 10 });
      expect(stored).toMatchObject(packEffect(sampleEffect(made.row)));
      expect(delivered).toStrictEqual([]);
    }
  });

  it('comes later while a text waits, and says why', async () => {
    const row = { ...OVER, isReleased: true, leaseUntil: NOW + 9, waitingSince: NOW - 1, reason: 'it is away' };
    const { performed } = await perform({ action: TEXT, row: { ...row, actuator: 'telegram' } });
    expect(performed).toStrictEqual(new WaitingError('it is away', 10));
  });
});

describe('performAction, by what may not be', () => {
  const BLOCK = gateSetOf({ verdict: 'block', reason: 'nobody may' });
  const judgedAs = (outcome: 'ask' | 'block') => (signal: Signal) => {
    const { judged } = sampleTask(signal, CALL);
    const trace = [{ gate: 'first', verdict: outcome, reason: 'it was decided so' }];
    return { judged: { ...judged, outcome, trace } };
  };
  it.each<[string, Case]>([
    ['the action at hand is not the one that was decided', { task: () => ({ namedHash: 'another' }) }],
    ['it was decided so', { task: judgedAs('block') }],
    ['nobody may', { deps: { gateSet: BLOCK } }],
    ['no approval was given: it costs money', { deps: { gateSet: gateSetOf(ASK) } }],
    ['there is no actuator webhook here', { deps: { actuators: new Map() } }],
    ['a guard said no before', { task: () => ({ looks: [{ over: 'a guard said no before' }] }) }],
    ['too many notes', { task: () => ({ looks: [{ atClaim: async () => ({ problem: 'too many notes' }) }] }) }],
  ])('refuses it because %s', async (reason, made) => {
    for (const row of [undefined, { leaseUntil: 0, isReleased: true }]) {
      const { performed, delivered, stored } = await perform({ ...made, ...(row === undefined ? {} : { row }) });
      expect(performed).toMatchObject(endOf('refused', { reason, settledAt: NOW }));
      expect(stored).toMatchObject({ state: 'refused', reason });
      expect(delivered).toStrictEqual([]);
    }
  });

  it('does not refuse what may be done: it ends as unknown, and keeps its claim', async () => {
    const row = { claim: 'old', claimedAt: NOW - 9, leaseUntil: NOW - 1, tries: 1 };
    const { performed, delivered, stored } = await perform({ kind: 'idempotent', row, deps: { gateSet: BLOCK } });
    const reason = 'it was begun before, and may be done: nobody may';
    expect(performed).toMatchObject(endOf('unknown', { reason, settledAt: NOW }));
    expect(stored).toMatchObject({ state: 'unknown', reason, claim: 'old', claimedAt: NOW - 9, tries: 1 });
    expect(delivered).toStrictEqual([]);
  });

  it('refuses what the kill switch stopped after the claim, but no text of the code', async () => {
    const before = ({ space }: Signal) =>
      setKillSwitch(dynamo.table, space, { isStopped: true, by: 'telegram:7', at: NOW });
    const stopped = await perform({ before });
    expect(stopped.performed).toMatchObject(endOf('refused', { reason: 'stopped before it was performed' }));
    expect(stopped.delivered).toStrictEqual([]);
    const again = await perform({ kind: 'idempotent', row: { leaseUntil: NOW - 1 }, before });
    expect(again.performed).toMatchObject(
      endOf('unknown', { reason: 'it was begun before, and may be done: stopped before it was performed' }),
    );
    const notice = await perform({ action: { ...TEXT, author: 'code', template: 'notice' }, before });
    expect(notice.performed).toMatchObject(endOf('done'));
  });

  it('gives back a claim if the kill switch cannot be read', async () => {
    const away = new UnavailableError('the table did not answer');
    const table: Table = { ...dynamo.table, load: () => Promise.reject(away) };
    const { performed, delivered, stored } = await perform({ deps: { table } });
    expect(performed).toBe(away);
    expect(stored).toMatchObject({ state: 'claimed', isReleased: true, leaseUntil: 0 });
    expect(delivered).toStrictEqual([]);
  });

  it('comes later if another delivery claims it between its reading and its claim', async () => {
    const before = ({ space, id }: Signal) =>
      dynamo.table.put(signalKeys.effect(space, id, 0), { ...packEffect(sampleEffect({ claim: 'theirs' })) });
    const { performed, delivered, stored } = await perform({ before });
    expect(performed).toStrictEqual(
      new RetryLaterError('another delivery claimed the effect first', RETRY_BACKOFF_MS[0]),
    );
    expect(stored?.claim).toBe('theirs');
    expect(delivered).toStrictEqual([]);
  });

  it('performs a text to the console by storing it', async () => {
    const { performed, stored } = await perform({ action: { ...TEXT, target: 'console', to: 'main' } });
    expect(performed).toMatchObject(endOf('done', { settledAt: NOW }));
    expect(stored).toMatchObject({ state: 'done', actuator: 'console' });
  });
});

describe('performAction, by what a person allowed', () => {
  const gateSet = gateSetOf(ASK);
  const SUSPENDED = { state: 'suspended', approvalId: APPROVAL_ID } as const;
  const asked = (signal: Signal): Task => {
    const task = sampleTask(signal, CALL);
    return { ...task, judged: { ...task.judged, outcome: 'ask' } };
  };
  const approved = (signal: Signal): Partial<Task> => {
    const { judged, factSources } = asked(signal);
    const { hash: actionHash } = judged;
    const facts = { id: APPROVAL_ID, actionHash, policyVersion: 'p', space: signal.space, expiresAt: NOW + 1 };
    const approval = { ...facts, state: 'approved' } as const;
    return { judged, approvalId: APPROVAL_ID, factSources: { ...factSources, consent: { approval } } };
  };
  const granted = (signal: Signal): Partial<Task> => {
    const { judged, factSources } = asked(signal);
    const { hash: actionHash } = judged;
    const facts: GrantFacts = {
      id: GRANT_ID,
      actionHash,
      policyVersion: 'p',
      space: signal.space,
      state: 'live',
      expiresAt: NOW + 1,
      gates: ['only'],
      coversTaint: false,
    };
    const grant = { grant: sampleGrant(signal.space), isSpentHere: false };
    return { judged, grant, factSources: { ...factSources, consent: { grantFor: () => facts } } };
  };
  const putApproval = (state: string) => (signal: Signal) =>
    dynamo.table.put(approvalKey(signal.space, APPROVAL_ID), {
      state,
      actionHash: asked(signal).judged.hash,
      expiresAtMs: NOW + 1,
    });
  const putGrant = (uses: number) => (signal: Signal) =>
    dynamo.table.put(grantKey(signal.space, GRANT_ID), { ...sampleGrant(signal.space, { uses }) });

  it('spends the approval and performs it', async () => {
    const before = putApproval('approved');
    const { performed, delivered, signal } = await perform({
      deps: { gateSet },
      row: SUSPENDED,
      task: approved,
      before,
    });
    expect(performed).toMatchObject(endOf('done', { approvalId: APPROVAL_ID }));
    expect(delivered).toHaveLength(1);
    expect((await load(approvalKey(signal.space, APPROVAL_ID)))?.state).toBe('spent');
  });

  it.each(['denied', 'spent', 'pending', 'expired'])('performs nothing if the approval is %s by now', async (state) => {
    const before = putApproval(state);
    const { performed, delivered, stored } = await perform({
      deps: { gateSet },
      row: SUSPENDED,
      task: approved,
      before,
    });
    expect(performed).toBeInstanceOf(RetryLaterError);
    expect(stored?.state).toBe('suspended');
    expect(delivered).toStrictEqual([]);
  });

  it('spends one use of the grant and performs it', async () => {
    const { performed, signal } = await perform({ deps: { gateSet }, task: granted, before: putGrant(1) });
    expect(performed).toMatchObject(endOf('done', { grantId: GRANT_ID }));
    expect((await load(grantKey(signal.space, GRANT_ID)))?.uses).toBe(2);
  });

  it('asks a person if the last use of the grant is spent by now', async () => {
    const { performed, delivered, stored, signal } = await perform({
      deps: { gateSet },
      task: granted,
      before: putGrant(2),
    });
    expect(performed).toMatchObject({
      effect: { state: 'suspended' },
      asked: { state: 'pending', n: 0 },
    });
    expect(stored).toMatchObject({ state: 'suspended' });
    expect(stored).not.toHaveProperty('grantId');
    expect(delivered).toStrictEqual([]);
    expect((await load(grantKey(signal.space, GRANT_ID)))?.uses).toBe(2);
  });

  it('asks a person about what was asked about when it was decided', async () => {
    const { performed, delivered, stored, signal } = await perform({ deps: { gateSet }, task: asked });
    expect(performed).toMatchObject({ effect: { state: 'suspended', tries: 0 }, isTooMany: false });
    expect(delivered).toStrictEqual([]);
    const approval = await load(approvalKey(signal.space, `${stored?.approvalId}`));
    expect(approval).toMatchObject({ state: 'pending', actionHash: asked(signal).judged.hash, n: 0 });
  });

  it('asks nobody in a stopped conversation', async () => {
    const block = { verdict: 'block', reason: 'stopped' } as const;
    const held = { ...gateSet, gates: [{ name: 'flood', priority: 1, version: 1, check: () => block }] };
    const { performed } = await perform({ deps: { gateSet: held }, task: asked });
    expect(performed).toMatchObject(endOf('refused', { reason: 'stopped' }));
  });

  it('asks about a command of an approver, and refuses that of others', async () => {
    const command: Action = { ...CALL, author: 'owner' };
    const askedFrom = (origin: 'owner' | 'outside') => (signal: Signal) => {
      const { judged, factSources } = sampleTask(signal, command);
      return { judged: { ...judged, outcome: 'ask' as const }, factSources: { ...factSources, origin } };
    };
    const mine = await perform({ action: command, deps: { gateSet }, task: askedFrom('owner') });
    expect(mine.performed).toMatchObject({ effect: { state: 'suspended' } });
    const theirs = await perform({ action: command, deps: { gateSet }, task: askedFrom('outside') });
    expect(theirs.performed).toMatchObject(endOf('refused', { reason: 'only an approver may do this' }));
  });
});

describe('performAction, of a text to a chat', () => {
  it.each<[string, string | undefined, string, readonly string[]]>([
    ['is paired', undefined, 'done', []],
    ['another turn removed', 'tg-1-10#0', 'refused', []],
    ['its own turn removed', 'tg-1-1#0', 'done', []],
    ['is removed, and named by the settings', 'tg-1-10#0', 'done', ['8']],
  ])('that %s', async (_name, remover, state, allowedChats) => {
    const { performed } = await perform({
      action: { ...TEXT, to: '8' },
      deps: { allowedChats },
      before: ({ space }) => {
        const removal = remover === undefined ? {} : { removedAt: 2, removedBy: `${space}/${remover}` };
        return dynamo.table.put(pairedChatKey(space, '8'), { schemaVersion: 1, pairedAt: 1, ...removal });
      },
    });
    expect(performed).toMatchObject({ effect: { state } });
  });
});
