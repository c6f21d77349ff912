/**
 * Ledger events fit for a prompt (I11): ids in them are partly chosen by others (a webhook's sender names its messages), so an event
 * that holds a configured secret, or what looks like one, is replaced whole. Pure.
 */
import { holdsSecret } from '../gates/rules/find-secrets.ts';

export const REDACTED = '[left out: it holds what looks like a secret]';

/** @param secrets by name, as this function holds them */
export const redactLogs = (logs: readonly string[], secrets: ReadonlyMap<string, string>): readonly string[] => {
  // One look at all of them: a secret is almost never there.
  if (logs.length === 0 || !holdsSecret(logs.join('\n'), secrets)) return logs;
  return logs.map((log) => (holdsSecret(log, secrets) ? REDACTED : log));
};
