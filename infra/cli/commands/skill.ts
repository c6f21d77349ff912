/**
 * `skill`: makes, checks, adds, lists and switches skills. `new` and `test` need no stack; the rest
 * sends the chat's own command. `add` shows every file whole before it asks.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { describeSkill } from '../../../lib/approvals/describe-skill.ts';
import { canonicalJson } from '../../../lib/base/canonical.ts';
import { problemWords } from '../../../lib/base/file-problem.ts';
import { KIB } from '../../../lib/base/limits.ts';
import { loadSandbox } from '../../../lib/sandbox/sandbox.ts';
import { SkillName } from '../../../lib/skills/skill-change.ts';
import type { SkillDefinition } from '../../../lib/skills/skill-definition.ts';
import { describeExamples, runExamples } from '../../../lib/skills/skill-examples.ts';
import {
  bytesOf,
  describeFile,
  EXTENSION_FILE,
  SKILL_FILE,
  type SkillText,
  versionOf,
} from '../../../lib/skills/skill-files.ts';
import { postCommand } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { readSkillFolder } from '../skill-folder.ts';
import { CliError, countOf, EXIT, type ExitCode, printable, printableLines, show } from '../terminal.ts';
import { CLI_WAIT_S_DEFAULT, sendCommand, waitForTurn } from '../turn.ts';
import { isRefusal, sendApproved } from './settings.ts';

/** Texts in one action; with larger ones each file is sent first, and the action names hashes. */
const SKILL_INLINE_BYTES_MAX = 40 * KIB;

const FOLDER = 'list | show <name> [file] | new <folder> | test <folder> | add <folder> [--mine]';
const NAMED =
  'on <name> | off <name> | tier <name> auto|cognition|reasoning | set <name> <setting> <value> | remove <name>';

/** Least and most words of each verb, itself included. */
const VERBS: Readonly<Record<string, readonly [number, number]>> = {
  list: [1, 1],
  show: [2, 3],
  new: [2, 2],
  test: [2, 2],
  add: [2, 2],
  on: [2, 2],
  off: [2, 2],
  tier: [3, 3],
  set: [4, 64],
  remove: [2, 2],
};

const templateOf = (name: string): readonly SkillText[] => [
  {
    path: SKILL_FILE,
    text: `---
name: ${name}
description: What it does, in one sentence. Use when …
---

# ${name}

1. What to do first.
2. How to tell that it is done.
`,
  },
  {
    path: EXTENSION_FILE,
    text: `# All of this is optional; a skill of SKILL.md alone is fine.
priority: 10
trigger:
  words: []
tier: auto
# tools: [recall, calculate]
# mandates: ["Call {{owner}} by name."]
`,
  },
];

const makeNew = async ({ folder, args, terminal }: CommandContext): Promise<ExitCode> => {
  const path = resolve(folder, args[1] ?? '');
  const name = basename(path);
  if (!SkillName.safeParse(name).success)
    throw new CliError(
      EXIT.usage,
      'the folder’s name is the skill’s: lower-case words of letters and digits, joined by "-"',
    );
  if (existsSync(path)) throw new CliError(EXIT.usage, `${printable(args[1] ?? '')} is there already`);
  try {
    await mkdir(path, { recursive: true });
  } catch {
    throw new CliError(EXIT.usage, `${printable(args[1] ?? '')} cannot be made`);
  }
  const files = templateOf(name);
  for (const file of files) await writeFile(join(path, file.path), file.text, { flag: 'wx' });
  show(terminal, { made: files.map((file) => file.path) }, [
    `made ${files.map((file) => `${printable(args[1] ?? '')}/${file.path}`).join(' and ')}`,
    `then: npx passepartout skill test ${printable(args[1] ?? '')}`,
  ]);
  return EXIT.ok;
};

interface GoodSkill {
  readonly files: readonly SkillText[];
  readonly definition: SkillDefinition;
}

/** Tells all problems of a folder; undefined if it has any. */
const readGood = async (context: CommandContext): Promise<GoodSkill | undefined> => {
  const { args, folder, terminal } = context;
  const { files, leftOut, problems, parsed } = await readSkillFolder(folder, args[1] ?? '');
  if (!terminal.isJson) for (const line of leftOut) terminal.line(printable(line));
  if (problems.length === 0 && parsed.kind === 'skill') return { files, definition: parsed.definition };
  show(
    terminal,
    { problems },
    problems.map((problem) => printable(problemWords(problem))),
  );
  return undefined;
};

/** Runs the skill's own examples. */
const tryExamples = async ({ definition, files }: GoodSkill) => {
  const examples = runExamples(await loadSandbox(), definition, files);
  return { examples, failed: examples.filter(({ problem }) => problem !== undefined).length };
};

const testFolder = async (context: CommandContext): Promise<ExitCode> => {
  const good = await readGood(context);
  if (good === undefined) return EXIT.failed;
  const { definition } = good;
  const files = good.files.map(describeFile);
  const { gates, handlers, jobs, mandates } = definition;
  const parts = [
    countOf(gates.length, 'gate'),
    countOf(handlers.length, 'handler'),
    countOf(jobs.length, 'job'),
    countOf(mandates.length, 'mandate'),
  ];
  const { examples, failed } = await tryExamples(good);
  show(context.terminal, { name: definition.name, version: versionOf(files), files, definition, examples }, [
    `${definition.name}: ${countOf(files.length, 'file')}, ${bytesOf(files)} bytes, version ${versionOf(files)}`,
    `priority ${definition.priority}, tier ${definition.tier}, ${parts.join(', ')}`,
    ...(examples.length === 0 ? [] : [printable(describeExamples(examples))]),
    ...(failed === 0
      ? ['nothing is wrong with it', `then: npx passepartout skill add ${printable(context.args[1] ?? '')}`]
      : []),
  ]);
  return failed === 0 ? EXIT.ok : EXIT.failed;
};

/** Asks a person at a terminal. @throws CliError if they say no */
export const requireConsent = async ({ input, output }: CommandContext, question: string): Promise<void> => {
  if (!('isTTY' in input) || input.isTTY !== true) return;
  const lines = createInterface({ input, output });
  const answer = await lines.question(`${question} [y/N] `);
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError(EXIT.failed, 'nothing was changed');
};

/** Sends the files one by one. @throws CliError if one is not taken */
const upload = async (context: CommandContext, files: readonly SkillText[]) => {
  const { now, sleep } = context;
  const access = await context.access();
  for (const { path, text } of files) {
    const { id } = await postCommand(access, `/skill file ${JSON.stringify({ text })}`);
    const { view } = await waitForTurn({ access, now, sleep }, id, CLI_WAIT_S_DEFAULT * 1000);
    if (view.effects[0]?.state !== 'done')
      throw new CliError(EXIT.failed, `${printable(path)} was not taken: ${printable(view.replies.join(' '))}`);
  }
  return files.map(describeFile);
};

const addFolder = async (context: CommandContext): Promise<ExitCode> => {
  const good = await readGood(context);
  return good === undefined ? EXIT.failed : addFiles(context, good.files);
};

/** Shows every file whole, asks, and puts a skill of them in force. */
export const addFiles = async (context: CommandContext, files: readonly SkillText[]): Promise<ExitCode> => {
  const { terminal } = context;
  const trust = context.flag('mine') ? 'owner' : 'outside';
  if (!terminal.isJson)
    for (const line of describeSkill('add-skill', { files, trust }, printableLines) ?? []) terminal.line(line);
  await requireConsent(context, 'Put exactly this in force?');
  const isSmall =
    Buffer.byteLength(canonicalJson({ files: files.map((file) => ({ ...file })) })) <= SKILL_INLINE_BYTES_MAX;
  const wanted = isSmall ? files : await upload(context, files);
  return sendApproved(context, `/skill add ${JSON.stringify({ files: wanted, trust })}`);
};

export const skill: Command = {
  name: 'skill',
  usage: `${FOLDER} | ${NAMED}`,
  summary: 'what the agent may do of its own: make, check, add and switch skills',
  options: { mine: { type: 'boolean', help: 'with add: you vouch for these bytes, and its words count as yours' } },
  argCount: [0, 64],
  run: (given) => {
    const args = given.args.length === 0 ? ['list'] : given.args;
    const context = { ...given, args };
    const [verb = ''] = args;
    const [least, most] = Object.hasOwn(VERBS, verb) ? (VERBS[verb] ?? [0, -1]) : [0, -1];
    if (args.length < least || args.length > most)
      throw new CliError(EXIT.usage, `usage: npx passepartout skill ${skill.usage}`);
    switch (verb) {
      case 'new':
        return makeNew(context);
      case 'test':
        return testFolder(context);
      case 'add':
        return addFolder(context);
      case 'remove':
        return sendApproved(context, `/skill ${args.join(' ')}`);
      default:
        return sendCommand(context, `/skill ${args.join(' ')}`, isRefusal);
    }
  },
};
