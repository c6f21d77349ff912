/**
 * Reads the folder of a skill: texts only, no links. Hidden files are no part of a skill and are
 * left out. Every problem is named; fails only if the folder itself cannot be read.
 */
import { isUtf8 } from 'node:buffer';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { FileProblem } from '../../lib/base/file-problem.ts';
import { loadSandbox } from '../../lib/sandbox/sandbox.ts';
import { type ParsedSkill, parseSkill } from '../../lib/skills/parse-skill.ts';
import { SKILL_BYTES_MAX, type SkillText } from '../../lib/skills/skill-files.ts';
import { CliError, EXIT, printable } from './terminal.ts';

/** Files that are read before a folder is taken for something else than a skill. */
const FILES_READ_MAX = 200;

export interface ReadSkill {
  readonly files: readonly SkillText[];
  readonly problems: readonly FileProblem[];
  readonly parsed: ParsedSkill;
}

interface Reading {
  readonly root: string;
  readonly files: SkillText[];
  readonly problems: FileProblem[];
}

const readEntry = async (reading: Reading, path: string): Promise<void> => {
  const { files, problems, root } = reading;
  const whole = join(root, path);
  const info = await lstat(whole);
  if (info.isDirectory()) return readInside(reading, path);
  if (!info.isFile()) return void problems.push({ file: path, problem: 'links and devices are no part of a skill' });
  if (info.size > SKILL_BYTES_MAX) return void problems.push({ file: path, problem: `it has ${info.size} bytes` });
  const bytes = await readFile(whole);
  if (isUtf8(bytes)) files.push({ path, text: bytes.toString('utf8') });
  else problems.push({ file: path, problem: 'it is no text: a skill holds texts in UTF-8 only' });
};

const readInside = async (reading: Reading, folder: string): Promise<void> => {
  for (const name of (await readdir(join(reading.root, folder))).toSorted()) {
    if (name.startsWith('.')) continue;
    if (reading.files.length > FILES_READ_MAX) throw new CliError(EXIT.usage, 'the folder holds too many files');
    await readEntry(reading, folder === '' ? name : `${folder}/${name}`);
  }
};

/** @throws CliError (exit 2) if the folder cannot be read */
export const readSkillFolder = async (folder: string, given: string): Promise<ReadSkill> => {
  const root = resolve(folder, given);
  const reading: Reading = { root, files: [], problems: [] };
  try {
    await readInside(reading, '');
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(EXIT.usage, `the folder ${printable(given)} cannot be read`);
  }
  const parsed = parseSkill(reading.files, basename(root), await loadSandbox());
  const found = parsed.kind === 'problems' ? parsed.problems : [];
  return { files: reading.files, problems: [...reading.problems, ...found], parsed };
};
