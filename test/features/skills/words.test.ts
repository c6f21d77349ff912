import { describe, expect, it } from 'vitest';
import { buildWords } from '../../../lib/features/skills/words.ts';

describe('buildWords', () => {
  it.each<[readonly string[], string, boolean]>([
    [['note'], 'Make a NOTE, please', true],
    [['note'], 'footnotes', false],
    [['über'], 'sag mir was über ihn', true],
    [['tidy up'], 'please tidy   up here', true],
    [['c++ (new)'], 'a c++ (new) thing', true],
    [['write … script'], 'write me a short script', true],
    [['write … script'], 'write a long letter about nothing, then a script', false],
    [['write … script'], 'write a prescript', false],
    [['a.c'], 'abc', false],
    [['straße'], 'DIE STRAẞE HIER', true],
    [['test'], 'ein TEſT', true],
    [['tidy up', 'notes'], 'up and tidy', false],
  ])('finds %j in "%s": %s', (words, text, found) => {
    expect(buildWords(words)?.test(text)).toBe(found);
  });

  it('is none for no words', () => {
    expect(buildWords([])).toBeUndefined();
  });
});
