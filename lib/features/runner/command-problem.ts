/**
 * Whether a machine's own file names the programs of a command, and whether its scripts were read
 * before. The cloud asks before a card, the machine before a run. Pure.
 */

import { type AllowSummary, ANY_PROGRAM } from './runners.ts';
import { NOT_KNOWN, usualRule } from './shell/class-tables.ts';
import { type ClassifiedCommand, classifyCommand } from './shell/classify-command.ts';

/** A script as its card showed it: exactly these bytes may run. */
export interface ShownScript {
  readonly path: string;
  /** Of the whole file, hex. */
  readonly sha256: string;
  readonly begins: string;
}

type Allow = Pick<AllowSummary, 'programs' | 'home'>;

const isNamed = (program: string, { programs, home }: Allow): boolean =>
  programs.some((one) => one === ANY_PROGRAM || program === one || program.startsWith(`${one} `)) ||
  classifyCommand(program, { folder: home, home }).class === 'reads';

const isKnown = (program: string): boolean => usualRule(program.split(' ')[0] ?? '')[2] !== NOT_KNOWN;

/** @returns the line to write into `runner.yaml`; empty if none is needed */
export const programProblem = (
  { class: found, programs }: Pick<ClassifiedCommand, 'class' | 'programs'>,
  allow: Allow,
): string => {
  if (found !== 'leaves' && found !== 'unseen') return '';
  const missing = programs.filter((program) => !isNamed(program, allow));
  if (missing.length === 0 && (programs.length > 0 || allow.programs.includes(ANY_PROGRAM))) return '';
  // An unknown name may be anything that the model wrote.
  const line =
    missing.length > 0 && missing.every(isKnown)
      ? `adds ${missing.map((name) => `"${name}"`).join(', ')} to "programs" there, or writes "programs: any"`
      : 'writes "programs: any" there';
  return `runner.yaml of the machine does not name all programs of this command: its owner ${line}`;
};

/** @returns what to do before the command can be asked about; empty if each script was read */
export const scriptProblem = (scripts: readonly string[], shown: readonly ShownScript[]): string =>
  scripts.every((path) => shown.some((one) => one.path === path))
    ? ''
    : "the script that it runs was not read yet: call read-file with the script's path and nothing else, then propose this command again";
