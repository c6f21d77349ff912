import { expectTypeOf, it } from 'vitest';
import type { ShownJob } from '../../../lib/features/jobs/shown-job.ts';
import type { ShownJob as OnPage } from '../../../lib/features/page/app/shown-job.ts';

it('has all that the page reads of a job', () => {
  expectTypeOf<ShownJob>().toExtend<OnPage>();
});
