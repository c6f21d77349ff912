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
  /** Rows that stay though a later part of the measurement fails. */
  readonly keep: (rows: readonly Row[]) => void;
  /** Of `--only cloud:plain`: the parts asked for; empty for all. */
  readonly parts: readonly string[];
  /** Of `--memory`: that of each function, in MB, in place of all sizes. */
  readonly memoryMb: number | undefined;
  /** Of `--suite`: a folder with talks to measure recall on. */
  readonly suite?: string | undefined;
}

export type Measure = (context: MeasureContext) => Promise<readonly Row[]>;
