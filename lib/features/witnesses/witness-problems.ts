/** Witnesses that did not cosign the newest checkpoint, each with the reason; none: all is well. */
import * as z from 'zod/mini';
import { finding } from '../../core/language/finding.ts';
import type { FeatureViews } from '../../core/operations/feature-views.ts';
import { type Key, logKeys } from '../../core/store/keys.ts';
import type { Table } from '../../core/store/table.ts';

const problemsKey = (space: string): Key => ({ pk: logKeys.partition(space), sk: 'witness-problems' });

const WitnessProblems = z.object({ schemaVersion: z.literal(1), problems: z.array(z.string()) });

export const noteWitnessProblems = (
  table: Pick<Table, 'put'>,
  space: string,
  problems: readonly string[],
): Promise<void> => table.put(problemsKey(space), { schemaVersion: 1, problems: [...problems] });

export const WITNESS_VIEWS = {
  noted: {
    key: problemsKey,
    find: (item) =>
      (WitnessProblems.safeParse(item).data?.problems ?? []).map((problem) => finding('witness', problem)),
  },
} as const satisfies FeatureViews;
