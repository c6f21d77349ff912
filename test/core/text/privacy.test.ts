/**
 * What a private tag is, in a list and in a text: whole tags, in any spelling, and nothing that
 * only looks like one.
 */

import { describe, expect, it } from 'vitest';
import type { MemoryStore } from '../../../lib/core/memory/memory.ts';
import { hasPrivateTag, isPrivateText } from '../../../lib/core/text/privacy.ts';
import { listMemory } from '../../../lib/core/tools/list-memory.ts';
import { recall } from '../../../lib/core/tools/recall.ts';
import { missesOf } from '../../support/misses.ts';
import { NO_RECORDS } from '../../support/no-records.ts';
import { anObject, NONCE, NOW } from '../memory/notes.ts';

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
  records: NO_RECORDS,
  powers: {},
  actor: 'agent',
  newNonce: () => NONCE,
} as const;
const textsOf = (output: string) =>
  output.split('\n').map((line) => (JSON.parse(line) as { readonly text: string }).text);

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
