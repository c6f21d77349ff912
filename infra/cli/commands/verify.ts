/**
 * `verify`: checks an evidence export with nothing but the file, and where given the log's public
 * key and a checkpoint kept elsewhere. Needs no stack, no network and no account. Exit 0 verified,
 * 1 wrong (the first wrong record is named), 2 usage, 3 incomplete, or consistent but not
 * authenticated. The checking itself is `lib/evidence/verifier`, which depends on nothing, so that
 * it can be audited.
 */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseCheckpoint } from '../../../lib/evidence/checkpoint.ts';
import { CHECKPOINT_BYTES_MAX } from '../../../lib/evidence/limits.ts';
import { parseVerifierKey } from '../../../lib/evidence/signed-note.ts';
import { type VerifiedExport, verifyExport } from '../../../lib/evidence/verifier/verify-export.ts';
import type { Wrong } from '../../../lib/evidence/verifier/wrong.ts';
import type { Command, CommandContext } from '../command.ts';
import { countOf } from '../count-of.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { CLI_PROGRESS_AFTER_MS } from '../limits.ts';
import { printable } from '../printable.ts';
import { readLines } from '../read-lines.ts';
import type { Terminal } from '../terminal.ts';

const USAGE = 'usage: passepartout verify <file> [--key <public key>] [--anchor <checkpoint file>]';
/** Lines between two words of progress. */
const PROGRESS_LINES = 2_000;

const checkFile = (path: string, shown: string): void => {
  try {
    if (statSync(path).isFile()) return;
  } catch {
    // Told below.
  }
  throw new CliError(EXIT.usage, `there is no file ${printable(shown)}`, USAGE);
};

/**
 * Gives the text back if it can be read at all; whether it fits the log is the verifier's to say.
 */
const checkForm = (what: string, text: string, parse: (text: string) => unknown): string => {
  try {
    parse(text);
    return text;
  } catch (error) {
    throw new CliError(EXIT.usage, `${what} is not usable: ${error instanceof Error ? error.message : ''}`, USAGE);
  }
};

/** The key itself, or the file that holds it. */
const readKey = (context: CommandContext): string | undefined => {
  const given = context.text('key')?.trim();
  if (given === undefined) return undefined;
  if (given.includes('+')) return checkForm('the key', given, parseVerifierKey);
  const path = resolve(context.folder, given);
  checkFile(path, given);
  return checkForm('the key', readFileSync(path, 'utf8').trim(), parseVerifierKey);
};

const readAnchor = (context: CommandContext): string | undefined => {
  const given = context.text('anchor');
  if (given === undefined) return undefined;
  const path = resolve(context.folder, given);
  checkFile(path, given);
  if (statSync(path).size > CHECKPOINT_BYTES_MAX)
    throw new CliError(EXIT.usage, 'the anchor is not a checkpoint', USAGE);
  return checkForm('the anchor', readFileSync(path, 'utf8'), parseCheckpoint);
};

const tellWrong = (terminal: Terminal, { kind, id, index, what }: Wrong): void => {
  const place = index === null ? '' : ` (leaf ${index})`;
  terminal.line(terminal.paint('red', `WRONG: ${kind} ${printable(id)}${place}: ${printable(what)}`));
};

const HEADLINES: Readonly<Record<VerifiedExport['status'], string>> = {
  verified: 'verified',
  incomplete: 'incomplete: what is there agrees, and a part is missing',
  consistent: 'consistent, not authenticated',
};

const timeText = (atMs: number): string => (atMs === 0 ? 'none' : new Date(atMs).toISOString());

const tellFound = (terminal: Terminal, found: VerifiedExport): void => {
  const isVerified = found.status === 'verified';
  terminal.line(terminal.paint(isVerified ? 'green' : 'yellow', HEADLINES[found.status]));
  for (const part of found.missing) terminal.line(terminal.paint('yellow', `  ${printable(part)}`));
  terminal.line(
    `  space ${printable(found.space)}, newest leaf ${timeText(found.newestAt)}, exported ${timeText(found.exportedAt)} as the file says`,
  );
  if (found.mayBeOlder)
    terminal.line(
      terminal.paint(
        'yellow',
        '  OLDER THAN IT SAYS? Its newest leaf is more than an hour older than the time the file claims. An old copy with a new date looks the same: an anchor made since tells.',
      ),
    );
  terminal.line(
    `  ${countOf(found.leaves, 'leaf', 'leaves')}, ${countOf(found.checkpoints, 'checkpoint')}, ${countOf(found.records, 'record')}, root ${found.root}`,
  );
  if (found.late > 0)
    terminal.line(
      `  ${countOf(found.late, 'leaf', 'leaves')} added later than a minute after the record, and saying so: until then nothing held it`,
    );
  if (found.forgotten > 0)
    terminal.line(`  ${countOf(found.forgotten, 'record')} whose content was forgotten; hashes hold`);
  if (found.withheld > 0) terminal.line(`  ${countOf(found.withheld, 'approval card')} withheld`);
  if (isVerified && !found.isAnchored)
    terminal.line('  an older copy of the same log would verify too: give --anchor, a checkpoint kept elsewhere');
  if (!found.isSigned && !found.isAnchored)
    terminal.line('  whoever made the file could have made all of it: give --key and --anchor');
};

const verifyFile = async (context: CommandContext, file: string): Promise<ExitCode> => {
  const { terminal, now } = context;
  const path = resolve(context.folder, file);
  checkFile(path, file);
  const [key, anchor, startedAt] = [readKey(context), readAnchor(context), now()];
  const onLine = (lines: number): void => {
    if (lines % PROGRESS_LINES === 0 && now() - startedAt > CLI_PROGRESS_AFTER_MS) terminal.progress(`${lines} lines`);
  };
  const result = await verifyExport(readLines(path), { key, anchor, now: startedAt, onLine });
  terminal.progress('');
  if (terminal.isJson) terminal.json(result);
  else if (result.status === 'wrong') tellWrong(terminal, result.wrong);
  else tellFound(terminal, result);
  if (result.status === 'wrong') return EXIT.failed;
  return result.status === 'verified' ? EXIT.ok : EXIT.unproven;
};

export const verify: Command = {
  name: 'verify',
  usage: '<file>',
  summary: 'check an evidence export offline: every hash, proof and signature',
  options: {
    key: { type: 'string', value: 'key', help: "the log's public key, or a file that holds it" },
    anchor: { type: 'string', value: 'file', help: 'a checkpoint that was kept elsewhere' },
  },
  argCount: [1, 1],
  run: (context) => verifyFile(context, context.args[0] ?? ''),
};
