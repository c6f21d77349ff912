/** Bugs of jobs that `find-planted-jobs.ts` must find, as patches. None is in the product. */
import type { Patch } from '../bundle.ts';

interface PlantedBug {
  readonly name: string;
  readonly patches: readonly Patch[];
}

const bug = (name: string, file: string, find: string, put: string): PlantedBug => ({
  name,
  patches: [{ file: `lib/${file}`, find, put }],
});

const SWEEP = 'features/jobs/run-due.ts';

export const PLANTED_JOBS: readonly PlantedBug[] = [
  bug('a job moves on without its occurrence', SWEEP, 'writes: [move, ...begun]', 'writes: [move, ...begun.slice(2)]'),
  bug(
    'missed moments are not written',
    SWEEP,
    'const begun = planned.flatMap(',
    "const begun = planned.filter(({ state }) => state !== 'missed').flatMap(",
  ),
  bug(
    'a moved moment does not say so',
    'features/jobs/rule.ts',
    'moment(endOfGap(clock, zone), true)',
    'moment(endOfGap(clock, zone))',
  ),
  bug('a failure counts twice', 'features/jobs/close-run.ts', '? 0 : failures + 1;', '? 0 : failures + 2;'),
];
