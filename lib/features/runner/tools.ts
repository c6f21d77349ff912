/** The tools of machines: those that pair them, and those that they perform. */
import { editFile, listFiles, readFile, searchFiles, writeFile } from './tools/files.ts';
import { listRunners, pairRunner, pauseRunner, removeRunner, resumeRunner } from './tools/manage-runners.ts';
import { shell } from './tools/shell.ts';

export const PAIRING_TOOLS = [pairRunner, pauseRunner, resumeRunner, removeRunner, listRunners] as const;
export const MACHINE_TOOLS = [shell, readFile, writeFile, editFile, listFiles, searchFiles] as const;
