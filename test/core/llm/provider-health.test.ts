import { describe, expect, it } from 'vitest';
import { findFaults } from '../../../lib/core/llm/provider-cures.ts';
import {
  healthChange,
  healthName,
  isEveryKeyRefused,
  marksToSet,
  orderByHealth,
  outdatedFaults,
  questionMarks,
  refusalName,
} from '../../../lib/core/llm/provider-health.ts';
import { inEnglish } from '../../support/findings.ts';

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
      failed: [],
      well: [healthName(c)],
    });
  });
  it('writes nothing where nothing failed, and nothing where there is only one', () => {
    const nothing = { unwell: [], failed: [], well: [] };
    expect(healthChange(all, {}, [], 0)).toStrictEqual(nothing);
    expect(healthChange([a], {}, [{ place: 0, fault: 'down' }], undefined)).toStrictEqual(nothing);
  });
  it('marks how the last question failed: always if only the owner can mend it, else if nobody answered', () => {
    const troubles = [
      { place: 0, fault: 'model' },
      { place: 1, fault: 'empty' },
      { place: 2, fault: 'down' },
    ] as const;
    const failed = (answered?: number) =>
      healthChange(all, {}, troubles, answered).failed.map(({ fault, endpoint }) => [fault, endpoint.name]);
    expect(failed()).toStrictEqual([
      ['model', 'a'],
      ['empty', 'b'],
    ]);
    expect(failed(2)).toStrictEqual([['model', 'a']]);
  });
  it('stores the last failure alone, until the provider answers', () => {
    const marks = marksToSet(healthChange([a], {}, [{ place: 0, fault: 'model' }], undefined), 1);
    const other = marksToSet(healthChange([b], {}, [{ place: 0, fault: 'empty' }], undefined), 1);
    const item = { ...marks, ...other };
    expect(findFaults(item, 1)).toHaveLength(2);
    expect(healthChange([a], item, [], 0).well).toStrictEqual(Object.keys(marks));
    const next = healthChange([a], item, [{ place: 0, fault: 'empty' }], undefined);
    expect([next.well, Object.keys(marksToSet(next, 2))]).toStrictEqual([[], Object.keys(marks)]);
    expect(questionMarks(item)).toStrictEqual(Object.keys(other));
  });
  it('marks one that refused its key whichever model was asked, also alone, and takes that back when it answers', () => {
    const troubles = [{ place: 0, fault: 'auth' }] as const;
    const away = { away_since: 1, away_seen: 2 };
    expect(healthChange([a], away, troubles, undefined).well).toStrictEqual(['away_since', 'away_seen']);
    expect(healthChange([a], {}, troubles, undefined)).toStrictEqual({
      unwell: [refusalName(a)],
      failed: [{ fault: 'auth', endpoint: a }],
      well: [],
    });
    expect(healthChange([a], { auth_a: 9 }, [{ place: 0, fault: 'billing' }], undefined).well).toStrictEqual([
      'auth_a',
    ]);
    expect(healthChange([a, b], {}, [{ place: 0, fault: 'billing' }], 1)).toStrictEqual({
      unwell: [healthName(a), refusalName(a)],
      failed: [{ fault: 'billing', endpoint: a }],
      well: [],
    });
    const large = { ...a, model: 'n' };
    expect(healthChange([large], { [refusalName(a)]: 9, auth_a: 9, auth_b: 9 }, [], 0)).toStrictEqual({
      unwell: [],
      failed: [],
      well: [refusalName(a), 'auth_a'],
    });
  });
});

describe('findFaults', () => {
  const until = Date.UTC(2026, 0, 2, 10, 42);
  it('names each provider whose last question failed, when, and what to do', () => {
    const f_1 = JSON.stringify([until, 'model', 'near', 'a/b:c']);
    // Earlier releases stored the first one.
    const item = { pk: 'x', auth_openai: until, f_1, f_2: 'damaged', r_x: until, auth_other: 'no', away_since: 1 };
    expect(inEnglish(findFaults(item, until + 1))).toStrictEqual([
      'the model provider openai refuses the key (asked at 2026-01-02 10:32 UTC): put a valid one in OPENAI_API_KEY (npx passepartout setup --only model, then start again)',
      expect.stringMatching(
        /^the model provider near \(a\/b:c\) knows no such model at this address \(asked at 2026-01-02 10:32 UTC\): /,
      ),
    ]);
    expect(findFaults(undefined, until)).toStrictEqual([]);
  });
  it('forgets soon what may have passed', () => {
    const item = { f_1: JSON.stringify([until, 'busy', 'a', 'm']) };
    expect([until - 1, until].map((now) => findFaults(item, now).length)).toStrictEqual([1, 0]);
  });
});

describe('outdatedFaults', () => {
  it('are those of providers and models that are configured no more', () => {
    const [f_1, f_2] = ['a', 'b'].map((model) => JSON.stringify([1, 'model', 'openai', model]));
    const item = { pk: 'x', auth_openai: 1, f_1, f_2, billing_near: 1, r_x: 1, usd: 1 };
    expect(outdatedFaults(item, [{ name: 'openai', models: ['b'] }])).toStrictEqual(['f_1', 'billing_near']);
    expect(outdatedFaults(undefined, [])).toStrictEqual([]);
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
