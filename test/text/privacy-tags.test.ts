/**
 * What a private tag is, in a list and in a text: whole tags, in any spelling, and nothing that
 * only looks like one.
 */
import { describe, expect, it } from 'vitest';
import { hasPrivateTag, isPrivateText } from '../../lib/text/privacy-tags.ts';

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
  it.each([
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
  ])('finds the tag in %j', (text) => {
    expect(isPrivateText(text, [])).toBe(true);
  });

  it.each([
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
  ])('finds none in %j', (text) => {
    expect(isPrivateText(text, [])).toBe(false);
  });

  it('looks for the tags of the space as well', () => {
    expect(isPrivateText('# T :family:', ['Family'])).toBe(true);
    expect(isPrivateText('# T :family:', [])).toBe(false);
    expect(isPrivateText('tags: a, , b', [''])).toBe(false);
  });
});
