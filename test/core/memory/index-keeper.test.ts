import { describe, expect, it } from 'vitest';
import { buildIndexKeeper } from '../../../lib/core/memory/index-keeper.ts';
import { buildObject, type LiveObject, memoryIdOf } from '../../../lib/core/memory/object.ts';
import { NONCE, NOW } from './notes.ts';

const DAY = `day ${Math.floor(NOW / 86_400_000)}`;
const idOf = (name: string): string => memoryIdOf(name);

const objectOf = (name: string, title: string, more: Partial<LiveObject> = {}): LiveObject => ({
  ...buildObject({
    ...{
      id: idOf(name),
      type: 'note',
      scope: 'memex',
      attributes: { tags: [], title },
      content: name,
      origin: 'owner',
    },
    ...{ effectId: name, signalId: 'con-1', now: NOW, nonce: NONCE },
  }),
  ...more,
});

describe('buildIndexKeeper', () => {
  it('places a note below its parent, in its conversation or on its day, and knows the day it is about', () => {
    const refs = ['second', 'first'].map((name) => ({ id: idOf(name), hash: '0'.repeat(64) }));
    const attributes = { tags: [], properties: { session: 'console:main' } };
    const objects = [
      objectOf('journal', '1 April 2025', { children: refs, lastSync: NOW }),
      objectOf('first', '', { parentId: idOf('journal') }),
      objectOf('second', '2025-04-02', { parentId: idOf('journal') }),
      objectOf('said', '', { scope: 'session', attributes }),
      objectOf('loose', ''),
      objectOf('bucket', '', { type: 'bucket' }),
    ];
    const keep = buildIndexKeeper(({ content }) => content !== 'hidden');
    const all = new Map([...objects, objectOf('hidden', '')].map((object) => [object.id, object]));
    const { objects: indexed } = keep(all);
    expect(indexed.map(({ content, at, place }) => ({ content, at, place }))).toStrictEqual([
      { content: 'journal', at: Date.UTC(2025, 3, 1), place: undefined },
      { content: 'first', at: Date.UTC(2025, 3, 1), place: { group: idOf('journal'), order: 1 } },
      { content: 'second', at: Date.UTC(2025, 3, 2), place: { group: idOf('journal'), order: 0 } },
      { content: 'said', at: NOW, place: { group: 'console:main', order: NOW } },
      { content: 'loose', at: NOW, place: { group: DAY, order: NOW } },
    ]);
    expect(keep(all).objects).toBe(indexed);
  });
});
