/** The texts in which a link counts, and no others. */
import { describe, expect, it } from 'vitest';
import { isKeeping, mapLinkTexts } from '../../lib/gates/link-texts.ts';
import { reply, toolCall, webhookCall } from './samples.ts';

const shout = (text: string): string => text.toUpperCase();

describe('isKeeping', () => {
  it.each([
    [toolCall(), true],
    [toolCall({ tool: 'recall' }), false],
    [webhookCall({ tool: 'remember' }), false],
    [reply({ tool: 'remember' }), false],
  ])('judges %j: %j', (action, keeps) => {
    expect(isKeeping(action)).toBe(keeps);
  });
});

describe('mapLinkTexts', () => {
  it('changes the text a person is shown, and nothing else of it', () => {
    expect(mapLinkTexts(reply({ text: 'a' }), shout)).toStrictEqual(reply({ text: 'A' }));
    const { text: _text, ...bare } = reply();
    expect(mapLinkTexts(bare, shout)).toStrictEqual(bare);
  });

  it('changes every text a note keeps, however deep, and no name', () => {
    const args = { a: 'x', list: ['y', 5, null, { b: 'z', c: true }], none: null };
    expect(mapLinkTexts(toolCall({ args }), shout)).toStrictEqual(
      toolCall({ args: { a: 'X', list: ['Y', 5, null, { b: 'Z', c: true }], none: null } }),
    );
    const { args: _args, ...bare } = toolCall();
    expect(mapLinkTexts(bare, shout)).toStrictEqual(bare);
  });

  it('leaves other calls alone', () => {
    for (const action of [toolCall({ tool: 'recall', args: { a: 'x' } }), webhookCall()])
      expect(mapLinkTexts(action, shout)).toStrictEqual(action);
  });
});
