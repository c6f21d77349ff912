/** The record of paired machines, read with each turn whose calls may need one. */

import { runnerKeys } from '../../core/store/keys.ts';
import type { RecordRow } from '../../core/store/turn-records.ts';
import { type Runners, readRunners } from './runners.ts';

declare module '../../core/store/turn-records.ts' {
  interface TurnRecords {
    readonly runners?: Runners;
  }
}

export const RUNNERS_RECORD: RecordRow = {
  key: runnerKeys.list,
  read: (item) => ({ runners: readRunners(item) }),
};
