/** All that the tool of helpers loads with its first call. */
import { DELEGATE_FORM } from './delegate-form.ts';

export const DELEGATION_PARTS = { DELEGATE_FORM } as const;
