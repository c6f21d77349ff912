/** What is tagged private is not shown to the model: not by recalling, not by listing. */
import { describe, expect, it } from 'vitest';
import type { MemoryStore } from '../../lib/memory/memory.ts';
import { withoutPrivate } from '../../lib/text/private-notes.ts';
import { listMemory } from '../../lib/tools/list-memory.ts';
import { recall } from '../../lib/tools/recall.ts';
import { anObject, NONCE, NOW } from '../memory/notes.ts';
import { NO_RECORDS } from '../support/no-records.ts';

const NOTES = [
  anObject('The bike is blue', 0, { tags: ['bike'] }),
  anObject('The bike lock code is in the diary', 1, { tags: ['bike', '@Personal'] }),
  anObject('@personal I fell off the bike', 2, { tags: ['bike'] }),
  anObject('The bike doctor is Dr. Lee', 3, { tags: ['MEDICAL'] }),
];

/** The two reads these tools have; nothing else is there to be called. */
const memory = {
  recall: () => Promise.resolve(NOTES),
  list: ({ isListed = () => true }: Parameters<MemoryStore['list']>[0]) =>
    Promise.resolve({ objects: NOTES.filter(isListed) }),
} as unknown as MemoryStore;
const context = {
  memory,
  now: NOW,
  zone: 'UTC',
  effectId: 'a#0',
  signalId: 'a',
  origin: 'owner',
  ...NO_RECORDS,
  actor: 'agent',
  newNonce: () => NONCE,
} as const;
const textsOf = (output: string) =>
  output.split('\n').map((line) => (JSON.parse(line) as { readonly text: string }).text);

describe('withoutPrivate', () => {
  const note = (id: string, parentId?: string, tags: readonly string[] = [], title?: string) => ({
    id,
    ...(parentId === undefined ? {} : { parentId }),
    attributes: { tags, ...(title === undefined ? {} : { title }) },
    content: `about ${id}`,
  });
  const shown = (...given: Parameters<typeof withoutPrivate>) => withoutPrivate(...given).map(({ id }) => id);

  it('leaves out what stands below a private note, at any depth', () => {
    const diary = note('diary', undefined, ['@Personal']);
    const objects = [diary, note('day', 'diary'), note('hour', 'day'), note('plans'), note('tomorrow', 'plans')];
    expect(shown(objects)).toStrictEqual(['plans', 'tomorrow']);
    expect(shown(objects.slice(1), [], [diary])).toStrictEqual(['plans', 'tomorrow']);
  });

  it('leaves out what hangs under nobody knows what', () => {
    expect(shown([note('hour', 'day'), note('plans')])).toStrictEqual(['plans']);
  });

  it('knows the marks of titles, and those of the space', () => {
    const objects = [note('a', undefined, [], 'My day @personal'), note('b', 'c'), note('c', undefined, ['health'])];
    expect(shown(objects)).toStrictEqual(['b', 'c']);
    expect(shown(objects, ['@Health'])).toStrictEqual([]);
  });
});

describe('recall and list-memory', () => {
  it.each([
    ['recall', recall, { query: 'bike' }],
    ['list-memory', listMemory, {}],
  ])('%s shows no private note', async (_, tool, args) => {
    const usual = await tool.run(args, context);
    expect(textsOf(usual.output)).toStrictEqual(['The bike is blue', 'The bike doctor is Dr. Lee']);
    const medical = await tool.run(args, { ...context, privacyTags: ['@medical'] });
    expect(textsOf(medical.output)).toStrictEqual(['The bike is blue']);
  });
});
