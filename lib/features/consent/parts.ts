/** Code of the tools of logins that is loaded with their first call. */
import { performLogin } from './perform-login.ts';

export const CONSENT_PARTS = { performLogin } as const;
