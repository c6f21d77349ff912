/** The verbs of skills that take a folder of this machine. `new` and `test` need no stack. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { describeSkill } from '../../../lib/core/approvals/describe-skill.ts';
import { canonicalJson } from '../../../lib/core/base/canonical.ts';
import { problemWords } from '../../../lib/core/base/file-problem.ts';
import { KIB } from '../../../lib/core/base/limits.ts';
import { loadSandbox } from '../../../lib/core/sandbox/sandbox.ts';
import { skillAdd, skillFile } from '../../../lib/features/skills/operations.ts';
import { SKILL_PIECE_BYTES_MAX, SkillName, type VersionFile } from '../../../lib/features/skills/skill-change.ts';
import type { SkillDefinition } from '../../../lib/features/skills/skill-definition.ts';
import { describeExamples, runExamples } from '../../../lib/features/skills/skill-examples.ts';
import {
  bytesOf,
  describeFile,
  EXTENSION_FILE,
  SKILL_FILE,
  type SkillText,
  versionOf,
} from '../../../lib/features/skills/skill-files.ts';
import { type ChangeContext, endChange, runChange } from '../../cli/change.ts';
import type { CommandContext } from '../../cli/command.ts';
import type { LocalPart, LocalParts } from '../../cli/operation-command.ts';
import { requireConsent } from '../../cli/require-consent.ts';
import { CliError, countOf, EXIT, type ExitCode, printable, printableLines, show } from '../../cli/terminal.ts';
import { type MachineFile, readSkillFolder } from './skill-folder.ts';

/** Texts in one action; with larger ones each file is sent first, and the action names hashes. */
const SKILL_INLINE_BYTES_MAX = 40 * KIB;
/** `passepartout.yaml` of a larger skill, beside the hashes of its files. */
const EXTENSION_INLINE_BYTES_MAX = 16 * KIB;

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

const makeNew: LocalPart['run'] = async ({ folder, terminal }, [given = '']) => {
  const path = resolve(folder, given);
  const name = basename(path);
  if (!SkillName.safeParse(name).success)
    throw new CliError(
      EXIT.usage,
      'the folder’s name is the skill’s: lower-case words of letters and digits, joined by "-"',
    );
  if (existsSync(path)) throw new CliError(EXIT.usage, `${printable(given)} is there already`);
  try {
    await mkdir(path, { recursive: true });
  } catch {
    throw new CliError(EXIT.usage, `${printable(given)} cannot be made`);
  }
  const files = templateOf(name);
  for (const file of files) await writeFile(join(path, file.path), file.text, { flag: 'wx' });
  show(terminal, { made: files.map((file) => file.path) }, [
    `made ${files.map((file) => `${printable(given)}/${file.path}`).join(' and ')}`,
    `then: npx passepartout skill test ${printable(given)}`,
  ]);
  return EXIT.ok;
};

/** The files of a skill to add. */
export interface SkillParts {
  readonly files: readonly SkillText[];
  readonly machineFiles?: readonly MachineFile[];
}

interface GoodSkill extends Required<SkillParts> {
  readonly definition: SkillDefinition;
}

/** Tells all problems of a folder; undefined if it has any. */
const readGood = async ({ folder, terminal }: CommandContext, given: string): Promise<GoodSkill | undefined> => {
  const { files, machineFiles, leftOut, remarks, problems, parsed } = await readSkillFolder(folder, given);
  if (!terminal.isJson) for (const line of [...leftOut, ...remarks.map(problemWords)]) terminal.line(printable(line));
  if (problems.length === 0 && parsed.kind === 'skill') return { files, machineFiles, definition: parsed.definition };
  show(
    terminal,
    { problems },
    problems.map((problem) => printable(problemWords(problem))),
  );
  return undefined;
};

const tryExamples = async ({ definition, files }: GoodSkill) => {
  const examples = runExamples(await loadSandbox(), definition, files);
  return { examples, failed: examples.filter(({ problem }) => problem !== undefined).length };
};

const testFolder: LocalPart['run'] = async (context, [given = '']) => {
  const good = await readGood(context, given);
  if (good === undefined) return EXIT.failed;
  const { definition } = good;
  const files = describeAll(good);
  const { gates, handlers, functions = [], jobs, mandates } = definition;
  const parts = [
    countOf(gates.length, 'gate'),
    countOf(handlers.length, 'handler'),
    ...(functions.length === 0 ? [] : [countOf(functions.length, 'function')]),
    countOf(jobs.length, 'job'),
    countOf(mandates.length, 'mandate'),
  ];
  const { examples, failed } = await tryExamples(good);
  show(context.terminal, { name: definition.name, version: versionOf(files), files, definition, examples }, [
    `${definition.name}: ${countOf(files.length, 'file')}, ${bytesOf(files)} bytes, version ${versionOf(files)}`,
    `priority ${definition.priority}, tier ${definition.tier}, ${parts.join(', ')}`,
    ...(examples.length === 0 ? [] : [printable(describeExamples(examples))]),
    ...(failed === 0 ? ['nothing is wrong with it', `then: npx passepartout skill add ${printable(given)}`] : []),
  ]);
  return failed === 0 ? EXIT.ok : EXIT.failed;
};

const withoutContent = ({ content: _content, ...file }: MachineFile): VersionFile => file;

/** All files of a skill by their hashes. */
export const describeAll = ({ files, machineFiles = [] }: SkillParts): readonly VersionFile[] => [
  ...files.map(describeFile),
  ...machineFiles.map(withoutContent),
];

/** Keeps one file of a skill, piece by piece. @throws CliError if a piece is not taken */
const sendPieces = async (
  context: ChangeContext,
  path: string,
  pieces: readonly (string | Buffer)[],
): Promise<void> => {
  const sent = createHash('sha256');
  for (const [n, piece] of pieces.entries()) {
    const after = n === 0 ? {} : { after: sent.copy().digest('hex') };
    const kept = typeof piece === 'string' ? { text: piece } : { base64: piece.toString('base64') };
    const { replies, isDone } = await endChange(context, skillFile, { ...kept, ...after });
    if (!isDone) throw new CliError(EXIT.failed, `${printable(path)} was not taken: ${printable(replies.join(' '))}`);
    sent.update(piece);
  }
};

/** Bytes whose base64 fits one action. */
const PIECE_BYTES = (SKILL_PIECE_BYTES_MAX / 4) * 3;

/** Sends the files that only a machine reads. */
const uploadBytes = async (context: ChangeContext, files: readonly MachineFile[]): Promise<void> => {
  for (const { path, content } of files) {
    const count = Math.max(1, Math.ceil(content.length / PIECE_BYTES));
    const pieces = Array.from({ length: count }, (_, n) => content.subarray(n * PIECE_BYTES, (n + 1) * PIECE_BYTES));
    await sendPieces(context, path, pieces);
  }
};

/** The text in pieces, each of which fits one action as JSON. */
const piecesOf = (text: string): readonly string[] => {
  if (Buffer.byteLength(JSON.stringify(text)) <= SKILL_INLINE_BYTES_MAX) return [text];
  const middle = Math.floor(text.length / 2);
  // A letter of two halves stays whole.
  const at = text.codePointAt(middle - 1) === text.charCodeAt(middle - 1) ? middle : middle - 1;
  return [...piecesOf(text.slice(0, at)), ...piecesOf(text.slice(at))];
};

/** Sends the files one by one, large ones in pieces. @throws CliError if one is not taken */
const upload = async (context: ChangeContext, files: readonly SkillText[]) => {
  for (const { path, text } of files) await sendPieces(context, path, piecesOf(text));
  // The card has to show which addresses the skill may call.
  return files.map((file) =>
    file.path === EXTENSION_FILE && Buffer.byteLength(file.text) <= EXTENSION_INLINE_BYTES_MAX
      ? file
      : describeFile(file),
  );
};

/**
 * The files as `skill add` takes them: those for a machine, and all of a large skill, are sent
 * before and named by their hashes.
 */
export const wantedFiles = async (context: ChangeContext, { files, machineFiles = [] }: SkillParts) => {
  await uploadBytes(context, machineFiles);
  const others = machineFiles.map(withoutContent);
  const bytes = Buffer.byteLength(canonicalJson({ files: [...files, ...others].map((file) => ({ ...file })) }));
  return [...(bytes <= SKILL_INLINE_BYTES_MAX ? files : await upload(context, files)), ...others];
};

const addFolder: LocalPart['run'] = async (context, [given = '']) => {
  const good = await readGood(context, given);
  return good === undefined ? EXIT.failed : addFiles(context, good);
};

/** Shows every file whole, asks, and puts a skill of them in force. */
export const addFiles = async (context: CommandContext, parts: SkillParts): Promise<ExitCode> => {
  const { terminal } = context;
  const trust = context.flag('mine') ? 'owner' : 'outside';
  const shownFiles = [...parts.files, ...(parts.machineFiles ?? []).map(withoutContent)];
  if (!terminal.isJson)
    for (const line of describeSkill('add-skill', { files: shownFiles, trust }, printableLines) ?? [])
      terminal.line(line);
  await requireConsent(context, 'Put exactly this in force?');
  const wanted = await wantedFiles(context, parts);
  return runChange(context, skillAdd, { files: wanted.map((file) => ({ ...file })), trust });
};

const folder = (run: LocalPart['run'], summary: string): LocalPart => ({
  form: '<folder>',
  summary,
  run: (context, words) => {
    if (words.length === 1) return run(context, words);
    throw new CliError(EXIT.usage, 'name one folder: npx passepartout help skill says how');
  },
});

export const skillParts: LocalParts = {
  new: folder(makeNew, 'make the files of a new skill'),
  test: folder(testFolder, 'say what is wrong with a skill, and try its examples; needs no stack'),
  add: {
    ...folder(addFolder, 'show all of a skill and put exactly these bytes in force'),
    options: { mine: { type: 'boolean', help: 'add: you vouch for these bytes, and its words count as yours' } },
  },
};
