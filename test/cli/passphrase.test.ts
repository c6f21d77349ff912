/** Which passphrases of a new backup are refused. */
import { describe, expect, it } from 'vitest';
import { findWeakness } from '../../infra/cli/passphrase.ts';

const WEAK: readonly (readonly [string, RegExp])[] = [
  ['short', /at least 12 characters/],
  ['elevenchars', /at least 12 characters/],
  ['aaaaaaaaaaaa', /guessed soon/],
  ['abababababab', /guessed soon/],
  ['abcabcabcabcabc', /guessed soon/],
  ['abcdefghijklmnop', /guessed soon/],
  ['ponmlkjihgfedcba', /guessed soon/],
  ['passwordpassword', /guessed soon/],
  ['Password12345', /guessed soon/],
  ['Passw0rd!2026', /guessed soon/],
  ['passepartout1', /guessed soon/],
  ['my secret backup', /guessed soon/],
  ['qwertyqwerty', /guessed soon/],
  ['qwertyuiop12', /guessed soon/],
  ['            ', /digits alone|guessed soon/],
  ['123456789012', /digits alone/],
  ['04.12.1987 12:30', /digits alone/],
  ['11111111111111111111', /guessed soon/],
];
const GOOD: readonly string[] = [
  'four words and a comma',
  'four words nobody guesses',
  'correct horse battery staple',
  'blauer Reiher hinter Mühle',
  'x7#Kp2!vQz9m',
  '83920174650283746519',
  '紫の鷺は水車小屋の裏に巣を作る',
];

describe('findWeakness', () => {
  it.each(WEAK)('refuses %j', (passphrase, why) => {
    expect(findWeakness(passphrase)).toMatch(why);
  });
  it.each(GOOD)('takes %j', (passphrase) => {
    expect(findWeakness(passphrase)).toBeUndefined();
  });
});
