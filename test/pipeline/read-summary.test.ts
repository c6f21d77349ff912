import { describe, expect, it } from 'vitest';
import type { Item } from '../../lib/aws/table.ts';
import { buildObject, type LiveObject } from '../../lib/memory/object.ts';
import { summaryRootId } from '../../lib/memory/summary.ts';
import { readSummary, summaryKeys } from '../../lib/pipeline/read-summary.ts';

const SESSION = 'telegram:7';
const ROOT_ID = summaryRootId('default');
const own = { effectId: 'sum-1#0', signalId: 'sum-1', now: 1, nonce: '0'.repeat(32), origin: 'agent' } as const;
const root: LiveObject = {
  ...buildObject({ ...own, id: ROOT_ID, type: 'summary', scope: 'memex', attributes: { tags: [] }, content: '' }),
  commit: 1,
};
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
const read = (item: unknown, rootItem: unknown = root, headItem: Item | undefined = head, tags: string[] = []) =>
  readSummary([item as Item, rootItem === null ? undefined : (rootItem as Item)], headItem, SESSION, tags);

describe('readSummary', () => {
  it('gives the words of the summary in force, with its version', () => {
    expect(read(object)).toStrictEqual({
      id: object.id,
      version: 1,
      origin: 'agent',
      text: 'They planned a trip.',
    });
    const { parentId: _, ...loose } = object;
    expect(read(loose, null)?.version).toBe(1);
  });

  it.each<[string, unknown, unknown?, Item?, string[]?]>([
    ['nothing', undefined],
    ['another conversation’s', { ...object, attributes: { tags: [], properties: { session: 'telegram:8' } } }],
    ['a note', { ...object, type: 'note' }],
    ['one that is still being written', { ...object, commit: 2 }],
    ['one marked private', { ...object, attributes: { ...object.attributes, tags: ['personal'] } }],
    [
      'one with a private tag of the space',
      { ...object, attributes: { ...object.attributes, tags: ['medical'] } },
      root,
      head,
      ['medical'],
    ],
    ['one below a private root', object, { ...root, attributes: { tags: ['personal'] } }],
    ['one below a root that is gone', object, null],
    ['one that hangs somewhere else', { ...object, parentId: '2'.repeat(32) }],
    ['one of an unknown schema version', { ...object, schemaVersion: 9 }],
    ['anything while memory is empty', object, root, {}],
  ])('gives none for %s', (_, item, rootItem = root, headItem = head, tags = []) => {
    expect(read(item, rootItem, headItem, tags)).toBeUndefined();
  });
});

describe('summaryKeys', () => {
  it('asks for nothing where there is no summary', () => {
    expect(summaryKeys('default', undefined)).toStrictEqual([]);
    expect(summaryKeys('default', object.id).map(({ sk }) => sk)).toStrictEqual([
      `object#${object.id}`,
      `object#${ROOT_ID}`,
    ]);
  });
});
