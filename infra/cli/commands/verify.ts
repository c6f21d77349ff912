/**
 * `verify`: checks an evidence export with nothing but the file; if given, also with the log's key,
 * a kept checkpoint, or a machine's journal. Only what was changed or forged is WRONG.
 */

import { createReadStream, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseCheckpoint } from '../../../lib/core/evidence/checkpoint.ts';
import { parseWitnessKey } from '../../../lib/core/evidence/cosignature.ts';
import { CHECKPOINT_BYTES_MAX, EXPORT_LINE_CHARS_MAX } from '../../../lib/core/evidence/limits.ts';
import { parseVerifierKey } from '../../../lib/core/evidence/signed-note.ts';
import type { Wrong } from '../../../lib/core/evidence/verifier/fields.ts';
import {
  type VerifiedExport,
  type VerifyResult,
  verifyExport,
} from '../../../lib/core/evidence/verifier/verify-export.ts';
import { RECEIPT_TYPE, verifyReceipt } from '../../../lib/core/evidence/verifier/verify-receipt.ts';
import { receiptLines } from '../../../lib/core/log/receipt-lines.ts';
import { VERIFIER_KNOWLEDGE } from '../../../lib/features/verifier-knowledge.ts';
import type { Command, CommandContext } from '../command.ts';
import type { ExportCheck } from '../evidence/export-check.ts';
import { EXPORT_CHECKS } from '../features.ts';
import { CliError, countOf, EXIT, type ExitCode, printable, show, type Terminal } from '../terminal.ts';
import { CLI_PROGRESS_AFTER_MS } from '../turn.ts';

const USAGE =
  'usage: npx passepartout verify <file> [--key <public key>] [--anchor <checkpoint file>] [--runner <journal>] [--witness <key> --at-least <k>]';
/** Lines between two reports of progress. */
const PROGRESS_LINES = 2_000;
const CHUNK_BYTES = 1024 * 1024;

/**
 * An export may be larger than memory. A line that never ends is given as soon as it is too long.
 */
async function* readLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES })) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > EXPORT_LINE_CHARS_MAX) break;
  }
  if (rest !== '') yield rest;
}

/** @throws CliError (exit 2) if there is no such file */
const findFile = ({ folder }: CommandContext, given: string): string => {
  const path = resolve(folder, given);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path;
  throw new CliError(EXIT.usage, `there is no file ${printable(given)}`, USAGE);
};

/** Checks only that the text can be read; whether it fits the log is for the verifier to say. */
const checkForm = (name: string, text: string, parse: (text: string) => unknown): string => {
  try {
    parse(text);
    return text;
  } catch (error) {
    throw new CliError(EXIT.usage, `${name} is not usable: ${error instanceof Error ? error.message : ''}`, USAGE);
  }
};

/** The option holds the key itself, or names the file that does. */
const readKey = (context: CommandContext): string | undefined => {
  const given = context.text('key')?.trim();
  if (given === undefined) return undefined;
  const text = given.includes('+') ? given : readFileSync(findFile(context, given), 'utf8').trim();
  return checkForm('the key', text, parseVerifierKey);
};

const readAnchor = (context: CommandContext): string | undefined => {
  const given = context.text('anchor');
  if (given === undefined) return undefined;
  const path = findFile(context, given);
  if (statSync(path).size > CHECKPOINT_BYTES_MAX)
    throw new CliError(EXIT.usage, 'the anchor is not a checkpoint', USAGE);
  return checkForm('the anchor', readFileSync(path, 'utf8'), parseCheckpoint);
};

/** @throws CliError (exit 2) if a key, or the number, cannot be used */
const readDemand = (context: CommandContext) => {
  const witnesses = context.texts('witness').map((text) => {
    checkForm('the witness', text, parseWitnessKey);
    return parseWitnessKey(text);
  });
  const atLeast = Number(context.text('at-least') ?? witnesses.length);
  if (!Number.isInteger(atLeast) || atLeast < 0 || atLeast > witnesses.length)
    throw new CliError(EXIT.usage, '--at-least is a number of the witnesses that --witness names', USAGE);
  return { witnesses, atLeast };
};

/** Bytes of a receipt: a decision of many actions and attempts is some 100 KB. */
const RECEIPT_BYTES_MAX = 4 * 1024 * 1024;

/** The text of a receipt; undefined for an export, whose first line says so. */
const readReceipt = (path: string): string | undefined => {
  if (statSync(path).size > RECEIPT_BYTES_MAX) return undefined;
  const text = readFileSync(path, 'utf8');
  return text.slice(0, 100).includes(`"${RECEIPT_TYPE}"`) ? text : undefined;
};

const wrongLine = (status: 'wrong' | 'cut', { kind, id, index, what }: Wrong): string =>
  `${status.toUpperCase()}: ${kind} ${printable(id)}${index === null ? '' : ` (leaf ${index})`}: ${printable(what)}`;

const HEADLINES: Readonly<Record<VerifiedExport['status'], string>> = {
  verified: 'verified',
  incomplete: 'incomplete: what is there agrees, and a part is missing',
  consistent: 'consistent, not authenticated',
  older: 'older than the anchor: what is there agrees',
  withheld: 'withheld: what is shown agrees, and an action is not shown',
};

const EXIT_OF: Readonly<Record<VerifyResult['status'], ExitCode>> = {
  verified: EXIT.ok,
  wrong: EXIT.failed,
  incomplete: EXIT.unproven,
  consistent: EXIT.unproven,
  older: EXIT.older,
  cut: EXIT.cut,
  withheld: EXIT.withheld,
};

const OLDER =
  '  OLDER THAN IT SAYS? Its newest leaf is more than an hour older than the time the file claims. ' +
  'An old copy with a new date looks the same: an anchor made since tells.';

const timeText = (atMs: number): string => (atMs === 0 ? 'none' : new Date(atMs).toISOString());

const jobsLine = ({ jobs, occurrences, areRulesComputed }: VerifiedExport): string =>
  `${countOf(jobs, 'job')}, ${countOf(occurrences, 'occurrence')}: ${
    areRulesComputed
      ? "every moment of a job's rule has its occurrence, by the time zones of this machine"
      : 'their rules were not computed'
  }`;

const foundLines = (terminal: Terminal, found: VerifiedExport): readonly string[] => {
  const isVerified = found.status === 'verified';
  const yellow = (text: string): string => terminal.paint('yellow', text);
  const leaves = (count: number): string => countOf(count, 'leaf', 'leaves');
  const hasJobs = found.jobs > 0 || found.occurrences > 0;
  const remarks: readonly (readonly [boolean, string])[] = [
    [
      found.late > 0,
      `${leaves(found.late)} added later than a minute after the record, and saying so: until then nothing held it`,
    ],
    [found.leaves > 0, 'not covered: a checkpoint before the newest one may be left out, but none of its leaves'],
    [
      found.uncheckedCosignatures > 0,
      `not covered: ${countOf(found.uncheckedCosignatures, 'cosignature')} of witnesses whose keys were not given (--witness)`,
    ],
    [hasJobs, jobsLine(found)],
    [
      found.runnerJobs > 0,
      `${countOf(found.runnerJobs, 'job')} of runners: signed by Act, answered by the key that was paired`,
    ],
    [found.forgotten > 0, `${countOf(found.forgotten, 'record')} whose content was forgotten; hashes hold`],
    [found.withheld > 0, `${countOf(found.withheld, 'approval card')} left out: an export gives nobody their text`],
    [
      isVerified && !found.isAnchored,
      'an older copy of the same log would verify too: give --anchor, a checkpoint stored elsewhere',
    ],
    [
      !found.isSigned && !found.isAnchored,
      `the author of the file could have forged all of it: give --key${found.status === 'older' ? '' : ' and --anchor'}`,
    ],
  ];
  return [
    terminal.paint(isVerified ? 'green' : 'yellow', HEADLINES[found.status]),
    ...found.missing.map((part) => yellow(`  ${printable(part)}`)),
    `  space ${printable(found.space)}, newest leaf ${timeText(found.newestAt)}, exported ${timeText(found.exportedAt)} as the file says`,
    ...(found.mayBeOlder ? [yellow(OLDER)] : []),
    `  ${leaves(found.leaves)}, ${countOf(found.checkpoints, 'checkpoint')}, ${countOf(found.records, 'record')}, root ${found.root}`,
    ...remarks.filter(([applies]) => applies).map(([, text]) => `  ${text}`),
  ];
};

/** For whoever demands witnesses: a missing one is told among what is missing. */
const witnessLines = ({ status }: VerifiedExport, { witnesses, atLeast }: ReturnType<typeof readDemand>) =>
  atLeast > 0 && status !== 'incomplete'
    ? [
        `  cosigned by ${atLeast === witnesses.length ? '' : `at least ${atLeast} of `}${witnesses.map(({ name }) => printable(name)).join(', ')}`,
      ]
    : [];

interface Checked extends Awaited<ReturnType<ExportCheck['compare']>> {
  readonly member: string;
}

/** The checks that options ask for. @throws CliError (exit 2) if there is no such file */
const runChecks = async (
  context: CommandContext,
  exported: string,
  { newestAt }: VerifiedExport,
): Promise<readonly Checked[]> => {
  const checked: Checked[] = [];
  for (const { option, member, compare } of EXPORT_CHECKS) {
    const given = context.text(option);
    if (given === undefined) continue;
    const file = readLines(findFile(context, given));
    checked.push({ member, ...(await compare(context, readLines(exported), file, newestAt)) });
  }
  return checked;
};

const checkReceipt = (context: CommandContext, text: string): ExitCode => {
  const { terminal } = context;
  const refused = ['anchor', ...EXPORT_CHECKS.map(({ option }) => option)];
  if (refused.some((option) => context.text(option) !== undefined))
    throw new CliError(EXIT.usage, 'a receipt takes no --anchor and no --runner', USAGE);
  const found = verifyReceipt(text, { key: readKey(context), ...readDemand(context) });
  if ('wrong' in found) {
    show(terminal, found, [terminal.paint('red', wrongLine('wrong', found.wrong))]);
    return EXIT_OF.wrong;
  }
  const shown = {
    ...found,
    key: found.key.id,
    cosigned: found.cosigned.map(({ key, at }) => ({ name: key.name, at })),
  };
  const headline = terminal.paint(found.status === 'verified' ? 'green' : 'yellow', HEADLINES[found.status]);
  show(terminal, shown, [headline, ...receiptLines(found)]);
  return EXIT_OF[found.status];
};

export const verify: Command = {
  name: 'verify',
  usage: '<file>',
  summary: 'check an evidence export or a receipt offline: every hash, proof and signature',
  options: {
    key: { type: 'string', value: 'key', help: "the log's public key, or a file that holds it" },
    anchor: { type: 'string', value: 'file', help: 'a checkpoint that was kept elsewhere' },
    ...Object.fromEntries(
      EXPORT_CHECKS.map(({ option, help }) => [option, { type: 'string', value: 'file', help } as const]),
    ),
    witness: {
      type: 'string',
      value: 'key',
      multiple: true,
      help: 'a witness that must have cosigned; several may be given',
    },
    'at-least': { type: 'string', value: 'k', help: 'how many of the witnesses must have (default: all)' },
  },
  argCount: [1, 1],
  run: async (context): Promise<ExitCode> => {
    const { terminal, now, args } = context;
    const path = findFile(context, args[0] ?? '');
    const receipt = readReceipt(path);
    if (receipt !== undefined) return checkReceipt(context, receipt);
    const [key, anchor, startedAt] = [readKey(context), readAnchor(context), now()];
    const onLine = (lines: number): void => {
      if (lines % PROGRESS_LINES === 0 && now() - startedAt > CLI_PROGRESS_AFTER_MS)
        terminal.progress(`${lines} lines`);
    };
    const demand = readDemand(context);
    const options = { key, anchor, ...demand, now: startedAt, onLine, ...VERIFIER_KNOWLEDGE };
    const result = await verifyExport(readLines(path), options);
    terminal.progress('');
    if ('wrong' in result) {
      show(terminal, result, [terminal.paint('red', wrongLine(result.status, result.wrong))]);
      return EXIT_OF[result.status];
    }
    const checked = await runChecks(context, path, result);
    const shown = { ...result, ...Object.fromEntries(checked.map(({ member, data }) => [member, data])) };
    const lines = [...foundLines(terminal, result), ...witnessLines(result, demand)];
    show(terminal, shown, [...lines, ...checked.flatMap((one) => one.lines)]);
    if (checked.some(({ isDifferent }) => isDifferent)) return EXIT.failed;
    return EXIT_OF[result.status];
  },
};
