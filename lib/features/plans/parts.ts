/** All that these tools load with their first call. */
import { markPlan } from './mark-plan.ts';
import { WRITE_PLAN_FORM, writePlan } from './write-plan.ts';

export const PLAN_PARTS = { WRITE_PLAN_FORM, markPlan, writePlan } as const;
