/**
 * The passphrase of a backup: from a file, from the environment, or typed at a terminal that does
 * not show it. Never an argument, which other accounts of the machine could read.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CommandContext } from './command.ts';
import { CliError, EXIT, printable } from './terminal.ts';

/** Whoever has the file may try as often as they like: four words or more. */
const PASSPHRASE_CHARS_MIN = 12;

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

/** @param isNew it is typed twice, and must be long enough. @throws CliError (exit 2) */
export const readPassphrase = async (context: CommandContext, isNew: boolean): Promise<string> => {
  const { text, env, folder, input } = context;
  const file = text('passphrase-file');
  const isGiven = file !== undefined || env.BACKUP_PASSPHRASE !== undefined;
  if (!isGiven && !isTerminal(input)) throw new CliError(EXIT.usage, 'the backup needs a passphrase', ADVICE);
  const given = file === undefined ? env.BACKUP_PASSPHRASE : readFirstLine(folder, file);
  const passphrase = given ?? (await ask(context, 'Passphrase:'));
  if (isNew && passphrase.length < PASSPHRASE_CHARS_MIN)
    throw new CliError(EXIT.usage, `a passphrase has at least ${PASSPHRASE_CHARS_MIN} characters`, ADVICE);
  if (isNew && !isGiven && (await ask(context, 'The same again:')) !== passphrase)
    throw new CliError(EXIT.usage, 'the two passphrases differ');
  return passphrase;
};
