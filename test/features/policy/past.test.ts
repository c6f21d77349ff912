import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analysePolicy } from '../../../infra/features/policy/analyse-policy.ts';
import { importCedar } from '../../../lib/core/judge/code/cedar-engine.ts';
import { NO_TARGETS, type Targets } from '../../../lib/core/judge/declared.ts';
import type { Counts, Vouched } from '../../../lib/core/judge/space-policy.ts';
import { type Key, signalKeys } from '../../../lib/core/store/keys.ts';
import type { Item } from '../../../lib/core/store/table.ts';
import { compilePolicy } from '../../../lib/features/policy/compile-policy.ts';
import { buildPastAt, type Happened, readPastFor } from '../../../lib/features/policy/past.ts';
import { NO_COUNTS, NO_PAST } from '../../../lib/features/policy/policy-domain.ts';
import { AMOUNT_MAX, vouchedOf } from '../../../lib/features/policy/vouched.ts';
import { webhookCall } from '../../core/gates/samples.ts';

const cedar = await importCedar();
const rule = (condition: string): string => `forbid(principal, action, resource) when { ${condition} };`;

describe('policy check', () => {
  it.each([
    ['context.past.to.day >= 3', false],
    ['context.past.tool.failedTo == "release"', false],
    ['context.past.to.week >= 3', true],
    ['context.past.same.ever == "never"', true],
    ['context.past.minutesSinceOutside', true],
    ['context.amount + context.past.to.amount > 50000', false],
    ['context.past.same.denied > 0 || context.past.tool.inFlight > 0', false],
    ['context.past.tool.approvedTurn == 0 && context.past.to.approvedHere == 0', false],
    ['context.past.to.minutesSince < 15 || context.past.localHour < 7', false],
    ['context.past.to.amount > "much"', true],
    ['context.past.inFlight > 0', true],
  ])('knows the types of the past: %s', (condition, isProblem) => {
    expect(analysePolicy(cedar, rule(condition)).problems.length > 0).toBe(isProblem);
  });

  it('finds nothing wrong with the examples of the page', () => {
    const page = readFileSync(new URL('../../../lib/features/policy/writing.md', import.meta.url), 'utf8');
    const examples =
      [...page.matchAll(/```cedar\n(.*?)```/gs)].map(([, text = '']) => text).find((text) => text.includes('past')) ??
      '';
    const { problems, never, idle } = analysePolicy(cedar, examples);
    expect([problems, never, idle, examples.match(/@id/g)?.length]).toStrictEqual([[], [], [], 10]);
  });
});

const DECLARED = { recipient: 'to', amount: 'pay.amount', currency: 'pay.currency' };
const TARGETS: Targets = {
  webhookCalls: { tickets: DECLARED },
  findTool: (name) => (name === 'mcp-bank-pay' ? { ...DECLARED, remote: 'pay' } : undefined),
};

describe('vouchedOf', () => {
  const URL_OF_IT = webhookCall().url;
  const eur = (amount: unknown, others: object = {}) => ({ pay: { amount, currency: 'EUR' }, ...others });
  it.each<[object | undefined, Partial<Vouched>]>([
    [eur(12, { to: ' Ann@Example.org\u200b ' }), { recipient: 'ann@example.org', amount: 1_200 }],
    [eur(0.301, { to: 49 }), { recipient: '49', amount: 31 }],
    [eur('12.50', { amount: 3, To: 'x' }), { amount: 1_250 }],
    [eur(-5, { to: ['a', 'b'] }), { recipient: '["a","b"]', amount: 500 }],
    [{ pay: { amount: 12 } }, { amount: AMOUNT_MAX }],
    ...['a lot', '1e3', { of: 3 }, 1e300, null, undefined].map((amount): [object, Partial<Vouched>] => [
      eur(amount),
      { amount: AMOUNT_MAX },
    ]),
    [undefined, { amount: AMOUNT_MAX }],
  ])('reads the declared fields of %j', (body, vouched) => {
    const args = body === undefined ? {} : JSON.parse(JSON.stringify({ body }));
    const expected = { recipient: undefined, url: URL_OF_IT, ...vouched };
    expect(vouchedOf(webhookCall({ args }), TARGETS)).toStrictEqual(expected);
    const tool = webhookCall({ tool: 'mcp-bank-pay', to: 'mcp-bank', args: args.body });
    expect(vouchedOf(tool, TARGETS)).toStrictEqual(expected);
  });

  it.each<[string, Parameters<typeof webhookCall>[0], Vouched]>([
    [
      'a webhook that declares nothing',
      { to: 'plain' },
      { recipient: undefined, amount: undefined, url: URL_OF_IT ?? '' },
    ],
    ['a text', { target: 'telegram', to: '77', url: 'x' }, { recipient: '', amount: 0, url: 'x' }],
    ['a tool of our own', { target: 'tool', tool: 'rollback', url: 'x' }, { recipient: '', amount: 0, url: 'x' }],
  ])('takes %s for itself', (_, changes, vouched) => {
    const args = { to: 'x', amount: 5, body: { to: 'x', amount: 5 } };
    expect(vouchedOf(webhookCall({ args, ...changes }), TARGETS)).toStrictEqual(vouched);
  });
});

describe('a rule about what nobody vouches for', () => {
  const judge = (condition: string, call: object) => {
    const policy = compilePolicy(cedar, `${rule(condition)} permit(principal, action, resource);`);
    const { tool, to, ...others } = NO_PAST;
    return policy.rule({
      ...{ space: 'default', origin: 'owner', session: 's', now: 0, isPlainReply: false, targets: TARGETS },
      past: { ...others, tool, to: { ...to, isFirst: false } },
      action: webhookCall(call),
    }).tier;
  };
  const declared = { args: { webhook: 'tickets', body: { to: 'x', pay: { amount: 1, currency: 'EUR' } } } };
  const unread = { args: { webhook: 'tickets', body: {} } };
  const undeclared = { to: 'plain', args: { webhook: 'plain', body: { to: 'x', amount: 1 } } };

  it.each([
    ['context.amount > 50000'],
    ['context.past.to.amount > 50000'],
    ['context.past.tool.amount > 50000'],
    ['context.past.to.isFirst'],
  ])('takes it for the largest, and for new: %s', (condition) => {
    const tiers = [declared, unread, undeclared].map((call) => judge(condition, call));
    expect(tiers).toStrictEqual(['allow', 'deny', 'deny']);
  });
});

describe('buildPastAt', () => {
  const HOUR = 3_600_000;
  const action = webhookCall({ args: { body: { pay: { amount: 0, currency: 'EUR' } } } });
  const other = { ...action, explanation: 'another reason' };
  const paid = { ...action, args: { body: { pay: { amount: '12.50', currency: 'EUR' } } } };
  const begun = (at: number, changes: Partial<Happened> = {}): Happened => ({
    ...{ at, action, id: 'con-9#0', session: 'console:other' },
    hasFailed: false,
    isDenied: false,
    bringsOutside: true,
    endedAt: at,
    ...changes,
  });
  const now = 40 * HOUR;
  const moment = { now, origin: 'owner', session: 'console:here', before: { signalId: 'con-1/m0' } } as const;
  const some = (counts: Partial<Counts>): Counts => ({ ...NO_COUNTS, ...counts });
  const zone = 'Asia/Tokyo';
  it.each([
    ['nothing', [], { ...NO_PAST, localHour: 1 }],
    [
      'one a moment ago, with a yes in this turn and conversation, for another reason',
      [begun(now - 5 * 60_000, { action: other, isApproved: true, session: 'console:here', id: 'con-1#2' })],
      (() => {
        const one = some({
          ...{ hour: 1, day: 1, minutesSince: 5, approved: 1, approvedTurn: 1, approvedHere: 1 },
        });
        return {
          tool: { ...one, failedTo: '' },
          to: { ...one, isFirst: false },
          same: { ...one, ever: 1 },
          ...{ minutesSinceOutside: 5, localHour: 1 },
        };
      })(),
    ],
    [
      'one within the day that failed, one before it, and one that comes later',
      [
        begun(now - 2 * HOUR, { hasFailed: true }),
        begun(now - 30 * HOUR, { id: 'con-8#0' }),
        begun(now + 1, { id: 'con-8#1' }),
      ],
      {
        tool: { ...some({ day: 1, minutesSince: 120 }), failedTo: action.to },
        to: { ...some({ day: 1, minutesSince: 120 }), isFirst: false },
        same: { ...some({ day: 1, minutesSince: 120 }), ever: 2 },
        ...{ minutesSinceOutside: 120, localHour: 1 },
      },
    ],
    [
      'one denied, one in flight that had a yes elsewhere, and what they cost',
      [
        begun(now - HOUR / 2, { action: paid, isDenied: true, id: 'con-7#0' }),
        begun(now - 2 * HOUR, { action: paid, isApproved: true, endedAt: undefined }),
        begun(now - 3 * HOUR, { action: paid, id: 'con-8#0', endedAt: now + 1 }),
      ],
      {
        tool: {
          ...some({ day: 2, minutesSince: 120, inFlight: 2, denied: 1, approved: 1, amount: 2_500 }),
          failedTo: '',
        },
        to: {
          ...some({ day: 2, minutesSince: 120, inFlight: 2, denied: 1, approved: 1, amount: 2_500 }),
          isFirst: false,
        },
        same: { ...NO_COUNTS, ever: 0 },
        ...{ minutesSinceOutside: 120, localHour: 1 },
      },
    ],
  ])('counts %s', (_, happened, past) => {
    expect(buildPastAt(happened, zone, TARGETS)(action, moment)).toStrictEqual(past);
    expect(buildPastAt(happened)(action, { ...moment, origin: 'outside' }).minutesSinceOutside).toBe(0);
  });
});

describe('readPastFor', () => {
  const action = webhookCall();
  const now = 40 * 3_600_000;
  const moment = { space: 'default', now, origin: 'owner', session: 's', targets: NO_TARGETS } as const;
  const begun = (id: string) => ({ at: now - 60_000, id, to: 'hook' });
  /** A table with three actions begun, the last of which has no end. */
  const startTable = async (count = 3) => {
    const requests: number[] = [];
    const items = new Map<string, Item>();
    const keyText = ({ pk, sk }: Key): string => `${pk} ${sk}`;
    const table = {
      load: async (keys: readonly Key[]) => {
        requests.push(keys.length);
        return keys.map((key) => items.get(keyText(key)));
      },
    };
    for (let n = 0; n < count; n += 1) {
      const { count: writesOf } = await readPastFor('past')(table, action, moment);
      for (const write of writesOf(begun(`con-${n}#0`)))
        if (write.kind === 'update') items.set(keyText(write.key), { ...write.key, ...write.change.set });
      items.set(keyText(signalKeys.effect('default', `con-${n}`, 0)), {
        ...signalKeys.effect('default', `con-${n}`, 0),
        state: n === count - 1 ? 'claimed' : 'done',
      });
    }
    requests.length = 0;
    return { table, requests };
  };

  it('reads twice, and more than the newest effect only for a policy that names inFlight', async () => {
    const { table, requests } = await startTable();
    const { past } = await readPastFor('context.past.to.day')(table, action, moment);
    expect([past.to.day, past.to.inFlight, requests]).toStrictEqual([3, 0, [4, 1]]);
    requests.length = 0;
    const { past: looked } = await readPastFor('context.past.to.inFlight')(table, action, moment);
    expect([looked.to.inFlight, looked.tool.inFlight, requests]).toStrictEqual([1, 1, [4, 3]]);
  });

  it('looks at ten actions of a row at most', async () => {
    const { table, requests } = await startTable(30);
    await readPastFor('inFlight')(table, action, moment);
    expect(requests).toStrictEqual([4, 10]);
  });

  it('counts no earlier try of the action itself', async () => {
    const { table } = await startTable();
    const { past } = await readPastFor('inFlight')(table, action, { ...moment, before: { signalId: 'con-2', n: 0 } });
    expect([past.to.day, past.same.ever, past.to.inFlight]).toStrictEqual([2, 2, 0]);
  });
});
