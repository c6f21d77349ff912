/** The part of machines in Reason: which can be used, and the files that the turn read on them. */

import { isRunnerTool } from '../../core/signal/runner-tools.ts';
import { loadLazy } from '../../core/stages/reason/reason-deps.ts';
import type { ReasonFeature } from '../../core/stages/reason/reason-feature.ts';
import type { TurnRecords } from '../../core/store/turn-records.ts';
import { NO_RUNNERS } from './runners.ts';

/** Folders of one machine that the model is told, of each kind. */
const FOLDERS_SHOWN_MAX = 8;

const foldersOf = (paths: readonly string[]): string => {
  const left = paths.length - FOLDERS_SHOWN_MAX;
  const shown = paths.slice(0, FOLDERS_SHOWN_MAX).join(', ') || 'none';
  return left > 0 ? `${shown} and ${left} more` : shown;
};

const usableOf = ({ runners: { runners } = NO_RUNNERS }: TurnRecords) => runners.filter(({ isPaused }) => !isPaused);

/** For the model: the machines that can be used, and the folders that each allows. */
const machineLines = (records: TurnRecords): readonly string[] =>
  usableOf(records).map(
    ({ name, allow: { read, write, hasNetwork } }) =>
      `The owner's machine ${name}, ${hasNetwork ? 'with' : 'without'} network: read below ${foldersOf([...write, ...read])}; write below ${foldersOf(write)}.`,
  );

export const reasonRunner: ReasonFeature = {
  hasUse: (tool, records) => !isRunnerTool(tool) || usableOf(records).length > 0,
  mandates: (tools, records) => (tools.some(isRunnerTool) ? machineLines(records) : []),
  buildReads: (turn) => ({
    loadReadFile: async (...file) => (await loadLazy()).REASON_LATE.buildLoadReadFile(turn)(...file),
  }),
};
