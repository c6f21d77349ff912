/**
 * A tree in parts: what is cut is the same when joined, and only what the last piece names is
 * taken.
 */

import { describe, expect, it } from 'vitest';
import {
  loadWhole,
  partSignalsOf,
  splitNodes,
  type TreeUpdate,
  treeHash,
} from '../../../lib/core/memory/tree-update.ts';
import type { Payload } from '../../../lib/core/signal/signal.ts';
import { fc } from '../../support/fast-check.ts';

const node = (key: string, level = 2) => ({ level, key, content: key });
const payloadOf = (update: TreeUpdate): Payload => ({
  sensor: 'buffer-update',
  tree: JSON.parse(JSON.stringify(update)),
});

const PART: TreeUpdate = { origin: 'outside', isPart: true, nodes: [node('a', 1), node('b')] };
const NAMED = { signalId: 'con-1', hash: treeHash(PART), nodes: 2 };
const LAST: TreeUpdate = { origin: 'owner', parts: [NAMED], nodes: [node('c')] };
const loaderOf = (update: TreeUpdate | undefined) => async (id: string) =>
  update === undefined || id !== 'con-1' ? undefined : payloadOf(update);

describe('splitNodes', () => {
  it('keeps every node in order, in pieces that fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 60 })),
        fc.integer({ min: 50, max: 400 }),
        (keys, max) => {
          const nodes = keys.map((key) => node(key));
          const pieces = splitNodes(nodes, max);
          expect(pieces.flat()).toStrictEqual(nodes);
          for (const piece of pieces)
            expect(piece.length === 1 || Buffer.byteLength(JSON.stringify(piece)) <= max + 1).toBe(true);
        },
      ),
    );
  });
});

describe('loadWhole', () => {
  it('joins the parts before the last piece, and names the origin of each', async () => {
    expect(await loadWhole(LAST, loaderOf(PART))).toStrictEqual({
      nodes: [node('a', 1), node('b'), node('c')],
      origins: ['owner', 'outside'],
    });
  });

  it.each([
    ['is missing', undefined],
    ['was changed', { ...PART, nodes: [node('a', 1), node('x')] }],
    ['is a tree of its own', { origin: PART.origin, nodes: PART.nodes }],
    ['was forgotten', { forgotten: true } as unknown as TreeUpdate],
  ] as const)('refuses a part that %s', async (_, stored) => {
    await expect(
      loadWhole(LAST, loaderOf(stored === undefined ? undefined : ({ ...stored } as TreeUpdate))),
    ).rejects.toThrow('parts.0 is not the one that was decided');
  });

  it('refuses a part alone, a wrong count and more nodes than fit one commit', async () => {
    await expect(loadWhole(PART, loaderOf(PART))).rejects.toThrow('a part of a tree is none');
    const counted = { ...LAST, parts: [{ ...NAMED, nodes: 1 }] };
    await expect(loadWhole(counted, loaderOf(PART))).rejects.toThrow('parts.0 is not');
    const many = { ...LAST, parts: [{ ...NAMED, nodes: 5_000 }] };
    await expect(loadWhole(many, loaderOf(PART))).rejects.toThrow('at most 5000 nodes');
  });
});

describe('partSignalsOf', () => {
  it('names the signals of the parts, and none where there are none', () => {
    expect(partSignalsOf(payloadOf(LAST))).toStrictEqual(['con-1']);
    expect(partSignalsOf(payloadOf(PART))).toStrictEqual([]);
    expect(partSignalsOf({ sensor: 'buffer-update', tree: { forgotten: true } })).toStrictEqual([]);
    expect(partSignalsOf({ sensor: 'heartbeat', scheduledAt: 1 })).toStrictEqual([]);
  });
});
