import { describe, expect, it } from 'vitest';
import {
  buildRetrievalIndex,
  changeRetrievalIndex,
  type RetrievalObject,
  search,
} from '../../../lib/memory/search/search.ts';
import { buildSegments, modelIdOf, parseSegment } from '../../../lib/memory/search/vector-segment.ts';
import { fc } from '../../support/fast-check.ts';

const MODEL = modelIdOf('test');
const idOf = (n: number): string => n.toString(16).padStart(32, '0');
const WORDS = ['key', 'pot', 'blue', 'house', 'lamp', 'zoe'];
const question = { text: 'blue key lamp', vector: { values: [1, 0.5], model: MODEL } };
const segments = buildSegments(
  Array.from({ length: 9 }, (_, n) => ({ id: idOf(n), version: 1, vector: [n - 4, 1] })),
  MODEL,
).map(parseSegment);
const view = { segments, now: 0, limit: 20 };

const object = fc.tuple(fc.nat(8), fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }), fc.nat(3)).map(
  ([n, words, at]): RetrievalObject => ({
    id: idOf(n),
    version: 1,
    title: words[0] ?? '',
    content: words.join(' '),
    tags: [],
    updatedAt: at,
  }),
);
const objects = fc.uniqueArray(object, { maxLength: 9, selector: ({ id }) => id });

describe('changeRetrievalIndex', () => {
  it('finds what an index built anew finds, after any changes', () => {
    fc.assert(
      fc.property(fc.array(objects, { minLength: 2, maxLength: 5 }), ([first = [], ...rest]) => {
        let index = buildRetrievalIndex(first);
        let before = first;
        for (const now of rest) {
          const kept = new Set(now);
          const gone = before.filter((one) => !kept.has(one)).map(({ id }) => id);
          const had = new Set(before);
          index = changeRetrievalIndex(
            index,
            gone,
            now.filter((one) => !had.has(one)),
          );
          before = now;
          expect(search(index, question, view)).toStrictEqual(search(buildRetrievalIndex(now), question, view));
        }
      }),
    );
  });
});
