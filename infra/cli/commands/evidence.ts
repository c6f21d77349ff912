/**
 * `evidence export --out <file>`: all of the space's evidence in one file that `verify` checks
 * offline. `evidence key` and `evidence checkpoint`: what to hand to whoever verifies, on standard
 * output, so that they can be kept elsewhere. A stack has the evidence of one space; `--space`
 * makes sure of which, before anything is written. Exit 0 done, 1 where something of the log cannot
 * be read or does not agree (the file is written all the same, and `verify` names it), 2 for a
 * space that is not there.
 */
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MINUTE_MS, SECOND_MS } from '../../../lib/base/limits.ts';
import { GATE_SET } from '../../../lib/gates/engine/gate-set.ts';
import { gateSetContent } from '../../../lib/log/gate-set-content.ts';
import type { Client } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { collectExport } from '../evidence/collect-export.ts';
import { EARLIER_GATE_SETS } from '../evidence/earlier-gate-sets.ts';
import { buildExportLines } from '../evidence/export-lines.ts';
import { buildHttpSource } from '../evidence/http-source.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { CLI_POLL_MS } from '../limits.ts';
import { printable } from '../printable.ts';

/** How long an export waits for the log's writer to take what has just happened. */
const EXPORT_WAIT_MS = 8 * SECOND_MS;
/**
 * How long an export is made anew until its parts agree: a merge delay for the log's writer, and as
 * long for a forgetting under way.
 */
const EXPORT_AGREE_MS = 2 * MINUTE_MS;
/** Between two such readings: each wakes the log's writer. */
const EXPORT_PAUSE_MS = 500;

const USAGE = 'usage: passepartout evidence export --out <file> [--space <name>] | evidence key | evidence checkpoint';

/** @throws CliError (exit 2) where the stack serves another space than the one that is meant */
const findClient = async (context: CommandContext): Promise<Client> => {
  const client = await context.client();
  const wanted = context.text('space');
  if (wanted === undefined) return client;
  const { space } = await client.logStanding();
  if (space === wanted) return client;
  throw new CliError(
    EXIT.usage,
    `this stack serves the space "${printable(space)}"; it has no evidence of "${printable(wanted)}"`,
    `a stack serves one space, which SPACE names when it starts: ask the one of "${printable(wanted)}" (DATA_DIR, or --stack)`,
  );
};

/**
 * Lets the log's writer take what has just happened, for a moment: what is under way is no reason
 * to wait on.
 */
const settle = async (context: CommandContext, client: Client): Promise<void> => {
  await client.logWake();
  const end = context.now() + EXPORT_WAIT_MS;
  for (let tries = 0; context.now() < end; tries += 1) {
    const { isWaiting, size, leaves } = await client.logStanding();
    if (!isWaiting && size === leaves) return;
    await context.sleep(CLI_POLL_MS[Math.min(tries, CLI_POLL_MS.length - 1)] ?? 1_000);
  }
};

/**
 * What is under way when it is looked at, a forgetting or the log's writer itself, is given time to
 * end.
 */
const pauseOf = (context: CommandContext, client: Client) => {
  const end = context.now() + EXPORT_AGREE_MS;
  return async (): Promise<boolean> => {
    await client.logWake();
    await context.sleep(EXPORT_PAUSE_MS);
    return context.now() < end;
  };
};

function* withLineFeeds(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

const exportEvidence = async (context: CommandContext): Promise<ExitCode> => {
  const { terminal } = context;
  const out = context.text('out');
  if (out === undefined) throw new CliError(EXIT.usage, '--out names the file to write', USAGE);
  const client = await findClient(context);
  const problems: string[] = [];
  await settle(context, client);
  const parts = await collectExport({
    source: buildHttpSource(client),
    gateSets: [gateSetContent(GATE_SET), ...EARLIER_GATE_SETS],
    onProgress: (what) => terminal.progress(what),
    onProblem: (problem) => problems.push(problem),
    pause: pauseOf(context, client),
  });
  const path = resolve(context.folder, out);
  const draft = `${path}.draft`;
  await pipeline(Readable.from(withLineFeeds(buildExportLines(parts))), createWriteStream(draft, { mode: 0o600 }));
  await rename(draft, path);
  terminal.progress('');
  if (terminal.isJson) terminal.json({ file: path, size: parts.size, leftOut: parts.leftOut, problems });
  else {
    terminal.line(`${parts.size} leaves of ${printable(parts.space)} with their records are in ${printable(out)}`);
    if (parts.leftOut > 0)
      terminal.line(`${parts.leftOut} records are newer or wait for a person: a later export has them`);
    for (const problem of problems)
      terminal.line(terminal.paint('yellow', `not as it should be: ${printable(problem)}`));
    terminal.line(`check it: passepartout verify ${printable(out)} --key <public key> --anchor <checkpoint file>`);
  }
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
    const [what] = context.args;
    if (what === 'export') return exportEvidence(context);
    if (what !== 'key' && what !== 'checkpoint') throw new CliError(EXIT.usage, 'there is no such part', USAGE);
    const text = await (await findClient(context)).logText(what);
    const shown = what === 'key' ? (text.split('\n')[0] ?? '') : text.replace(/\n$/, '');
    if (context.terminal.isJson) context.terminal.json({ [what]: shown });
    else context.terminal.line(shown);
    return EXIT.ok;
  },
};
