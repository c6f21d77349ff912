/**
 * What every measurement of the benchmark is given and gives: a scratch folder, a place for
 * progress, rows for the table.
 */
import type { Row } from './report.ts';

export interface MeasureContext {
  /** Empty at first, shared by the measurements of one run, removed after it. */
  readonly scratch: string;
  /** Templates and bundles, shared by all stacks of one run. */
  readonly cacheDir: string;
  readonly progress: (line: string) => void;
}

export type Measure = (context: MeasureContext) => Promise<readonly Row[]>;
