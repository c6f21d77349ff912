/**
 * The passphrase of a backup: from a file, from the environment, or typed at a terminal that does
 * not show it. Never an argument, which other accounts of the machine could read.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CommandContext } from '../../cli/command.ts';
import { CliError, EXIT, printable } from '../../cli/terminal.ts';

/** A thief of the file may try as often as they like, so four words or more. */
const PASSPHRASE_CHARS_MIN = 12;
/** Characters that nobody can foresee from the one before. */
const PASSPHRASE_OPEN_CHARS_MIN = 8;
/** Digits alone are worth half of letters: as many as a random number of 64 bits has. */
const PASSPHRASE_DIGITS_MIN = 20;
/** Words that lists of leaked passwords begin with, and our own. Each counts as one character. */
const COMMON =
  /pass(?:word|wort|phrase|epartout)|passw0rd|backup|restore|secret|welcome|letmein|iloveyou|admin|login|master|dragon|monkey|football|baseball|princess|sunshine|superman|starwars|qwertz?|azerty|asdf|zxcv|changeme|default|test|user|hello|hunter|summer|winter|sommer|geheim|hallo|poiuy|(?:1q2w|3e4r|5t6y|1qaz|2wsx|3edc|4rfv|zaq1|xsw2|cde3|qaz|wsx|edc|rfv|q1w2|e3r4|t5y6)+|!@#\$|%\^&\*/g;

/** Characters that do not repeat, go on with, or come back to those before. */
const countOpen = (text: string): number => {
  const chars = [...text.replace(COMMON, '*')];
  const codeAt = (index: number): number => chars[index]?.codePointAt(0) ?? 0;
  const isNext = (index: number): boolean => index > 0 && Math.abs(codeAt(index) - codeAt(index - 1)) <= 1;
  const isAgain = (index: number): boolean =>
    index > 1 &&
    chars
      .slice(0, index - 1)
      .join('')
      .includes(chars.slice(index - 1, index + 1).join(''));
  return chars.filter((_, index) => !isNext(index) && !isAgain(index)).length;
};

/** Digits and signs that people write for letters. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '@': 'a',
  4: 'a',
  $: 's',
  5: 's',
  0: 'o',
  3: 'e',
  1: 'i',
  7: 't',
};

/** A text as it is, and as a person reads it who knows these tricks. */
const readings = (text: string): readonly string[] => {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const read = plain.replace(/[@4$50317]/g, (sign) => LOOKS_LIKE[sign] ?? sign);
  return [plain, read, plain.replace(/[\s._-]/g, ''), read.replace(/[\s._-]/g, '')];
};

/** One word of Latin letters, with whatever before or after it: a name and a year. */
const ONE_WORD = /^[^\p{L}]*\p{Script=Latin}{1,15}[^\p{L}]*$/u;

/** Why a passphrase is too easy to guess; undefined if it is not. Pure. */
export const findWeakness = (passphrase: string): string | undefined => {
  const { length } = [...passphrase];
  if (length < PASSPHRASE_CHARS_MIN) return `a passphrase has at least ${PASSPHRASE_CHARS_MIN} characters`;
  if (/^[\d\s.,:/-]*$/.test(passphrase) && length < PASSPHRASE_DIGITS_MIN)
    return `a passphrase of digits alone has at least ${PASSPHRASE_DIGITS_MIN} of them`;
  const isWord = ONE_WORD.test(passphrase) && /\p{L}/u.test(passphrase);
  return isWord || Math.min(...readings(passphrase).map(countOpen)) < PASSPHRASE_OPEN_CHARS_MIN
    ? 'this passphrase is guessed soon: it repeats itself, counts on, is one word, or is made of common words for passwords'
    : undefined;
};

export const PASSPHRASE_OPTION = {
  'passphrase-file': {
    type: 'string',
    value: 'file',
    help: 'its first line; else BACKUP_PASSPHRASE, else you are asked',
  },
} as const;

const ADVICE = 'give it at a terminal, in BACKUP_PASSPHRASE, or with --passphrase-file <file>';

const readFirstLine = (folder: string, name: string): string => {
  try {
    return readFileSync(resolve(folder, name), 'utf8').split(/\r?\n/, 1)[0] ?? '';
  } catch {
    throw new CliError(EXIT.usage, `${printable(name)} cannot be read`, ADVICE);
  }
};

/** Asks without showing what is typed. */
const ask = async ({ input, terminal }: CommandContext, question: string): Promise<string> => {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: nowhere, terminal: true });
  try {
    terminal.remark(question);
    return await reader.question('');
  } finally {
    reader.close();
  }
};

const isTerminal = (input: NodeJS.ReadableStream): boolean => 'isTTY' in input && input.isTTY === true;

/** @param isNew it is typed twice, and must be hard to guess. @throws CliError (exit 2) */
export const readPassphrase = async (context: CommandContext, isNew: boolean): Promise<string> => {
  const { text, env, folder, input } = context;
  const file = text('passphrase-file');
  const isGiven = file !== undefined || env.BACKUP_PASSPHRASE !== undefined;
  if (!isGiven && !isTerminal(input)) throw new CliError(EXIT.usage, 'the backup needs a passphrase', ADVICE);
  const given = file === undefined ? env.BACKUP_PASSPHRASE : readFirstLine(folder, file);
  const passphrase = given ?? (await ask(context, 'Passphrase:'));
  const weakness = isNew ? findWeakness(passphrase) : undefined;
  if (weakness !== undefined) throw new CliError(EXIT.usage, weakness, 'take four words that nobody puts together');
  if (isNew && !isGiven && (await ask(context, 'The same again:')) !== passphrase)
    throw new CliError(EXIT.usage, 'the two passphrases differ');
  return passphrase;
};
