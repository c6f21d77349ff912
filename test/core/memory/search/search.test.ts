import type { Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../../../lib/core/base/errors.ts';
import { buildRetrievalIndex, type RetrievalObject, search } from '../../../../lib/core/memory/search/search.ts';
import { questionTermsOf, termsOf } from '../../../../lib/core/memory/search/terms.ts';
import {
  buildSegments,
  modelIdOf,
  parseSegment,
  quantise,
  scoreByVector,
  VECTOR_SEGMENT_BYTES_MAX,
} from '../../../../lib/core/memory/search/vector-segment.ts';
import { fc } from '../../../support/fast-check.ts';

const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const MODEL = modelIdOf('test');
const idOf = (n: number): string => n.toString(16).padStart(32, '0');

const anObject = (n: number, content: string, more: Partial<RetrievalObject> = {}): RetrievalObject => ({
  id: idOf(n),
  version: 1,
  title: '',
  content,
  tags: [],
  updatedAt: NOW,
  at: NOW,
  ...more,
});

const found = (objects: readonly RetrievalObject[], text: string, view: object = {}): readonly number[] =>
  search(buildRetrievalIndex(objects), { text }, { segments: [], now: NOW, limit: 10, ...view }).map(({ id }) =>
    Number.parseInt(id, 16),
  );

describe('termsOf', () => {
  it.each([
    ['case, accents and width', 'ZÜRICH Café Ｐａｓｓ１', ['zurich', 'caf', 'pass1']],
    [
      'English to stems',
      'drive driving batteries battery houses K7s',
      ['driv', 'driv', 'batteri', 'batteri', 'hou', 'k7s'],
    ],
    ['German to stems', 'Häuser Haus Wohnungen Wohnung Kindern', ['hau', 'hau', 'wohnung', 'wohnung', 'kind']],
    ['composed and decomposed letters alike', 'e\u0301t\u00e9 été', ['et', 'et']],
    ['sharp s and Turkish capitals', 'Straße İstanbul', ['strass', 'istanbul']],
    ['scripts without spaces, in pairs too', '東京3番', ['東', '東京', '京', '3', '番']],
    ['nothing', ' …!? ', []],
  ])('folds %s', (_, text, terms) => {
    expect(termsOf(text)).toStrictEqual(terms);
  });
});

describe('questionTermsOf', () => {
  it('leaves out words that only ask, unless there are no others', () => {
    expect(questionTermsOf('Where is the key of the key box?')).toStrictEqual(['kei', 'box']);
    expect(questionTermsOf('how does the vault open?')).toStrictEqual(['vault', 'open']);
    expect(questionTermsOf('who is who')).toStrictEqual(['who', 'is']);
  });
});

describe('search', () => {
  it('puts rare words before common ones, and titles and tags before text', () => {
    expect(
      found([anObject(1, 'my car'), anObject(2, 'my dog'), anObject(3, 'my dentist, who sees my dog')], 'my dentist'),
    ).toStrictEqual([3, 2, 1].slice(0, 1));
    const titled = anObject(4, 'made of wood', { title: 'Table' });
    expect(found([anObject(5, 'a table is there'), titled], 'table')).toStrictEqual([4, 5]);
    expect(found([anObject(5, 'milk is there'), anObject(6, 'white', { tags: ['milk'] })], 'milk')).toStrictEqual([
      6, 5,
    ]);
  });

  it('puts the newer of equals first, and no newer one over a better one', () => {
    const old = NOW - 400 * DAY_MS;
    expect(found([anObject(1, 'key', { updatedAt: old }), anObject(2, 'key')], 'key')).toStrictEqual([2, 1]);
    expect(
      found([anObject(1, 'blue key pot', { updatedAt: old }), anObject(2, 'key and a pan')], 'blue key'),
    ).toStrictEqual([1, 2]);
  });

  it('lets the notes of one place lend each other their words, and finds none by lent words alone', () => {
    const place = (n: number, group = 'talk') => ({ place: { group, order: n } });
    const talk = [
      anObject(1, 'a boat'),
      anObject(2, 'where is the boat of Zoe', place(2)),
      anObject(3, 'a boat in the north', place(3)),
      anObject(4, 'nothing', place(4)),
      anObject(5, 'a boat', place(9, 'other')),
    ];
    expect(found(talk, 'boat Zoe')).toStrictEqual([2, 3, 1, 5]);
    const heading = anObject(6, '', { title: 'Zoe' });
    expect(found([...talk.slice(0, 1), heading, anObject(7, 'a boat', place(1, idOf(6)))], 'boat Zoe')).toStrictEqual([
      6, 7, 1,
    ]);
  });

  it('puts notes of the time that the question names first', () => {
    const spring = { at: Date.UTC(2025, 3, 1) };
    const objects = [anObject(1, 'the boat, our boat'), anObject(2, 'a trip by boat', spring)];
    expect(found(objects, 'the boat')).toStrictEqual([1, 2]);
    expect(found(objects, 'the boat last spring')).toStrictEqual([2, 1]);
  });

  it('counts vectors only if they agree with the surest hits by words', () => {
    const objects = Array.from({ length: 40 }, (_, n) =>
      anObject(n, n === 7 ? 'blue key' : n === 8 ? `key ${'other '.repeat(40)}` : 'other'),
    );
    const askWith = (near: readonly number[]) => {
      const entries = objects.map(({ id }, n) => ({
        id,
        version: 1,
        vector: near.includes(n) ? [1, 0.1 * n] : [0.1, 1],
      }));
      const segments = buildSegments(entries, MODEL).map(parseSegment);
      const vector = { values: [1, 0.8], model: MODEL };
      return search(buildRetrievalIndex(objects), { text: 'blue key', vector }, { segments, now: NOW, limit: 3 })
        .slice(0, 3)
        .map(({ id }) => Number.parseInt(id, 16));
    };
    expect(askWith([20, 21])).toStrictEqual([7, 8, 20]);
    expect(askWith([7, 8, 9])).toStrictEqual([7, 8, 9]);
  });

  it('says why: ranks, words, similarity, factors', () => {
    const objects = [anObject(1, 'blue bike'), anObject(2, 'red velo')];
    const segments = buildSegments(
      [
        { id: idOf(2), version: 1, vector: [1, 0] },
        { id: idOf(1), version: 1, vector: [0.6, 0.8] },
      ],
      MODEL,
    ).map(parseSegment);
    const hits = search(
      buildRetrievalIndex(objects),
      { text: 'the blue bike', vector: { values: [1, 0], model: MODEL } },
      { segments, now: NOW, limit: 5 },
    );
    expect(hits.map(({ id, why }) => ({ id, ...why, similarity: why.similarity?.toFixed(1) }))).toStrictEqual([
      {
        id: idOf(1),
        wordRank: 1,
        words: ['bik', 'blu'],
        vectorRank: 2,
        similarity: '0.6',
        recencyFactor: 1.05,
      },
      { id: idOf(2), words: [], vectorRank: 1, similarity: '1.0', recencyFactor: 1.05 },
    ]);
  });

  it('works without vectors, without words and without objects', () => {
    expect(found([], 'key')).toStrictEqual([]);
    expect(found([anObject(1, 'key')], '?!')).toStrictEqual([]);
    expect(found([anObject(1, 'key')], 'key', { limit: 0 })).toStrictEqual([]);
  });

  it('gives one order, whatever order the objects come in', () => {
    const word = fc.constantFrom('key', 'pot', 'blue', 'house', 'zoe', 'lamp');
    const objects = fc
      .array(fc.tuple(fc.array(word, { minLength: 1, maxLength: 5 }), fc.nat(3)), { maxLength: 14 })
      .map((rows) => rows.map(([words, at], n) => anObject(n, words.join(' '), { updatedAt: NOW - at * DAY_MS })));
    const shuffled = objects.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, fc.array(word, { maxLength: 4 }), ([list, other], query) => {
        expect(found(other, query.join(' '))).toStrictEqual(found(list, query.join(' ')));
      }),
    );
  });
});

const vector = (dimensions: number): Arbitrary<readonly number[]> =>
  fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions });

describe('vector segments', () => {
  it('come back as they were packed, but for half a step of their scale', () => {
    fc.assert(
      fc.property(fc.array(vector(7), { minLength: 1, maxLength: 5 }), (vectors) => {
        const [bytes] = buildSegments(
          vectors.map((one, n) => ({ id: idOf(n), version: n, vector: one })),
          MODEL,
        );
        const segment = parseSegment(bytes ?? new Uint8Array());
        expect({ model: segment.model, ids: segment.ids, versions: segment.versions }).toStrictEqual({
          model: MODEL,
          ids: vectors.map((_, n) => idOf(n)),
          versions: vectors.map((_, n) => n),
        });
        for (const [n, one] of vectors.entries())
          for (const [at, value] of one.entries()) {
            const scale = segment.scales[n] ?? 0;
            expect(Math.abs((segment.values[n * 7 + at] ?? 0) * scale - value)).toBeLessThanOrEqual(
              scale * 0.51 + 1e-9,
            );
          }
      }),
      { numRuns: 50 },
    );
  });

  it('keep cosines to a hundredth', () => {
    const wave = (phase: number): readonly number[] =>
      Array.from({ length: 256 }, (_, n) => Math.sin(n * 0.7 + phase) + Math.cos(n * phase));
    const cosine = (a: readonly number[], b: readonly number[]): number => {
      const sum = (x: readonly number[], y: readonly number[]): number =>
        x.reduce((total, value, n) => total + value * (y[n] ?? 0), 0);
      return sum(a, b) / Math.sqrt(sum(a, a) * sum(b, b));
    };
    const vectors = Array.from({ length: 40 }, (_, n) => wave(n / 5));
    const segments = buildSegments(
      vectors.map((one, n) => ({ id: idOf(n), version: 1, vector: one })),
      MODEL,
    ).map(parseSegment);
    for (const [n, { similarity }] of scoreByVector(segments, wave(1), MODEL).entries())
      expect(similarity).toBeCloseTo(cosine(vectors[n] ?? [], wave(1)), 2);
  });

  it('fit their size, and are as many as it takes', () => {
    const entries = Array.from({ length: 500 }, (_, n) => ({
      id: idOf(n),
      version: 1,
      vector: new Float32Array(1536).fill(n + 1),
    }));
    const segments = buildSegments(entries, MODEL);
    expect(segments.length).toBe(3);
    expect(Math.max(...segments.map(({ length }) => length))).toBeLessThanOrEqual(VECTOR_SEGMENT_BYTES_MAX);
    expect(segments.map(parseSegment).flatMap(({ ids }) => ids)).toStrictEqual(entries.map(({ id }) => id));
  });

  it('of another model or length say nothing', () => {
    const segments = buildSegments([{ id: idOf(1), version: 1, vector: [1, 2] }], MODEL).map(parseSegment);
    expect(scoreByVector(segments, [1, 2], modelIdOf('other'))).toStrictEqual([]);
    expect(scoreByVector(segments, [1, 2, 3], MODEL)).toStrictEqual([]);
    expect(scoreByVector(segments, [0, 0], MODEL)).toStrictEqual([]);
  });

  it.each([
    ['no bytes', new Uint8Array()],
    ['other bytes', new Uint8Array(64)],
    [
      'a cut segment',
      (buildSegments([{ id: idOf(1), version: 1, vector: [1, 2] }], MODEL)[0] ?? new Uint8Array()).slice(0, -1),
    ],
  ])('refuse %s', (_, bytes) => {
    expect(() => parseSegment(bytes)).toThrow(ProtocolError);
  });

  it.each([[[]], [[Number.NaN]], [[Number.POSITIVE_INFINITY]], [new Array(5000).fill(1)]])(
    'refuse the vector %j',
    (values) => {
      expect(() => quantise(values)).toThrow(ProtocolError);
    },
  );
});
