import { describe, expect, it } from 'vitest';
import {
  buildSegments,
  modelIdOf,
  parseSegment,
  type VectorEntry,
} from '../../../../lib/core/memory/search/vector-segment.ts';
import type { NumberedSegment } from '../../../../lib/core/prompt/embeddings/vector-store.ts';
import { entriesOf, planSegments } from '../../../../lib/core/prompt/embeddings/vector-store.ts';
import { fc } from '../../../support/fast-check.ts';

const MODEL = modelIdOf('test');
const PER_SEGMENT = 3;
const entry = (n: number, version = 1): VectorEntry => ({
  id: n.toString(16).padStart(32, '0'),
  version,
  vector: [n - 7, 1.5, -0.25],
});
const pack = (entries: readonly VectorEntry[]): Uint8Array => buildSegments(entries, MODEL)[0] ?? new Uint8Array();
const nameOf = ({ id, version }: VectorEntry): string => `${Number.parseInt(id, 16)}.${version}`;

describe('entriesOf', () => {
  it('packs to the same bytes again', () => {
    const bytes = pack([entry(1), entry(2, 9), { ...entry(3), vector: [0, 0, 0] }]);
    expect(Buffer.from(pack(entriesOf(parseSegment(bytes))))).toStrictEqual(Buffer.from(bytes));
  });
});

describe('planSegments', () => {
  it('keeps exactly what is wanted through any changes, in full segments, and writes no segment it need not', () => {
    const change = fc.record({
      gone: fc.uniqueArray(fc.nat(14), { maxLength: 5 }),
      added: fc.uniqueArray(fc.nat(14), { maxLength: 7 }),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        let stored: readonly NumberedSegment[] = [];
        let wanted = new Map<string, number>();
        for (const [at, { gone, added }] of changes.entries()) {
          const revision = at + 1;
          const fresh = added.map((n) => entry(n, revision));
          const out = new Set([...gone.map((n) => entry(n).id), ...fresh.map(({ id }) => id)]);
          const { writes, segments } = planSegments(stored, (id) => !out.has(id), fresh, PER_SEGMENT, revision);
          const written = new Map(writes.map(({ n, entries }) => [n, entries]));
          for (const { n, segment } of stored)
            if (!segment.ids.some((id) => out.has(id)) && segment.ids.length === PER_SEGMENT)
              expect(written.has(n)).toBe(false);
          stored = segments.map(({ n, revision: named, count }) => {
            const old = stored.find((one) => one.n === n);
            const entries = written.get(n);
            const segment = entries === undefined ? old?.segment : parseSegment(pack(entries));
            if (segment === undefined) throw new Error(`segment ${n} is named and was never written`);
            expect({ count, named }).toStrictEqual({
              count: segment.ids.length,
              named: entries === undefined ? old?.revision : revision,
            });
            return { n, revision: named, segment };
          });
          wanted = new Map([...wanted].filter(([id]) => !out.has(id)));
          for (const { id, version } of fresh) wanted.set(id, version);
          const names = stored.flatMap(({ segment }) => entriesOf(segment).map(nameOf));
          expect(names.sort()).toStrictEqual(
            [...wanted].map(([id, version]) => nameOf({ ...entry(0), id, version })).sort(),
          );
          expect(stored.every(({ segment }) => segment.ids.length <= PER_SEGMENT)).toBe(true);
        }
      }),
    );
  });
});
