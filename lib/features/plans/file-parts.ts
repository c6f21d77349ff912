/** The code of the tool that performs a plan, which reads YAML. */
import { planProblems, RUN_PLAN_FORM, startPlan } from './run-plan.ts';

export const PLAN_FILE_PARTS = { planProblems, RUN_PLAN_FORM, startPlan } as const;
