/**
 * Who is asking: the console token may read, write and stop; the approver token may also approve, resume, redrive,
 * resolve and pair. Both are compared in constant time, by their SHA-256, so that neither length nor prefix shows.
 * Fails closed: an unset token opens nothing, and two equal tokens open only what the lesser one does (I5).
 */
import { createHash, timingSafeEqual } from 'node:crypto';

export type Role = 'console' | 'approver';

export interface ConsoleTokens {
  readonly consoleToken: string | undefined;
  readonly approverToken: string | undefined;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const isSame = (given: string, expected: string | undefined): boolean =>
  timingSafeEqual(digest(given), digest(expected ?? '')) && expected !== undefined && expected !== '';

/** @param authorization the header `Bearer <token>` as it came. @returns undefined for anyone unknown. */
export const roleOf = (authorization: string | undefined, tokens: ConsoleTokens): Role | undefined => {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  const isConsole = isSame(given, tokens.consoleToken);
  const isApprover = isSame(given, tokens.approverToken);
  if (isConsole) return 'console';
  return isApprover ? 'approver' : undefined;
};
