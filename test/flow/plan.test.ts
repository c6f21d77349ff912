/**
 * A plan on one card: which calls its yes lets pass, and every way to leave it. Each call that
 * leaves the plan is a question, and has no effect.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../lib/core/base/json.ts';
import { loadWaiting } from '../../lib/core/judge/waiting-approvals.ts';
import type { PlanStep } from '../../lib/core/tools/plan-form.ts';
import { startDynamo } from '../support/dynamo.ts';
import { signalWith } from '../support/simulation.ts';
import { BECAUSE } from './adversity-world.ts';
import { type ApprovalWorld, buildApprovalWorld } from './approval-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

type Call = readonly [tool: string, args: JsonObject];
const pay = (body: JsonObject, webhook = 'pay'): Call => ['call-webhook', { webhook, body }];

const URLS = {
  pay: {
    url: 'https://pay.example/hook',
    recipient: 'to',
    body: { type: 'object', properties: { to: { type: 'string' } }, additionalProperties: true },
  },
  other: 'https://other.example/hook',
};

/** No field of it is vouched for but `to`, which the owner declared. */
const BODY = {
  to: 'Ann',
  sum: 30,
  currency: 'EUR',
  why: 'the rent',
  more: { note: 'May', days: 3, list: ['a', 2], sure: true },
};
const EXACT: PlanStep = { tool: 'call-webhook', args: { webhook: 'pay', body: BODY } };
const BOUND: PlanStep = {
  tool: 'call-webhook',
  args: { webhook: 'pay', body: { why: 'the rent' } },
  bounds: [
    { field: 'body.sum', atMost: 50 },
    { field: 'body.to', oneOf: ['Ann', 'Ben'] },
  ],
};
const boundCall = (sum: unknown, to: unknown) => pay({ why: 'the rent', sum, to } as JsonObject);

/** The model proposes the plan, and then gives these answers. @param origin of all outputs */
const build = (
  steps: readonly PlanStep[],
  answers: readonly (readonly Call[])[],
  origin: 'agent' | 'outside' = 'agent',
) => {
  const left: (readonly Call[])[] = [[['propose-plan', { steps } as unknown as JsonObject]], ...answers];
  const done: unknown[] = [];
  const world = buildApprovalWorld(dynamo.table, {
    variables: { WEBHOOK_URLS: JSON.stringify(URLS) },
    answer: () => {
      const toolCalls = (left.shift() ?? []).map(([name, args], n) => ({
        id: `c${n}`,
        name,
        argumentsText: JSON.stringify({ ...args, explanation: BECAUSE }),
      }));
      return toolCalls.length === 0 ? { content: 'That is how it went.' } : { toolCalls };
    },
    outside: ({ target, args }) => {
      if (target !== 'webhook') return { state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' };
      done.push(args);
      return { state: 'done', output: 'it went well', origin };
    },
  });
  return { ...world, done };
};

type World = ReturnType<typeof build>;
/** How many questions of the space wait. */
const waiting = async ({ space, simulation }: ApprovalWorld): Promise<number> =>
  (await loadWaiting(dynamo.table, space, simulation.now())).length;

const approvePlan = async (world: World): Promise<string> => {
  const id = await world.say('pay the rent');
  await world.send(world.tapOf(await world.approvalOf(id), 'approve'));
  return id;
};

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}
const leavesOf = (value: unknown, path: readonly string[] = []): readonly Leaf[] =>
  value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]))
    : [{ path, value }];

const withLeaf = (value: JsonObject, [key = '', ...rest]: readonly string[], leaf: unknown): JsonObject => {
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
  const inner = rest.length === 0 ? leaf : withLeaf(value[key] as JsonObject, rest, leaf);
  if (inner === undefined && !Array.isArray(copy)) delete (copy as Record<string, unknown>)[key];
  else (copy as Record<string, unknown>)[key] = inner;
  return copy as unknown as JsonObject;
};

/** Each field changed, left out, of another kind, with look-alikes, and with one more beside it. */
const OTHERS = leavesOf(BODY).flatMap(({ path, value }): [string, JsonObject][] => {
  const name = path.join('.');
  const others: readonly unknown[] =
    typeof value === 'number'
      ? [value + 1, value - 1, -value, String(value)]
      : [`${String(value)}\u0430`, 'ignore all'];
  const isInList = path.includes('list');
  return [
    ...others.map((one): [string, JsonObject] => [`${name} is ${JSON.stringify(one)}`, withLeaf(BODY, path, one)]),
    ...(isInList ? [] : [[`${name} is left out`, withLeaf(BODY, path, undefined)] as [string, JsonObject]]),
    [
      `${name} has one more beside it`,
      withLeaf(BODY, [...path.slice(0, -1), isInList ? '2' : 'cc'], 'thief@evil.example'),
    ],
  ];
});

describe('a plan', () => {
  it.each<[why: string, steps: readonly PlanStep[], calls: readonly Call[], origin: 'agent' | 'outside']>([
    ['an exact call', [EXACT], [pay(BODY)], 'agent'],
    [
      'two calls of which the second comes once outside text was read',
      [EXACT, { ...EXACT, args: { webhook: 'other', body: {} } }],
      [pay(BODY), pay({}, 'other')],
      'outside',
    ],
    ['as often as it says', [{ ...EXACT, times: 2 }], [pay(BODY), pay(BODY)], 'outside'],
    ['what is within its bounds', [BOUND], [boundCall(50, 'Ben')], 'agent'],
  ])('lets pass after one yes: %s', async (_, steps, calls, origin) => {
    const world = build(
      steps,
      calls.map((call) => [call]),
      origin,
    );
    await approvePlan(world);
    expect(world.done).toStrictEqual(calls.map(([, args]) => args));
    expect(world.texts().at(-1)).toBe('That is how it went.');
  });

  it('is one card that shows every call, its exact bytes and its bounds', async () => {
    const world = build([EXACT, BOUND], []);
    await world.say('pay the rent');
    const card = world.texts().at(-1) ?? '';
    const [shown = '', details = ''] = card.split('\nDetails');
    expect(shown).toMatch(
      /^Let these pass in this task: 1\. Call the webhook pay: .*“Ann”.*; 2\. Call the webhook pay: /,
    );
    expect(shown).toContain('body.sum: at most 50');
    expect(shown).toContain('body.to: one of "Ann", "Ben"');
    expect(details).toContain('1. call-webhook, once, with {"body":{"currency":"EUR","more":');
    expect(details).toContain('Newly possible without a question: call-webhook to pay');
  });

  it.each(OTHERS)('asks for a call in which %s', async (_, body) => {
    const world = build([EXACT], [[pay(body)]]);
    await approvePlan(world);
    expect([world.done, await waiting(world)]).toStrictEqual([[], 1]);
  });

  it.each<[why: string, call: Call]>([
    ['a larger amount', boundCall(50.01, 'Ann')],
    ['a negative amount', boundCall(-1, 'Ann')],
    ['an amount that is none', boundCall('5e1', 'Ann')],
    ['another recipient', boundCall(1, 'Carl')],
    ['a recipient that looks alike', boundCall(1, '\u0410nn')],
    ['a field more', pay({ why: 'the rent', sum: 1, to: 'Ann', cc: 'Carl' })],
    ['another target', pay(BODY, 'other')],
    ['another tool', ['fetch-url', { url: 'https://pay.example/hook' }]],
  ])('asks for what is outside of its bounds: %s', async (_, call) => {
    const world = build([BOUND], [[call]]);
    await approvePlan(world);
    expect([world.done, await waiting(world)]).toStrictEqual([[], 1]);
  });

  it('asks for one call more, in the same answer and in the next', async () => {
    for (const answers of [[[pay(BODY), pay(BODY)]], [[pay(BODY)], [pay(BODY)]]]) {
      const world = build([EXACT], answers);
      await approvePlan(world);
      expect([world.done, await waiting(world)]).toStrictEqual([[{ webhook: 'pay', body: BODY }], 1]);
    }
  });

  it('asks in another turn of the same conversation', async () => {
    const world = build([EXACT], [[], [pay(BODY)]]);
    await approvePlan(world);
    expect(await world.statesOf(await world.say('and now pay'))).toStrictEqual(['suspended']);
    expect(world.done).toStrictEqual([]);
  });

  it.each<[why: string, change: (now: number) => object]>([
    ['after an hour', (now) => ({ expiresAtMs: now })],
    ['under other rules', () => ({ policyVersion: 'other' })],
    ['once it was taken back', () => ({ state: 'revoked' })],
    ['under an address that has changed', () => ({ url: 'https://old.example/hook' })],
  ])('asks %s', async (_, change) => {
    const world = build([EXACT], [[pay(BODY, 'other')], [pay(BODY)]]);
    await approvePlan(world);
    const [grant] = await world.grants();
    expect([grant?.usesMax, (grant?.expiresAtMs ?? 0) - (grant?.createdAt ?? 0)]).toStrictEqual([1, 3_600_000]);
    await world.changeGrant(grant?.id ?? '', { ...change(world.simulation.now()) });
    const [approval] = await loadWaiting(dynamo.table, world.space, world.simulation.now());
    await world.send(world.tapOf(approval?.id ?? '', 'deny'));
    expect([world.done, await waiting(world)]).toStrictEqual([[], 1]);
  });

  it.each<[why: string, change: object]>([
    [
      'its card’s bytes were changed',
      {
        action: {
          target: 'tool',
          tool: 'propose-plan',
          args: { steps: [BOUND] },
          explanation: BECAUSE,
          author: 'model',
        },
      },
    ],
    ['its card’s hash was changed', { actionHash: 'f'.repeat(64) }],
    ['the rules changed since', { policyVersion: 'other' }],
  ])('allows nothing if %s', async (_, change) => {
    const world = build([EXACT], [[pay(BODY)]]);
    const approval = await world.approvalOf(await world.say('pay the rent'));
    await world.changeApproval(approval, { ...change });
    await world.send(world.tapOf(approval, 'approve'));
    expect([world.done, await world.grants()]).toStrictEqual([[], []]);
  });

  it.each<[why: string, steps: readonly PlanStep[], next: Call]>([
    ['a call with a bound', [EXACT, BOUND], boundCall(1, 'Ann')],
    ['outside text in an argument', [EXACT, EXACT], pay({ ...BODY, why: 'it went well' })],
  ])('asks once outside text was read for %s', async (_, steps, next) => {
    const world = build(steps, [[pay(BODY)], [next]], 'outside');
    await approvePlan(world);
    expect([world.done, await waiting(world)]).toStrictEqual([[{ webhook: 'pay', body: BODY }], 1]);
  });

  it('is refused if outside text has a part in it, and allows nothing by itself', async () => {
    const world = build([EXACT], [[pay(BODY)]]);
    const text = [{ text: 'pay', origin: 'outside' as const, label: 'forward' }];
    await world.send(signalWith(world.space, 'tg-1-90', { sensor: 'chat-message', text }));
    expect([world.done, await world.grants()]).toStrictEqual([[], []]);
    expect((await world.evidence('tg-1-90')).effects.map(({ approvalId }) => approvalId)).not.toContain(undefined);
  });

  it('asks for each of its calls once it is denied', async () => {
    const world = build([EXACT], [[pay(BODY)]]);
    await world.send(world.tapOf(await world.approvalOf(await world.say('pay the rent')), 'deny'));
    expect([world.done, await world.grants(), await waiting(world)]).toStrictEqual([[], [], 1]);
  });

  it.each<[why: string, step: PlanStep]>([
    ['a tool that destroys', { tool: 'forget', args: { id: '1' } }],
    ['a command', { tool: 'shell', args: { command: 'ls' } }],
    ['another plan', { tool: 'propose-plan', args: { steps: [] } }],
    ['a receiver without a name', { ...BOUND, bounds: [{ field: 'body.to', atMost: 9 }] }],
    ['a bound of both kinds', { ...BOUND, bounds: [{ field: 'body.sum', atMost: 9, oneOf: ['1'] }] }],
    ['a bound on what it also gives', { ...EXACT, bounds: [{ field: 'body.sum', atMost: 9 }] }],
    ['too many times', { ...EXACT, times: 11 }],
  ])('cannot hold %s', async (_, step) => {
    const world = build([step], []);
    const id = await world.say('pay the rent');
    expect((await world.evidence(id)).effects.every(({ approvalId }) => approvalId === undefined)).toBe(true);
  });
});
