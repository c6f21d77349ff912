/**
 * Tiles: their paths, that appending in any steps gives the same ones, and that proofs built from
 * them verify.
 */

import { describe, expect, it } from 'vitest';
import { appendLeaves, EMPTY_RANGE, type Hash, leafHash, rootOf } from '../../../lib/core/evidence/merkle.ts';
import {
  buildProof,
  consistencyNodes,
  inclusionNodes,
  verifyConsistency,
  verifyInclusion,
} from '../../../lib/core/evidence/proofs.ts';
import {
  buildEntryBundle,
  growTiles,
  parseEntryBundle,
  parseTilePath,
  readNode,
  type TileRef,
  tilePath,
  tilesOfGrowth,
  tilesOfNodes,
} from '../../../lib/core/evidence/tiles.ts';
import { EMPTY_EDGE } from '../../support/empty-edge.ts';
import { fc } from '../../support/fast-check.ts';
import { entriesOf, entryOf, hexOf } from './trees.ts';

const PATHS: readonly (readonly [TileRef, string])[] = [
  [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
  [{ level: 0, index: 1234067, width: 256 }, 'tile/0/x001/x234/067'],
  [{ level: 15, index: 1234067, width: 8 }, 'tile/15/x001/x234/067.p/8'],
  [{ level: 1, index: 999, width: 1 }, 'tile/1/999.p/1'],
  [{ level: 2, index: 1000, width: 255 }, 'tile/2/x001/000.p/255'],
  [{ level: 'entries', index: 7, width: 256 }, 'tile/entries/007'],
  [{ level: 'entries', index: 1_000_000, width: 3 }, 'tile/entries/x001/x000/000.p/3'],
];

describe('tilePath', () => {
  it.each(PATHS)('and parseTilePath know %j as %s', (ref, path) => {
    expect(tilePath(ref)).toBe(path);
    expect(parseTilePath(path)).toStrictEqual(ref);
  });

  it.each([
    '',
    'tile/0/0',
    'tile/0/0000',
    'tile/00/000',
    'tile/-1/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/08',
    'tile/0/x000/001',
    'tile/0/001/x000',
    'tile/0/x001',
    'tile/8/000/',
    '/tile/0/000',
    'tile/data/000',
    'tile/entries/000.p/',
    'tile/0/000\n',
    'tile/0/../000',
    'tile/100/000',
  ])('has no other spelling: %j', (path) => {
    expect(parseTilePath(path)).toBeUndefined();
  });
});

const SIZE = 70_000;
const LEAVES = entriesOf(SIZE).map(leafHash);

/**
 * Appends in these steps, as a writer does: full tiles are written once, and a partial one is a
 * file of its own.
 */
const grow = (steps: readonly number[]) => {
  const files = new Map<string, Uint8Array>();
  let edge = EMPTY_EDGE;
  for (const step of steps) {
    const grown = growTiles(edge, LEAVES.slice(edge.range.size, edge.range.size + step));
    for (const { ref, bytes } of grown.tiles) {
      const path = tilePath(ref);
      if (files.has(path)) throw new Error(`${path} is written twice`);
      files.set(path, bytes);
    }
    edge = grown.edge;
  }
  return { edge, files };
};

const pathsOf = (refs: readonly TileRef[]): readonly string[] => refs.map(tilePath).sort();

describe('growTiles', () => {
  const whole = grow([SIZE]);

  it('gives the tiles a log of its size has, on three levels', () => {
    const hashTiles = tilesOfGrowth(0, SIZE).filter(({ level }) => level !== 'entries');
    expect(pathsOf(hashTiles)).toStrictEqual([...whole.files.keys()].sort());
    expect([...whole.files.keys()].filter((path) => /\/(1|2)\//.test(path))).toStrictEqual([
      'tile/1/000',
      'tile/1/001.p/17',
      'tile/2/000.p/1',
    ]);
    expect(whole.files.get('tile/0/273.p/112')).toHaveLength(112 * 32);
  });

  it('gives the same in any steps, and exactly the tiles of each growth', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 8 }), (steps) => {
        const { edge, files } = grow(steps);
        const { size } = edge.range;
        const atOnce = grow([size]);
        expect(edge).toStrictEqual(atOnce.edge);
        for (const [path, bytes] of atOnce.files) expect(hexOf(files.get(path) ?? Buffer.of())).toBe(hexOf(bytes));
        let at = 0;
        const expected = steps.flatMap((step) => {
          at += step;
          return tilesOfGrowth(at - step, at).filter(({ level }) => level !== 'entries');
        });
        expect(pathsOf(expected)).toStrictEqual([...files.keys()].sort());
      }),
      { numRuns: 40 },
    );
  });

  it('refuses an edge whose last tile is not the one of its range', () => {
    const { edge } = grow([300]);
    expect(() => growTiles({ ...edge, partials: [] }, LEAVES.slice(0, 1))).toThrowError(
      'the last tile on level 0 does not belong to a log of 300 leaves',
    );
    expect(() => growTiles({ ...EMPTY_EDGE, partials: [Buffer.alloc(32)] }, [])).toThrowError(/does not belong/);
  });
});

describe('readNode', () => {
  const { files } = grow([1_000, 65_000, 4_000]);
  const reads: string[] = [];
  const tileAt = (path: string): Uint8Array | undefined => {
    reads.push(path);
    return files.get(path);
  };
  const rootAt = (size: number): Hash => rootOf(appendLeaves(EMPTY_RANGE, LEAVES.slice(0, size)));
  const root = rootAt(SIZE);

  it('gives every node a proof needs, out of the tiles named beforehand', () => {
    fc.assert(
      fc.property(fc.nat({ max: SIZE - 1 }), (index) => {
        const parts = inclusionNodes(index, SIZE);
        reads.length = 0;
        const proof = buildProof(parts, (node) => readNode(node, SIZE, tileAt));
        expect(verifyInclusion(LEAVES[index] as Hash, index, SIZE, proof, root)).toBe(true);
        expect([...new Set(reads)].sort()).toStrictEqual(pathsOf(tilesOfNodes(parts.flat(), SIZE)));
        expect(new Set(reads).size).toBeLessThanOrEqual(7);
      }),
      { numRuns: 60 },
    );
  });

  it.each([1, 255, 256, 257, 1_000, 65_535, 65_536, 66_000, 69_999])(
    'proves that %d leaves are a beginning',
    (older) => {
      const proof = buildProof(consistencyNodes(older, SIZE), (node) => readNode(node, SIZE, tileAt));
      expect(verifyConsistency(older, SIZE, proof, rootAt(older), root)).toBe(true);
    },
  );

  it('refuses a node the log does not have, and a tile that is missing or too short', () => {
    expect(() => readNode({ level: 0, index: SIZE }, SIZE, tileAt)).toThrowError(/has no such node/);
    expect(() => readNode({ level: 0, index: 5 }, SIZE, () => undefined)).toThrowError(
      'tile/0/000 is missing or of another size',
    );
    expect(() => readNode({ level: 0, index: 5 }, SIZE, () => Buffer.alloc(32))).toThrowError(/of another size/);
  });
});

describe('buildEntryBundle', () => {
  it('keeps entries for whoever wants to hash them, each after its length', () => {
    expect(hexOf(buildEntryBundle([Buffer.from('ab'), Buffer.of(), Buffer.from('c')]))).toBe(
      '00026162' + '0000' + '000163',
    );
    const entries = Array.from({ length: 256 }, (_, n) => entryOf(n));
    expect(parseEntryBundle(buildEntryBundle(entries), 256).map(String)).toStrictEqual(entries.map(String));
    expect(parseEntryBundle(Buffer.of(), 0)).toStrictEqual([]);
  });

  it.each<[string, string, number]>([
    ['that ends within a length', '0001610', 1],
    ['that ends within an entry', '000261', 1],
    ['with fewer entries', '000161', 2],
    ['with more entries', '000161000162', 1],
  ])('is not read from bytes %s', (_, hex, width) => {
    expect(() =>
      parseEntryBundle(Buffer.from(hex.padEnd(hex.length + (hex.length % 2), '0'), 'hex'), width),
    ).toThrowError(/^an entry bundle /);
  });

  it('refuses what no leaf may be', () => {
    expect(() => buildEntryBundle([Buffer.alloc(33 * 1024)])).toThrowError('an entry is too long');
    expect(() => buildEntryBundle(entriesOf(257))).toThrowError('an entry bundle holds at most 256 entries');
  });
});
