/** Which passphrases of a new backup are refused. */
import { describe, expect, it } from 'vitest';
import { findWeakness } from '../../../infra/features/backup/passphrase.ts';

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
  ['Summer2024!!', /guessed soon/],
  ['P@ssw0rd2024', /guessed soon/],
  ['p@$$w0rd!2024', /guessed soon/],
  ['hunter2hunter2', /guessed soon/],
  ['1q2w3e4r5t6y', /guessed soon/],
  ['1qaz2wsx3edc', /guessed soon/],
  ['michael1990!', /guessed soon/],
  ['jennifer2001', /guessed soon/],
  ['liverpoolfc1', /guessed soon/],
  ['computer1234', /guessed soon/],
  ['Geheim2024!!', /guessed soon/],
  ['qazwsxedcrfv', /guessed soon/],
  ['!@#$%^&*()_+', /guessed soon/],
  ['passpartout!', /guessed soon/],
  ['p a s s w o r d 1', /guessed soon/],
  ['P4ssepart0ut!', /guessed soon/],
  ['pässwörd1234', /guessed soon/],
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
