/**
 * What a private tag is, in a list and in a text: whole tags, in any spelling, and nothing that
 * only looks like one.
 */

import { describe, expect, it } from 'vitest';
import type { MemoryStore } from '../../lib/memory/memory.ts';
import {
  findPrivateNodes,
  hasPrivateTag,
  isPrivateText,
  type TreeNode,
  withoutPrivate,
} from '../../lib/text/privacy.ts';
import { listMemory } from '../../lib/tools/list-memory.ts';
import { recall } from '../../lib/tools/recall.ts';
import { anObject, NONCE, NOW } from '../memory/notes.ts';
import { fc } from '../support/fast-check.ts';
import { missesOf } from '../support/misses.ts';
import { NO_RECORDS } from '../support/no-records.ts';

describe('hasPrivateTag', () => {
  it.each<readonly [readonly string[], readonly string[], boolean]>([
    [['personal'], [], true],
    [['home', ' @Personal '], [], true],
    [['home'], ['@Home'], true],
    [['home'], ['', ' ', '@'], false],
    [[''], ['', ' ', '@'], false],
    [['@'], [''], false],
    [['a@personal'], [], false],
    [['apersonal'], ['a@personal'], false],
    [['@@personal'], [], false],
    [[], ['home'], false],
  ])('judges %j with %j: %j', (tags, extra, isPrivate) => {
    expect(hasPrivateTag(tags, extra)).toBe(isPrivate);
  });
});

describe('isPrivateText', () => {
  it('finds the tag however it is written', () => {
    const misses = missesOf(
      [
        '@personal',
        'x\n@personal',
        '(@personal)',
        '@personal. Next sentence',
        '@personal.x and more',
        '@personal.',
        '*  :personal:',
        '* :personal:',
        '#\t:home:personal:',
        '******** Title :a:@Personal:b2:',
        '# T :personal: \t',
        'first\n## T\t:1:personal:',
        'tag: personal',
        'TAGS = personal',
        'tags:personal',
        '  > - tags: a b personal',
        'tags:    [personal]',
        'tags    : personal',
        '"tag":"personal"',
        'x "tags": ["a", "personal"]',
        "tags: 'home';personal",
        'x\ntags:   a,\t personal',
      ],
      (text) => {
        expect(isPrivateText(text, [])).toBe(true);
      },
    );
    expect(misses).toEqual([]);
  });

  it('finds no tag in its lookalikes', () => {
    const misses = missesOf(
      [
        'personal',
        'a@personal',
        '1@personal',
        '.@personal',
        '%@personal',
        '@personal-trainer',
        'mail @personal.example',
        'mail @personal.mail-1.example',
        'mail @personal.ünïcode.example',
        'x * T :personal:',
        '********* T :personal:',
        '*T :personal:',
        '*:personal:',
        '# T:personal:',
        '# T :personal: x',
        '# :personal',
        'T :personal:',
        'my tags: personal',
        'xtags: personal',
        'tagged: personal',
        'tags personal',
        'tags- personal',
        'tags x: personal',
        'tags: home]personal',
        'tags: home\npersonal',
        'tags: impersonal, personally',
        `         tags: personal`,
        'personal: tags',
        'a = 5, home',
      ],
      (text) => {
        expect(isPrivateText(text, [])).toBe(false);
      },
    );
    expect(misses).toEqual([]);
  });

  it('looks for the tags of the space as well', () => {
    expect(isPrivateText('# T :family:', ['Family'])).toBe(true);
    expect(isPrivateText('# T :family:', [])).toBe(false);
    expect(isPrivateText('tags: a, , b', [''])).toBe(false);
  });
});

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

/** The model sees no private note, whether it recalls or lists. */

const NOTES = [
  anObject('The bike is blue', 0, { tags: ['bike'] }),
  anObject('The bike lock code is in the diary', 1, { tags: ['bike', '@Personal'] }),
  anObject('@personal I fell off the bike', 2, { tags: ['bike'] }),
  anObject('The bike doctor is Dr. Lee', 3, { tags: ['MEDICAL'] }),
];

/** The reads these tools have; nothing else is there to be called. */
const memory = {
  view: () => Promise.resolve({ objects: new Map(NOTES.map((note) => [note.id, note])) }),
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
