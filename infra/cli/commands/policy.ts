/**
 * `policy`: writes a first policy, checks one, tries one on past decisions, puts one in force.
 * Checking and writing need no running stack.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { importCedar } from '../../../lib/judge/policy/space-policy.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { printable, printableLines } from '../printable.ts';
import { tryPolicyOnPast } from '../try-policy.ts';

const USAGE = 'usage: passepartout policy init [file] | check <file> | try <file> [--since 30d] | set <file> | show';

export const readPolicyFile = (folder: string, file: string): string => {
  try {
    return readFileSync(resolve(folder, file), 'utf8');
  } catch {
    throw new CliError(EXIT.usage, `${printable(file)} cannot be read`);
  }
};

const init = async ({ args, folder, terminal }: CommandContext): Promise<ExitCode> => {
  const file = args[1] ?? 'policy.cedar';
  const { buildDefaultPolicy } = await import('../policy/default-policy.ts');
  try {
    writeFileSync(resolve(folder, file), buildDefaultPolicy(), { flag: 'wx' });
  } catch {
    throw new CliError(EXIT.failed, `${printable(file)} is there already, or cannot be written; nothing was changed`);
  }
  if (terminal.isJson) terminal.json({ file });
  else terminal.line(`wrote ${printable(file)}: the default permissions. Edit it, then: policy check, try, set.`);
  return EXIT.ok;
};

const HEADINGS = {
  problems: 'Not usable:',
  never: 'Can never match:',
  idle: 'Never decides anything:',
  alwaysDenied: 'Always denied:',
  overlaps: 'Overlaps:',
} as const;

const check = async ({ args, folder, terminal }: CommandContext): Promise<ExitCode> => {
  const { analysePolicy } = await import('../policy/analyse-policy.ts');
  const findings = analysePolicy(await importCedar(), readPolicyFile(folder, args[1] ?? ''));
  const isUsable = findings.problems.length === 0;
  if (terminal.isJson) terminal.json({ isUsable, ...findings });
  else {
    for (const [name, heading] of Object.entries(HEADINGS)) {
      const lines = Object.entries(findings).find(([key]) => key === name)?.[1] ?? [];
      if (lines.length > 0) terminal.line(terminal.paint(name === 'problems' ? 'red' : 'yellow', heading));
      for (const line of lines) terminal.line(`  ${printable(line)}`);
    }
    if (isUsable) terminal.line('The policy parses and type-checks.');
  }
  return isUsable ? EXIT.ok : EXIT.failed;
};

const set = async ({ args, folder, client, terminal }: CommandContext): Promise<ExitCode> => {
  const answer = await (await client()).setPolicy(readPolicyFile(folder, args[1] ?? ''));
  if (terminal.isJson) terminal.json(answer);
  else if (answer.hash === '') terminal.line('No policy any more: the default permissions count.');
  else
    terminal.line(
      `In force: policy ${printable(answer.hash.slice(0, 12))}. Approvals asked for before do not count any more.`,
    );
  return EXIT.ok;
};

const show = async ({ client, terminal }: CommandContext): Promise<ExitCode> => {
  const answer = await (await client()).policy();
  if (terminal.isJson) terminal.json(answer);
  else if (answer.hash === '') terminal.remark('there is no policy: the default permissions count');
  else terminal.line(printableLines(answer.text).trimEnd());
  return EXIT.ok;
};

const VERBS: Readonly<
  Record<
    string,
    { readonly args: readonly [number, number]; readonly run: (context: CommandContext) => Promise<ExitCode> }
  >
> = {
  init: { args: [1, 2], run: init },
  check: { args: [2, 2], run: check },
  try: {
    args: [2, 2],
    run: (context) => tryPolicyOnPast(context, readPolicyFile(context.folder, context.args[1] ?? '')),
  },
  set: { args: [2, 2], run: set },
  show: { args: [1, 1], run: show },
};

export const policy: Command = {
  name: 'policy',
  usage: 'init | check | try | set | show [file]',
  summary: "the owner's rules: write a first file, check it, try it on past decisions, put it in force",
  options: {
    since: { type: 'string', value: 'time', help: 'try: decisions since then, such as 30d (the default) or 12h' },
    'allow-widening': { type: 'boolean', help: 'try: letting more through than before is meant' },
  },
  argCount: [1, 2],
  run: async (context) => {
    const name = context.args[0] ?? '';
    const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
    if (verb === undefined || context.args.length < verb.args[0] || context.args.length > verb.args[1])
      throw new CliError(EXIT.usage, 'policy needs init, check, try, set or show, and a file', USAGE);
    return verb.run(context);
  },
};
