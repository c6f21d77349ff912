import { describe, expect, it } from 'vitest';
import { AFTERS, buildGuards } from '../../../../functions/act/features.ts';
import type { Action } from '../../../../lib/core/signal/action.ts';
import type { Effect } from '../../../../lib/core/signal/decision.ts';
import type { ActTurn, Task } from '../../../../lib/core/stages/act/act-context.ts';
import { askGuards, type Look } from '../../../../lib/core/stages/act/guard.ts';
import type { Write } from '../../../../lib/core/store/table.ts';
import { DEFAULT_CAPS } from '../../../support/default-caps.ts';
import { CALL, NOW, sampleEffect, sampleSignal, sampleTask, sampleTurn, TEXT } from './sample-task.ts';

const write = (name: string): Write => ({ kind: 'put', key: { pk: 'p', sk: name }, item: {} });
const adds = (name: string): Look => ({ atClaim: async () => ({ writes: [write(name)] }) });
const DONE = { state: 'done', output: 'later' } as const;
const settles: Look = { atClaim: async () => ({ writes: [write('settle')], settled: DONE, isLater: true }) };

describe('askGuards', () => {
  const { judged } = sampleTask(sampleSignal(), TEXT);
  const ask = (looks: readonly Look[]) => askGuards(looks, { judged, now: NOW });

  it('adds up what the guards add, the writes that settle the effect last', async () => {
    const priced: Look = { atClaim: async () => ({ writes: [write('pay')], costUsd: 5 }) };
    expect(await ask([priced, settles, adds('count'), {}])).toStrictEqual({
      writes: [write('pay'), write('count'), write('settle')],
      costUsd: 5,
      settled: DONE,
      isLater: true,
    });
    expect(await ask([])).toStrictEqual({ writes: [] });
  });

  it('shows a guard which one before it settles the effect', async () => {
    const seen: unknown[] = [];
    const looks: Look = { atClaim: async ({ settling }) => void seen.push(settling?.settled) };
    await ask([looks, settles, looks]);
    expect(seen).toStrictEqual([undefined, DONE]);
  });

  it('ends with the first problem, and asks no further guard', async () => {
    const asked: Look = { atClaim: () => Promise.reject(new Error('it was asked')) };
    const problem = { problem: 'too many notes' };
    expect(await ask([adds('pay'), { atClaim: async () => problem }, asked])).toStrictEqual(problem);
  });
});

describe('the list of Act', () => {
  const guards = buildGuards({ caps: DEFAULT_CAPS, webhookCosts: new Map([['lamp', 7]]) });
  const settings = (field: string, value: string): ActTurn['settings'] => ({
    schemaVersion: 1,
    round: 0,
    fields: { [field]: { value, by: 'telegram:7', at: 1 } },
  });
  const taken = (
    action: Action,
    { turn = {}, ends = {}, ...changes }: { turn?: Partial<ActTurn>; ends?: Partial<Effect> } & Partial<Task>,
  ) => {
    const task = sampleTask(sampleSignal(), action, changes);
    const asSampled = sampleTurn(task);
    const decision = { ...asSampled.decision, attemptCount: 1 };
    const whole: ActTurn = { ...asSampled, decision, ...turn };
    const effects = [sampleEffect({ state: 'done', ...ends })];
    const done = { effects, all: effects, goesOn: false, state: 'acted' } as const;
    return [
      ...guards.filter(({ takes }) => takes(whole, task)).map(({ name }) => name),
      ...AFTERS.filter(({ takes }) => takes(whole, done)).map(({ name }) => name),
    ];
  };
  const ALWAYS = ['next signal', 'ended'];
  const ONE_BY_ONE = 'voice, doubt, channel back, machine away, login ended';

  it.each<[string, Action, Parameters<typeof taken>[1], readonly string[]]>([
    ['an answer', TEXT, {}, []],
    ['a price', CALL, {}, ['money']],
    ['a price that an earlier claim paid', CALL, { effect: sampleEffect() }, []],
    ['a text of a job', TEXT, { signal: { ...sampleSignal(), session: 'job:tidy' } }, ['share']],
    ['a step of a run', CALL, { signal: { ...sampleSignal(), id: 'run-1/s1' } }, ['money', 'runs']],
    ['a chat with mute hours', TEXT, { turn: { settings: settings('mute.7', '22:00-07:00') } }, ['mute']],
    ['a text that failed', TEXT, { ends: { state: 'failed' } }, [ONE_BY_ONE]],
    ['a text that waited', TEXT, { ends: { waitingSince: 1 } }, [ONE_BY_ONE]],
    ['a text that was refused', TEXT, { ends: { state: 'refused' } }, ['refused']],
    ['a command', { ...CALL, to: 'free', author: 'owner' }, {}, ['result, file']],
    [
      'a webhook that subscribed',
      TEXT,
      { turn: { settings: settings('hook.lamp', 'effect.failed') } },
      ['subscriptions'],
    ],
    ['added skills', TEXT, { turn: { records: { skills: {} } } }, ['skill events']],
  ])('has for %s the rows that it needs, and loads no other', (_, action, changes, expected) => {
    expect(taken(action, changes).filter((name) => !ALWAYS.includes(name))).toStrictEqual(expected);
  });
});
