/**
 * Reads the folder of a skill. A file that the agent cannot read (no text in UTF-8, or a long one)
 * is a file for a machine, as far as a skill has room for them. Links out of the folder, hidden
 * files and names that are not plain are left out, and named.
 */
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { type FileProblem, hiddenProblems } from '../../../lib/core/base/file-problem.ts';
import { KIB } from '../../../lib/core/base/limits.ts';
import { makeVisible } from '../../../lib/core/base/make-visible.ts';
import { loadSandbox } from '../../../lib/core/sandbox/sandbox.ts';
import { type ParsedSkill, parseSkill } from '../../../lib/features/skills/parse-skill.ts';
import {
  MACHINE_FILE_BYTES_MAX,
  MACHINE_FILES_BYTES_MAX,
  SKILL_FILE_BYTES_MAX,
  type VersionFile,
} from '../../../lib/features/skills/skill-change.ts';
import { isPlainPath, SKILL_FILE, type SkillText } from '../../../lib/features/skills/skill-files.ts';
import { CliError, EXIT, printable } from '../../cli/terminal.ts';

/** Files that are read before a folder is taken for something else than a skill. */
const FILES_READ_MAX = 500;
/** A larger file is not read: no skill that people publish has one. */
const FILE_READ_BYTES_MAX = 64 * 1024 * KIB;

/** A file that only a machine reads. */
export interface MachineFile extends VersionFile {
  readonly isForMachine: true;
  readonly content: Buffer;
}

export interface ReadSkill {
  readonly files: readonly SkillText[];
  readonly machineFiles: readonly MachineFile[];
  /** Sentences about the files that are no part of the skill. */
  readonly leftOut: readonly string[];
  /** Parts that are read otherwise than they are written. */
  readonly remarks: readonly FileProblem[];
  readonly problems: readonly FileProblem[];
  readonly parsed: ParsedSkill;
}

interface FolderReading {
  readonly root: string;
  readonly files: SkillText[];
  readonly machineFiles: MachineFile[];
  readonly leftOut: string[];
  readonly remarks: FileProblem[];
}

const ownPath = (path: string): string => (path.toLowerCase() === SKILL_FILE.toLowerCase() ? SKILL_FILE : path);

/** @returns why the skill has no room for so many bytes; undefined if it has */
const roomProblem = ({ machineFiles }: FolderReading, bytes: number): string | undefined => {
  if (bytes > MACHINE_FILE_BYTES_MAX) return `a file for a machine has at most ${MACHINE_FILE_BYTES_MAX}`;
  const all = machineFiles.reduce((sum, file) => sum + file.bytes, bytes);
  return all > MACHINE_FILES_BYTES_MAX
    ? `all files for a machine have at most ${MACHINE_FILES_BYTES_MAX} together`
    : undefined;
};

const readBytes = (reading: FolderReading, path: string, content: Buffer): void => {
  const { files, machineFiles, leftOut, remarks } = reading;
  const isShort = path === SKILL_FILE || content.length <= SKILL_FILE_BYTES_MAX;
  if (isUtf8(content) && isShort) {
    // A mark of the order of bytes, which some programs write first, is no part of a text.
    const text = content.toString('utf8').replace(/^\ufeff/, '');
    files.push({ path, text });
    if (path !== SKILL_FILE)
      for (const { problem, ...place } of hiddenProblems(path, text))
        remarks.push({ ...place, problem: `${problem}; you and the agent are shown it so` });
    return;
  }
  const problem = roomProblem(reading, content.length);
  if (problem !== undefined) {
    leftOut.push(`left out: ${makeVisible(path)} (${content.length} bytes, and ${problem})`);
    return;
  }
  const why = isUtf8(content) ? `it is longer than ${SKILL_FILE_BYTES_MAX} bytes` : 'it is no text in UTF-8';
  remarks.push({ file: path, problem: `${why}: kept as a file for a machine, which only commands there read` });
  const sha256 = hash('sha256', content);
  machineFiles.push({ path, sha256, bytes: content.length, isForMachine: true, content });
};

/** Why a link is not followed. */
const linkProblem = async (root: string, whole: string): Promise<string | undefined> => {
  try {
    const target = await realpath(whole);
    if (!target.startsWith((await realpath(root)) + sep)) return 'a link out of the folder';
    return (await stat(target)).isFile() ? undefined : 'a link to a folder';
  } catch {
    return 'a link that leads nowhere';
  }
};

const readEntry = async (reading: FolderReading, path: string): Promise<void> => {
  const { root, leftOut } = reading;
  const whole = join(root, path);
  const leave = (why: string): void => void leftOut.push(`left out: ${makeVisible(path)} (${why})`);
  if (path.split('/').at(-1)?.startsWith('.') === true) return leave('hidden');
  if (!isPlainPath(path)) return leave('its name is not plain: rename it');
  const link = await lstat(whole);
  const problem = link.isSymbolicLink() ? await linkProblem(root, whole) : undefined;
  if (problem !== undefined) return leave(problem);
  const info = await stat(whole);
  if (info.isDirectory()) return readInside(reading, path);
  if (!info.isFile()) return leave('a device');
  if (info.size > FILE_READ_BYTES_MAX) return leave(`${info.size} bytes: too large`);
  readBytes(reading, ownPath(path), await readFile(whole));
};

const readInside = async (reading: FolderReading, folder: string): Promise<void> => {
  for (const name of (await readdir(join(reading.root, folder))).toSorted()) {
    if (reading.files.length + reading.machineFiles.length + reading.leftOut.length > FILES_READ_MAX)
      throw new CliError(EXIT.usage, `the folder holds more than ${FILES_READ_MAX} files: it is no skill`);
    await readEntry(reading, folder === '' ? name : `${folder}/${name}`);
  }
};

/** @throws CliError (exit 2) if the folder cannot be read */
export const readSkillFolder = async (folder: string, given: string): Promise<ReadSkill> => {
  const root = resolve(folder, given);
  const reading: FolderReading = { root, files: [], machineFiles: [], leftOut: [], remarks: [] };
  try {
    await readInside(reading, '');
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(EXIT.usage, `the folder ${printable(given)} cannot be read`);
  }
  const { files, machineFiles, leftOut, remarks } = reading;
  const parsed = parseSkill(files, await loadSandbox(), machineFiles);
  const read = { files, machineFiles, leftOut, parsed };
  const isRefused = ({ file, line }: FileProblem): boolean =>
    parsed.kind === 'problems' && parsed.problems.some((one) => one.file === file && one.line === line);
  return parsed.kind === 'problems'
    ? { ...read, remarks: remarks.filter((one) => !isRefused(one)), problems: parsed.problems }
    : { ...read, remarks: [...parsed.remarks, ...remarks], problems: [] };
};
