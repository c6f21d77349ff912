/** Nothing of an action is left out of a search, and nothing is searched that is not there. */
import { describe, expect, it } from 'vitest';
import { formsOf, stringsOf } from '../../../../lib/core/gates/rules/action-strings.ts';
import { notice, toolCall, webhookCall } from '../samples.ts';

describe('stringsOf', () => {
  it('gives every string, number and key of the arguments, however deep, under fixed names', () => {
    const args = { list: ['a', 7, null, true, { deep: ['b'] }], none: null, empty: '' };
    const { explanation: _explanation, ...rest } = toolCall({ args });
    expect(stringsOf({ ...rest, explanation: '' })).toStrictEqual([
      { field: 'tool', value: 'remember' },
      { field: 'args (key)', value: 'list' },
      { field: 'args', value: 'a' },
      { field: 'args', value: '7' },
      { field: 'args (key)', value: 'deep' },
      { field: 'args', value: 'b' },
      { field: 'args (key)', value: 'none' },
      { field: 'args (key)', value: 'empty' },
      { field: 'args', value: '' },
    ]);
  });

  it('gives every field that holds words, in a fixed order', () => {
    expect(stringsOf(notice({ explanation: 'why', card: 'c', url: 'u' }))).toStrictEqual([
      { field: 'text', value: 'Stopped. Nothing is done until you send /resume.' },
      { field: 'to', value: 'main' },
      { field: 'url', value: 'u' },
      { field: 'explanation', value: 'why' },
      { field: 'template', value: 'stopped' },
      { field: 'card', value: 'c' },
    ]);
    expect(stringsOf(webhookCall({ args: {}, text: '' })).map(({ field }) => field)).toStrictEqual([
      'to',
      'url',
      'tool',
      'explanation',
    ]);
  });
});

describe('formsOf', () => {
  it.each<readonly [string, readonly string[]]>([
    ['plain', ['plain']],
    ['ｆｕｌｌ', ['ｆｕｌｌ', 'full']],
    ['a%41', ['a%41', 'aA']],
    ['ｆ%41', ['ｆ%41', 'f%41', 'fA']],
    ['', ['']],
  ])('sees %j as %j', (value, forms) => {
    expect(formsOf(value)).toStrictEqual(forms);
  });
});
