import { describe, expect, it } from 'vitest';
import { checkPrivacy } from '../../../../lib/core/gates/rules/privacy.ts';
import { checkRepeat } from '../../../../lib/core/gates/rules/repeat.ts';
import type { Action } from '../../../../lib/core/signal/action.ts';
import { factsFor, notice, reply, toolCall, webhookCall } from '../samples.ts';

const PASSED = { verdict: 'pass', reason: '' };
const check = (action: Action, privacyTags: string[] = []) => checkPrivacy(action, factsFor(action, { privacyTags }));
const sent = (body: string, privacyTags: string[] = []) => check(webhookCall({ args: { body } }), privacyTags).verdict;

describe('checkPrivacy', () => {
  it.each([
    '@personal The test came back negative.',
    'Shopping\n  @Personal: pills\nMilk',
    '** Doctor :health:@personal:',
    '# Diary :personal:',
    'tags: home, personal',
    '{"id":"1","tags":["home","@personal"],"text":"x"}',
    'see (@personal)',
    '＠ｐｅｒｓｏｎａｌ the result',
    '@pers\u200bonal the result',
    '%40personal the result',
    '@реrѕоnаl the result',
    '&#64;personal the result',
  ])('stops a webhook that carries: %s', (body) => {
    expect(sent(body)).toBe('block');
  });

  it.each([
    'Personal training starts at nine.',
    'Write to ada@personal.example, or me@personal.',
    'The @personality project',
    '@personal-trainer is a handle',
    'https://example.com/@personality',
    'tags: home, impersonal',
    'a heading # of :personality: traits',
    'key: personal',
  ])('lets through: %s', (body) => {
    expect(sent(body)).toBe('pass');
  });

  it('knows the tags of the space, and only whole ones', () => {
    expect(sent('@medical: see below', ['@Medical'])).toBe('block');
    expect(sent('@medical: see below')).toBe('pass');
    expect(sent('@medicals: see below', ['medical'])).toBe('pass');
    expect(sent('tags: family', ['family'])).toBe('block');
  });

  it.each<readonly [string, Action]>([
    ['tags among the arguments', webhookCall({ args: { body: { note: { tags: ['Personal'], text: 'x' } } } })],
    ['a tag among other things', webhookCall({ args: { body: { tags: [5, null, 'personal'], none: null } } })],
    ['a tag by another case', webhookCall({ args: { body: { TAG: 'personal' } } })],
    ['one tag', webhookCall({ args: { body: { tag: '@personal' } } })],
    ['an argument key', webhookCall({ args: { body: { '@personal': 'x' } } })],
    ['a URL to open', toolCall({ tool: 'fetch-url', args: { url: 'https://example.com/?q=@personal' } })],
    ['words for a service', toolCall({ tool: 'search-web', args: { query: '@personal test', service: 'brave' } })],
  ])('looks into %s', (_, action) => {
    expect(check(action)).toMatchObject({ verdict: 'block' });
  });

  it.each<readonly [string, Action]>([
    ['what only ends like tags', webhookCall({ args: { body: { hashtags: ['personal'] } } })],
    ['what only begins like tags', webhookCall({ args: { body: { tagset: ['personal'] } } })],
    ['a nothing', webhookCall({ args: { body: null } })],
    ['other names', webhookCall({ args: { body: { kind: 'personal' } } })],
  ])('lets through %s', (_, action) => {
    expect(check(action)).toStrictEqual(PASSED);
  });

  it('keeps no message to the system back', () => {
    const action = reply({ target: 'system', text: '@personal The test came back negative.' });
    expect(checkPrivacy(action, factsFor(action, { isPlainReply: false }))).toStrictEqual(PASSED);
  });

  it('stops texts to others, and lets replies, notes and notices through', () => {
    const text = '@personal The test came back negative.';
    const toOther = reply({ text });
    expect(checkPrivacy(toOther, factsFor(toOther, { isPlainReply: false }))).toStrictEqual({
      verdict: 'block',
      reason: 'a text to telegram would carry out of the space what is marked private',
    });
    expect(check(reply({ text }))).toStrictEqual(PASSED);
    expect(check(toolCall({ args: { text, tags: ['personal'] } }))).toStrictEqual(PASSED);
    expect(check(notice({ text }))).toStrictEqual(PASSED);
  });
});

describe('checkRepeat', () => {
  it('stops what was refused before, and nothing else', () => {
    const action = toolCall();
    expect(checkRepeat(action, factsFor(action))).toStrictEqual(PASSED);
    expect(checkRepeat(action, factsFor(action, { isRefusedBefore: true })).verdict).toBe('block');
  });
});
