import { describe, expect, it } from 'vitest';
import { findPrivateNodes, type TreeNode } from '../../lib/text/privacy-subtree.ts';
import { fc } from '../support/fast-check.ts';

/** `a>b` is b below a; a `!` marks a node private. */
const tree = (...lines: readonly string[]): TreeNode[] =>
  lines.map((line) => {
    const parts = line.split('>').map((name) => name.replace('!', ''));
    const [parentId, id] = parts.length === 2 ? parts : [undefined, parts[0]];
    return { id: id ?? '', parentId, isPrivate: line.endsWith('!') };
  });
const hidden = (...lines: readonly string[]): readonly string[] => [...findPrivateNodes(tree(...lines)).hidden].sort();

describe('findPrivateNodes', () => {
  it.each([
    [[], []],
    [['a', 'b'], []],
    [['a!', 'b'], ['a']],
    [
      ['a!', 'a>b', 'b>c', 'd'],
      ['a', 'b', 'c'],
    ],
    [
      ['b>c', 'a>b', 'a!'],
      ['a', 'b', 'c'],
    ],
    [
      ['a', 'a>b!', 'a>c', 'b>d', 'c>e'],
      ['b', 'd'],
    ],
    [['a', 'a>b', 'b>c!'], ['c']],
    [['x>a', 'b'], ['a']],
    [
      ['a>b', 'b>a', 'c'],
      ['a', 'b'],
    ],
    [['a>a'], ['a']],
    [['a', 'a!'], ['a']],
    [['a!', 'a'], ['a']],
    [
      ['a', 'b!', 'a>c', 'b>c', 'c>d'],
      ['b', 'c', 'd'],
    ],
  ])('of %j hides %j', (lines, ids) => {
    expect(hidden(...lines)).toStrictEqual(ids);
  });

  it('names the ancestors that would have to be loaded', () => {
    expect(findPrivateNodes(tree('x>a', 'a>b', 'y>c', 'd'))).toStrictEqual({
      hidden: new Set(['a', 'b', 'c']),
      unknown: new Set(['x', 'y']),
    });
  });

  it('follows the lists of children too', () => {
    const nodes = [
      { id: 'a', children: [{ id: 'b' }, { id: 'not-here' }], isPrivate: true },
      { id: 'b', isPrivate: false },
      { id: 'c', parentId: 'b', isPrivate: false },
    ];
    expect(findPrivateNodes(nodes)).toStrictEqual({ hidden: new Set(['a', 'b', 'c']), unknown: new Set() });
  });

  it('hides a node exactly when it or one above it is marked, in any order, at any depth', () => {
    const anyTree = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 9 })), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(anyTree, fc.func(fc.integer()), (rows, order) => {
        const nodes = rows.map(([place, kind], index) => ({
          id: `n${index}`,
          parentId: index === 0 || kind === 0 ? undefined : `n${place % index}`,
          isPrivate: kind === 9,
        }));
        const byId = new Map(nodes.map((node) => [node.id, node]));
        const isHidden = (id: string | undefined): boolean => {
          const node = byId.get(id ?? '');
          return node !== undefined && (node.isPrivate || isHidden(node.parentId));
        };
        const mixed = nodes.toSorted((left, right) => order(left.id) - order(right.id));
        const expected = nodes.map(({ id }) => id).filter(isHidden);
        expect([...findPrivateNodes(mixed).hidden].sort()).toStrictEqual(expected.sort());
      }),
    );
  });

  it('takes no longer than the tree is large: a chain and a fan of 100,000', () => {
    const chain = Array.from({ length: 100_000 }, (_, n) => ({
      id: `${n}`,
      parentId: n === 0 ? undefined : `${n - 1}`,
      isPrivate: n === 50_000,
    }));
    expect(findPrivateNodes(chain).hidden.size).toBe(50_000);
    const fan = chain.map(({ id }, n) => ({ id, parentId: n === 0 ? undefined : '0', isPrivate: false }));
    expect(findPrivateNodes(fan).hidden.size).toBe(0);
  });
});
