/** The fault in the value of a setting, as the catalogue of settings says it. */
import * as z from 'zod/mini';
import { SETTINGS } from '../../../lib/core/store/settings.ts';

/** @returns undefined if it fits */
export const problemOf = (name: keyof typeof SETTINGS, value: string): string | undefined => {
  const parsed = z.safeParse(SETTINGS[name].schema, value);
  return parsed.success ? undefined : `${name} ${parsed.error.issues[0]?.message ?? 'does not fit'}`;
};
