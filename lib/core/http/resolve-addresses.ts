/**
 * The IP addresses of a URL's host right now: the network gate judges them, and the actuator is
 * pinned to them. None for a slow resolver or a broken URL: the gate blocks those.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { SECOND_MS } from '../base/limits.ts';

/** A resolver that is slower than this counts as having no answer. */
const RESOLVE_TIMEOUT_MS = 3 * SECOND_MS;

export const resolveAddresses = async (url: string): Promise<readonly string[]> => {
  if (!URL.canParse(url)) return [];
  const host = new URL(url).hostname.replace(/^\[|\]$/gu, '');
  if (isIP(host) !== 0) return [host];
  const timeout = setTimeout<readonly string[]>(RESOLVE_TIMEOUT_MS, [], { ref: false });
  const answer = lookup(host, { all: true, verbatim: true }).then(
    (found) => found.map((entry) => entry.address),
    () => [],
  );
  return Promise.race([answer, timeout]);
};
