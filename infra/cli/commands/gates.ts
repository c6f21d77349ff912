/**
 * `gates`: the rules in force, and a way to try them. `gates list` shows every gate in the order it
 * runs; `gates try` reads actions from standard input, one JSON object a line, and prints what the
 * gates say to each. Needs no stack and performs nothing; a bad line is answered in its place, and
 * the run goes on.
 */
import { createInterface } from 'node:readline';
import { GATES } from '../../../lib/gates/engine/gate-set.ts';
import { parsePolicy } from '../../../lib/judge/policy/cedar.ts';
import { compilePolicy } from '../../../lib/judge/policy/compile-policy.ts';
import type { SpacePolicy } from '../../../lib/judge/policy/space-policy.ts';
import { importCedar } from '../../../lib/judge/policy/space-policy.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { tryLine } from '../try-line.ts';
import { readPolicyFile } from './policy.ts';

/**
 * Answers are written in pieces of about this size: one write per line would cost more than the
 * judging.
 */
const CHUNK_CHARS = 64 * 1024;

const listGates = ({ terminal }: CommandContext): ExitCode => {
  const gates = [...GATES]
    .sort((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1))
    .map(({ priority, name, version, stops }) => ({ priority, name, version, stops }));
  if (terminal.isJson) terminal.json({ gates });
  else {
    const chars = Math.max(...gates.map(({ name }) => name.length));
    for (const gate of gates) {
      terminal.line(`${String(gate.priority).padStart(5)}  ${gate.name.padEnd(chars)}  ${gate.stops}`);
    }
  }
  return EXIT.ok;
};

/** @throws CliError (exit 2) when the file cannot be read or used. */
const loadPolicy = async ({ text, folder }: CommandContext): Promise<SpacePolicy | undefined> => {
  const file = text('policy');
  if (file === undefined) return undefined;
  const policyText = readPolicyFile(folder, file);
  const cedar = await importCedar();
  const parsed = parsePolicy(cedar, policyText);
  if (parsed.problems.length > 0)
    throw new CliError(EXIT.usage, `the policy is not usable: ${printable(parsed.problems.join('; '))}`);
  return compilePolicy(cedar, policyText, parsed);
};

const tryGates = async (context: CommandContext): Promise<ExitCode> => {
  const { input, output } = context;
  const policy = await loadPolicy(context);
  let hasBadLine = false;
  let pending = '';
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const answer = await tryLine(line, policy);
    hasBadLine ||= 'error' in answer;
    pending += `${JSON.stringify(answer)}\n`;
    if (pending.length >= CHUNK_CHARS || output.isTTY === true) {
      output.write(pending);
      pending = '';
    }
  }
  output.write(pending);
  return hasBadLine ? EXIT.failed : EXIT.ok;
};

export const gates: Command = {
  name: 'gates',
  usage: 'list | try',
  summary: 'the rules in order; or judge actions from standard input, one JSON object a line',
  options: { policy: { type: 'string', value: 'file', help: 'try: under this policy too' } },
  argCount: [1, 1],
  run: async (context) => {
    switch (context.args[0]) {
      case 'list':
        return listGates(context);
      case 'try':
        return tryGates(context);
      default:
        throw new CliError(EXIT.usage, 'gates takes list or try', 'usage: passepartout gates list | try');
    }
  },
};
