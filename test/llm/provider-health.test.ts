import { describe, expect, it } from 'vitest';
import {
  describeRefusals,
  healthChange,
  healthName,
  isEveryKeyRefused,
  orderByHealth,
  outdatedRefusals,
  refusalName,
} from '../../lib/llm/provider-health.ts';

const endpoint = (name: string) => ({ name, baseUrl: `https://${name}.example/v1`, model: 'm' });
const [a, b, c] = [endpoint('a'), endpoint('b'), endpoint('c')];
const all = [a, b, c];
const marks = (entries: readonly (readonly [typeof a, number])[]) =>
  Object.fromEntries(entries.map(([one, until]) => [healthName(one), until]));

describe('orderByHealth', () => {
  it.each([
    ['keeps the order where nothing is wrong', [], all],
    [
      'puts those that failed last, in their own order',
      [
        [a, 10],
        [b, 10],
      ],
      [c, a, b],
    ],
    [
      'puts one whose time is over back in its place',
      [
        [a, 5],
        [b, 10],
      ],
      [a, c, b],
    ],
  ] as const)('%s', (_, failed, order) => {
    expect(orderByHealth(all, marks(failed), 5)).toStrictEqual(order);
  });
  it('takes a model of the same provider for another endpoint', () => {
    const large = { ...a, model: 'n' };
    expect(orderByHealth([a, large], marks([[a, 10]]), 5)).toStrictEqual([large, a]);
  });
});

describe('healthChange', () => {
  it('marks what is likely to fail again, and heals the one that answered', () => {
    const troubles = [
      { place: 0, fault: 'down' },
      { place: 1, fault: 'request' },
    ] as const;
    expect(healthChange(all, marks([[c, 1]]), troubles, 2)).toStrictEqual({
      unwell: [healthName(a)],
      well: [healthName(c)],
    });
  });
  it('writes nothing where nothing failed, and nothing where there is only one', () => {
    expect(healthChange(all, {}, [], 0)).toStrictEqual({ unwell: [], well: [] });
    expect(healthChange([a], {}, [{ place: 0, fault: 'down' }], undefined)).toStrictEqual({ unwell: [], well: [] });
  });
  it('marks one that refused its key whichever model was asked, also alone, and takes that back when it answers', () => {
    const troubles = [{ place: 0, fault: 'auth' }] as const;
    const away = { away_since: 1, away_seen: 2 };
    expect(healthChange([a], away, troubles, undefined).well).toStrictEqual(['away_since', 'away_seen']);
    expect(healthChange([a], {}, troubles, undefined)).toStrictEqual({ unwell: [refusalName(a), 'auth_a'], well: [] });
    expect(healthChange([a], { auth_a: 9 }, [{ place: 0, fault: 'billing' }], undefined).well).toStrictEqual([
      'auth_a',
    ]);
    expect(healthChange([a, b], {}, [{ place: 0, fault: 'billing' }], 1)).toStrictEqual({
      unwell: [healthName(a), refusalName(a), 'billing_a'],
      well: [],
    });
    const large = { ...a, model: 'n' };
    expect(healthChange([large], { [refusalName(a)]: 9, auth_a: 9, auth_b: 9 }, [], 0)).toStrictEqual({
      unwell: [],
      well: [refusalName(a), 'auth_a'],
    });
  });
});

describe('describeRefusals', () => {
  it('names each provider that refused, when, and what to do', () => {
    const until = Date.UTC(2026, 0, 2, 10, 42);
    const item = { pk: 'x', auth_openai: until, billing_near: until, r_x: until, auth_other: 'no number', usd: 1 };
    expect(describeRefusals(item)).toStrictEqual([
      'the model provider openai refused the key in OPENAI_API_KEY when it was last asked (10:32 UTC): put a valid key there (npx passepartout setup --only model)',
      'the model provider near had no credit left when it was last asked (10:32 UTC): its account needs credit (infra/troubleshooting.md#the-model)',
    ]);
    expect(describeRefusals(undefined)).toStrictEqual([]);
  });
});

describe('outdatedRefusals', () => {
  it('are those of providers that are configured no more', () => {
    const item = { pk: 'x', auth_openai: 1, billing_near: 1, auth_a_b: 1, r_x: 1, usd: 1 };
    expect(outdatedRefusals(item, ['openai'])).toStrictEqual(['billing_near', 'auth_a_b']);
    expect(outdatedRefusals(undefined, [])).toStrictEqual([]);
  });
});

describe('isEveryKeyRefused', () => {
  const refused = (until: number, ...of: readonly (typeof a)[]) =>
    Object.fromEntries(of.map((one) => [refusalName(one), until]));
  it.each([
    ['nobody is configured', [], {}, false],
    ['nothing is wrong', [a, b], {}, false],
    ['the counter is not there', [a], undefined, false],
    ['one of them works', [a, b], refused(10, a), false],
    ['all are refused', [a, b], refused(10, a, b), true],
    ['it was long ago', [a, b], refused(5, a, b), false],
    ['one may be tried again', [a, b], { ...refused(10, a), ...refused(5, b) }, false],
  ] as const)('is told apart where %s', (_, providers, item, expected) => {
    expect(isEveryKeyRefused(providers, item, 5)).toBe(expected);
  });
});
