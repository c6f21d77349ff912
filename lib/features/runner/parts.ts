/** All that the tools of machines load with their first call. */
import { describeRunner } from './describe-runner.ts';
import { RUNNER_FORMS } from './tools/runner-form.ts';

export const MACHINE_PARTS = { RUNNER_FORMS, describeRunner } as const;
