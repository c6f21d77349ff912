/** All that the tool loads with its first call. */
import { WEBHOOK_FORM } from './form.ts';

export const WEBHOOK_PARTS = { WEBHOOK_FORM } as const;
