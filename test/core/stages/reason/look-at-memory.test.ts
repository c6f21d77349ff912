import { describe, expect, it } from 'vitest';
import { buildObject, type LiveObject } from '../../../../lib/core/memory/object.ts';
import { summaryRootId } from '../../../../lib/core/memory/summary.ts';
import { readSummary } from '../../../../lib/core/stages/reason/look-at-memory.ts';
import type { Item } from '../../../../lib/core/store/table.ts';

const SESSION = 'telegram:7';
const ROOT_ID = summaryRootId('default');
const own = { effectId: 'sum-1#0', signalId: 'sum-1', now: 1, nonce: '0'.repeat(32), origin: 'agent' } as const;
const object: LiveObject = {
  ...buildObject({
    ...own,
    id: '1'.repeat(32),
    type: 'summary',
    scope: 'session',
    attributes: { tags: [], properties: { session: SESSION } },
    content: 'They planned a trip.',
  }),
  commit: 1,
  parentId: ROOT_ID,
};
const head: Item = { schemaVersion: 1, number: 1, hash: '0'.repeat(64) };
const read = (item: unknown, headItem: Item | undefined = head, tags: readonly string[] = []) =>
  readSummary(item as Item | undefined, headItem, { space: 'default', session: SESSION }, tags);

describe('readSummary', () => {
  it('gives the words of the summary in force, with its version', () => {
    const { parentId: _, ...loose } = object;
    const shown = { id: object.id, version: 1, origin: 'agent', text: 'They planned a trip.' };
    expect(read(object)).toStrictEqual(shown);
    expect(read(loose)).toStrictEqual(shown);
  });

  it.each<[string, unknown, Item?, string[]?]>([
    ['nothing', undefined],
    ['another conversation’s', { ...object, attributes: { tags: [], properties: { session: 'telegram:8' } } }],
    ['a note', { ...object, type: 'note' }],
    ['one that is still being written', { ...object, commit: 2 }],
    ['one marked private', { ...object, attributes: { ...object.attributes, tags: ['personal'] } }],
    [
      'one with a private tag of the space',
      { ...object, attributes: { ...object.attributes, tags: ['medical'] } },
      head,
      ['medical'],
    ],
    ['one that hangs somewhere else', { ...object, parentId: '2'.repeat(32) }],
    ['one of an unknown schema version', { ...object, schemaVersion: 9 }],
    ['anything while memory is empty', object, {}],
  ])('gives none for %s', (_, item, headItem = head, tags = []) => {
    expect(read(item, headItem, tags)).toBeUndefined();
  });
});
