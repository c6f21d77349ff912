/** All that the tool loads with its first call. */
import { describeErased, FORGET_FORM } from './forget-form.ts';

export const FORGETTING_PARTS = { FORGET_FORM, describeErased } as const;
