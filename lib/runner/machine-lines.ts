/** What the prompt says of the owner's machines, as mandates are said. Pure. */
import type { Runners } from './runners.ts';

/** Folders of one machine that the model is told, of each kind. */
const FOLDERS_SHOWN_MAX = 8;

const foldersOf = (paths: readonly string[]): string => {
  const left = paths.length - FOLDERS_SHOWN_MAX;
  const shown = paths.slice(0, FOLDERS_SHOWN_MAX).join(', ') || 'none';
  return left > 0 ? `${shown} and ${left} more` : shown;
};

/** For the model: the machines that can be used, and the folders that each allows. */
export const machineLines = ({ runners }: Runners): readonly string[] =>
  runners
    .filter(({ isPaused }) => !isPaused)
    .map(
      ({ name, allow: { read, write, hasNetwork } }) =>
        `The owner's machine ${name}, ${hasNetwork ? 'with' : 'without'} network: read below ${foldersOf([...write, ...read])}; write below ${foldersOf(write)}.`,
    );
