/**
 * `evidence export` writes one file, which `verify` checks offline. If a part of the log cannot be
 * read or does not agree, it is written all the same, and the exit code is 1. A stack has the
 * evidence of one space; `--space` makes sure which one that is.
 */
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MINUTE_MS } from '../../../lib/core/base/limits.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { gateSetContent } from '../../../lib/core/gates/engine/gate-set-content.ts';
import { collectExport } from '../../../lib/core/log/collect-export.ts';
import { buildExportLines } from '../../../lib/core/log/export-lines.ts';
import { loadLogText, openLog, type StackAccess, wakeLog } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, checkPlace, EXIT, type ExitCode, printable, show } from '../terminal.ts';
import { waitForLog } from '../wait-for-log.ts';

/** A merge delay for the log's writer, and as long for a forgetting under way. */
const EXPORT_AGREE_MS = 2 * MINUTE_MS;
/** Pause between two such readings: each wakes the log's writer. */
export const EXPORT_PAUSE_MS = 500;

const USAGE =
  'usage: npx passepartout evidence export --out <file> [--space <name>] | evidence key | evidence checkpoint';

/** @throws CliError (exit 2) if the stack serves another space than the one that is meant */
const findAccess = async ({ access, text }: CommandContext): Promise<StackAccess> => {
  const stack = await access();
  const wanted = text('space');
  if (wanted === undefined) return stack;
  const { space } = await openLog(stack).standing();
  if (space === wanted) return stack;
  throw new CliError(
    EXIT.usage,
    `this stack serves the space "${printable(space)}"; it has no evidence of "${printable(wanted)}"`,
    `a stack serves one space, which SPACE names when it starts: ask the one of "${printable(wanted)}" (DATA_DIR, or --stack)`,
  );
};

/** Gives the log's writer, or a forgetting, time to end; false once there is none left. */
const buildPause = ({ now, sleep }: CommandContext, access: StackAccess): (() => Promise<boolean>) => {
  const end = now() + EXPORT_AGREE_MS;
  return async () => {
    await wakeLog(access);
    await sleep(EXPORT_PAUSE_MS);
    return now() < end;
  };
};

function* withLineFeeds(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

const loadKey = async (access: StackAccess): Promise<string> =>
  printable((await loadLogText(access, 'key')).split('\n')[0] ?? '');

const exportEvidence = async (context: CommandContext): Promise<ExitCode> => {
  const { terminal, text, folder } = context;
  const out = text('out');
  if (out === undefined) throw new CliError(EXIT.usage, '--out names the file to write', USAGE);
  checkPlace(resolve(folder, out));
  const access = await findAccess(context);
  const { problem: still } = await waitForLog(context, access);
  const problems = still === undefined ? [] : [`the evidence log stands still: ${still}`];
  const parts = await collectExport({
    source: openLog(access),
    gateSets: [gateSetContent(GATE_SET)],
    onProgress: (what) => terminal.progress(what),
    onProblem: (problem) => problems.push(problem),
    pause: still === undefined ? buildPause(context, access) : async () => false,
  });
  const file = resolve(folder, out);
  const draft = `${file}.draft`;
  await pipeline(Readable.from(withLineFeeds(buildExportLines(parts))), createWriteStream(draft, { mode: 0o600 }));
  await rename(draft, file);
  terminal.progress('');
  const { size, space, leftOut } = parts;
  show(terminal, { file, size, leftOut, problems }, [
    `${size} leaves of ${printable(space)} with their records are in ${printable(out)}`,
    ...(leftOut > 0 ? [`${leftOut} records are newer or wait for a person: a later export has them`] : []),
    ...problems.map((problem) => terminal.paint('yellow', `not as it should be: ${printable(problem)}`)),
    `check it: npx passepartout verify ${printable(out)} --key ${await loadKey(access)}`,
    'An anchor from before, kept elsewhere, proves more: --anchor <its file>',
  ]);
  return problems.length === 0 ? EXIT.ok : EXIT.failed;
};

export const evidence: Command = {
  name: 'evidence',
  usage: 'export|key|checkpoint',
  summary: 'the evidence log: all of it in one file, its public key, its newest checkpoint',
  options: {
    out: { type: 'string', value: 'file', help: 'the file to write' },
    space: { type: 'string', value: 'name', help: 'whose evidence: refused where the stack serves another space' },
  },
  argCount: [1, 1],
  run: async (context) => {
    const [part] = context.args;
    if (part === 'export') return exportEvidence(context);
    if (part !== 'key' && part !== 'checkpoint') throw new CliError(EXIT.usage, 'there is no such part', USAGE);
    const access = await findAccess(context);
    const shown = part === 'key' ? await loadKey(access) : (await loadLogText(access, part)).replace(/\n$/, '');
    show(context.terminal, { [part]: shown }, [shown]);
    return EXIT.ok;
  },
};
