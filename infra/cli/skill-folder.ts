/**
 * Reads the folder of a skill: texts only, no links, nothing hidden. A file that the agent cannot
 * read is left out, and named with its hash.
 */
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FileProblem } from '../../lib/base/file-problem.ts';
import { KIB } from '../../lib/base/limits.ts';
import { loadSandbox } from '../../lib/sandbox/sandbox.ts';
import { type ParsedSkill, parseSkill } from '../../lib/skills/parse-skill.ts';
import { SKILL_FILE_BYTES_MAX } from '../../lib/skills/skill-change.ts';
import { SKILL_FILE, type SkillText } from '../../lib/skills/skill-files.ts';
import { CliError, EXIT, printable } from './terminal.ts';

/** Files that are read before a folder is taken for something else than a skill. */
const FILES_READ_MAX = 500;
/** A larger file is not read: no skill that people publish has one. */
const FILE_READ_BYTES_MAX = 64 * 1024 * KIB;

export interface ReadSkill {
  readonly files: readonly SkillText[];
  /** Sentences about the files that are no part of the skill. */
  readonly leftOut: readonly string[];
  readonly problems: readonly FileProblem[];
  readonly parsed: ParsedSkill;
}

interface Reading {
  readonly root: string;
  readonly files: SkillText[];
  readonly leftOut: string[];
  readonly problems: FileProblem[];
}

const readEntry = async (reading: Reading, path: string): Promise<void> => {
  const { files, leftOut, problems, root } = reading;
  const whole = join(root, path);
  const info = await lstat(whole);
  if (info.isDirectory()) return readInside(reading, path);
  if (!info.isFile()) return void problems.push({ file: path, problem: 'links and devices are no part of a skill' });
  if (info.size > FILE_READ_BYTES_MAX) return void problems.push({ file: path, problem: `it has ${info.size} bytes` });
  const bytes = await readFile(whole);
  if (isUtf8(bytes) && (path === SKILL_FILE || bytes.length <= SKILL_FILE_BYTES_MAX))
    // A mark of the order of bytes, which some programs write first, is no part of a text.
    files.push({ path, text: bytes.toString('utf8').replace(/^\ufeff/, '') });
  else {
    const why = isUtf8(bytes) ? `longer than ${SKILL_FILE_BYTES_MAX} bytes` : 'no text in UTF-8';
    leftOut.push(`left out: ${path} (${why}; ${bytes.length} bytes, SHA-256 ${hash('sha256', bytes)})`);
  }
};

const readInside = async (reading: Reading, folder: string): Promise<void> => {
  for (const name of (await readdir(join(reading.root, folder))).toSorted()) {
    if (name.startsWith('.')) continue;
    if (reading.files.length + reading.leftOut.length > FILES_READ_MAX)
      throw new CliError(EXIT.usage, 'the folder holds too many files');
    await readEntry(reading, folder === '' ? name : `${folder}/${name}`);
  }
};

/** @throws CliError (exit 2) if the folder cannot be read */
export const readSkillFolder = async (folder: string, given: string): Promise<ReadSkill> => {
  const root = resolve(folder, given);
  const reading: Reading = { root, files: [], leftOut: [], problems: [] };
  try {
    await readInside(reading, '');
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(EXIT.usage, `the folder ${printable(given)} cannot be read`);
  }
  const parsed = parseSkill(reading.files, await loadSandbox());
  const found = parsed.kind === 'problems' ? parsed.problems : [];
  return { files: reading.files, leftOut: reading.leftOut, problems: [...reading.problems, ...found], parsed };
};
