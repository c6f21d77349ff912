/**
 * Proofs against the definitions of RFC 9162, for every pair of small sizes; and that nothing else
 * verifies.
 */

import { describe, expect, it } from 'vitest';
import {
  appendLeaves,
  EMPTY_RANGE,
  type Hash,
  leafHash,
  type NodeRef,
  rootOf,
} from '../../../lib/core/evidence/merkle.ts';
import {
  buildProof,
  consistencyNodes,
  inclusionNodes,
  verifyConsistency,
  verifyInclusion,
} from '../../../lib/core/evidence/proofs.ts';
import { fc } from '../../support/fast-check.ts';
import { definedConsistency, definedPath, entriesOf, hexOf } from './trees.ts';

const SIZE_MAX = 40;
const ENTRIES = entriesOf(SIZE_MAX);
const LEAVES = ENTRIES.map(leafHash);

const nodes = new Map<string, Hash>();
appendLeaves(EMPTY_RANGE, LEAVES, (level, index, hash) => nodes.set(`${level}/${index}`, hash));
const hashAt = ({ level, index }: NodeRef): Hash => nodes.get(`${level}/${index}`) as Hash;
const ROOTS = Array.from({ length: SIZE_MAX + 1 }, (_, size) =>
  rootOf(appendLeaves(EMPTY_RANGE, LEAVES.slice(0, size))),
);
const rootAt = (size: number): Hash => ROOTS[size] as Hash;
const leafAt = (index: number): Hash => LEAVES[index] as Hash;

const inclusion = (index: number, size: number) => buildProof(inclusionNodes(index, size), hashAt);
const consistency = (older: number, newer: number) => buildProof(consistencyNodes(older, newer), hashAt);

const pairs = fc
  .integer({ min: 1, max: SIZE_MAX })
  .chain((size) => fc.tuple(fc.nat({ max: size - 1 }), fc.constant(size)));

/** A proof with one thing about it changed. */
const spoilt = (proof: readonly Hash[]) =>
  fc.oneof(
    fc.constant([...proof, leafAt(0)]),
    fc.constant([leafAt(0), ...proof]),
    ...(proof.length === 0
      ? []
      : [
          fc.constant(proof.slice(1)),
          fc.constant(proof.slice(0, -1)),
          fc.nat({ max: proof.length - 1 }).chain((at) =>
            fc.nat({ max: 255 }).map((bit) =>
              proof.map((hash, n) => {
                if (n !== at) return hash;
                const changed = Buffer.from(hash);
                changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
                return changed;
              }),
            ),
          ),
        ]),
  );

describe('buildProof', () => {
  it('gives the defined inclusion proof of every leaf in every log, and it verifies', () => {
    for (let size = 1; size <= SIZE_MAX; size += 1)
      for (let index = 0; index < size; index += 1) {
        const proof = inclusion(index, size);
        expect(proof.map(hexOf)).toStrictEqual(definedPath(index, ENTRIES.slice(0, size)).map(hexOf));
        expect(verifyInclusion(leafAt(index), index, size, proof, rootAt(size))).toBe(true);
      }
  });

  it('gives the defined consistency proof of every two logs, and it verifies', () => {
    for (let newer = 1; newer <= SIZE_MAX; newer += 1)
      for (let older = 1; older <= newer; older += 1) {
        const proof = consistency(older, newer);
        expect(proof.map(hexOf)).toStrictEqual(definedConsistency(older, ENTRIES.slice(0, newer)).map(hexOf));
        expect(verifyConsistency(older, newer, proof, rootAt(older), rootAt(newer))).toBe(true);
      }
  });
});

describe('verifyInclusion', () => {
  it('refuses another leaf, position, size, root or proof', () => {
    fc.assert(
      fc.property(
        pairs.chain(([index, size]) => fc.tuple(fc.constant(index), fc.constant(size), spoilt(inclusion(index, size)))),
        fc.nat({ max: SIZE_MAX - 1 }),
        ([index, size, wrong], other) => {
          const proof = inclusion(index, size);
          expect(verifyInclusion(leafAt(index), index, size, wrong, rootAt(size))).toBe(false);
          if (other === index) return;
          expect(verifyInclusion(leafAt(other), index, size, proof, rootAt(size))).toBe(false);
          expect(verifyInclusion(leafAt(index), other, size, proof, rootAt(size))).toBe(false);
          if (other + 1 !== size)
            expect(verifyInclusion(leafAt(index), index, size, proof, rootAt(other + 1))).toBe(false);
        },
      ),
    );
  });

  it.each([
    [-1, 4],
    [4, 4],
    [0, 0],
    [0.5, 4],
    [Number.NaN, 4],
    [0, Number.POSITIVE_INFINITY],
  ])('refuses position %d of %d', (index, size) => {
    expect(verifyInclusion(leafAt(0), index, size, [], rootAt(4))).toBe(false);
  });
});

describe('verifyConsistency', () => {
  it('refuses other sizes, roots or proofs', () => {
    fc.assert(
      fc.property(
        pairs.chain(([n, size]) => fc.tuple(fc.constant(n + 1), fc.constant(size), spoilt(consistency(n + 1, size)))),
        fc.integer({ min: 1, max: SIZE_MAX }),
        ([older, newer, wrong], other) => {
          const proof = consistency(older, newer);
          expect(verifyConsistency(older, newer, wrong, rootAt(older), rootAt(newer))).toBe(false);
          if (other !== older) expect(verifyConsistency(older, newer, proof, rootAt(other), rootAt(newer))).toBe(false);
          if (other !== newer) expect(verifyConsistency(older, newer, proof, rootAt(older), rootAt(other))).toBe(false);
        },
      ),
    );
  });

  it('takes the empty log as the beginning of every other', () => {
    expect(verifyConsistency(0, 5, [], rootAt(0), rootAt(5))).toBe(true);
    expect(verifyConsistency(0, 5, [], rootAt(1), rootAt(5))).toBe(false);
    expect(verifyConsistency(0, 5, [leafAt(0)], rootAt(0), rootAt(5))).toBe(false);
  });

  it.each([
    [5, 4],
    [-1, 4],
    [1.5, 4],
  ])('refuses %d before %d', (older, newer) => {
    expect(verifyConsistency(older, newer, [], rootAt(4), rootAt(4))).toBe(false);
  });
});

describe('inclusionNodes and consistencyNodes', () => {
  it.each([
    [4, 4],
    [-1, 4],
    [0.5, 4],
  ])('know no proof of leaf %d in a log of %d', (index, size) => {
    expect(() => inclusionNodes(index, size)).toThrowError(/^there is no proof/);
  });

  it('know no proof that a log is the beginning of a smaller one', () => {
    expect(() => consistencyNodes(5, 4)).toThrowError('there is no proof of 5 in a log of 4');
  });
});
