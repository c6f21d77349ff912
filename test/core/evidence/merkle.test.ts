/** The growing tree against published roots and against the definitions of RFC 9162. */
import { describe, expect, it } from 'vitest';
import { appendLeaves, EMPTY_RANGE, leafHash, parseRange, rootOf } from '../../../lib/core/evidence/merkle.ts';
import { definedRoot, entriesOf, hexOf } from './trees.ts';

/**
 * Entries and roots that implementations of Certificate Transparency have been tested with since
 * RFC 6962.
 */
const ENTRIES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

describe('rootOf', () => {
  it.each(ROOTS.map((root, size) => [size, root] as const))('of %d leaves is the published root', (size, root) => {
    const leaves = ENTRIES.slice(0, size).map((hex) => leafHash(Buffer.from(hex, 'hex')));
    expect(hexOf(rootOf(appendLeaves(EMPTY_RANGE, leaves)))).toBe(root);
  });

  it('is the defined one for every size up to 130, appended at once or one by one', () => {
    const entries = entriesOf(130);
    let range = EMPTY_RANGE;
    for (const [n, entry] of entries.entries()) {
      range = appendLeaves(range, [leafHash(entry)]);
      const size = n + 1;
      const atOnce = appendLeaves(EMPTY_RANGE, entries.slice(0, size).map(leafHash));
      expect(atOnce).toStrictEqual(range);
      expect(hexOf(rootOf(range))).toBe(hexOf(definedRoot(entries.slice(0, size))));
    }
  });
});

describe('appendLeaves', () => {
  it('changes nothing of what it was given', () => {
    const before = appendLeaves(EMPTY_RANGE, entriesOf(5).map(leafHash));
    const copy = structuredClone({ size: before.size, hashes: before.hashes.map(hexOf) });
    appendLeaves(before, entriesOf(3).map(leafHash));
    expect({ size: before.size, hashes: before.hashes.map(hexOf) }).toStrictEqual(copy);
  });

  it('tells of every node as it becomes complete, leaves included', () => {
    const seen: string[] = [];
    appendLeaves(EMPTY_RANGE, entriesOf(5).map(leafHash), (level, index) => seen.push(`${level}/${index}`));
    expect(seen).toStrictEqual(['0/0', '0/1', '1/0', '0/2', '0/3', '1/1', '2/0', '0/4']);
  });

  it('keeps one hash for each bit of the size', () => {
    const { hashes } = appendLeaves(EMPTY_RANGE, entriesOf(1_000).map(leafHash));
    expect(hashes).toHaveLength(6);
  });
});

describe('parseRange', () => {
  it('takes what a log has stored', () => {
    const range = appendLeaves(EMPTY_RANGE, entriesOf(11).map(leafHash));
    expect(parseRange(range.size, range.hashes)).toStrictEqual(range);
    expect(parseRange(0, [])).toStrictEqual({ size: 0, hashes: [] });
  });

  const one = leafHash(Buffer.from('a'));
  it.each<[string, number, readonly Uint8Array[]]>([
    ['a subtree too few', 3, [one]],
    ['a subtree too many', 2, [one, one]],
    ['a short hash', 1, [one.subarray(1)]],
    ['a negative size', -1, []],
    ['a size that is no whole number', 0.5, []],
    ['a size past the bound', 2 ** 41, [one]],
    ['hashes of nothing', 0, [one]],
  ])('refuses %s', (_, size, hashes) => {
    expect(() => parseRange(size, hashes)).toThrowError(/^a compact range /);
  });
});
