/**
 * Where a URL would really go: the literal IP addresses its host has right now, for the network gate to judge and for the
 * actuator to be pinned to. Empty when the host has none or the URL is none: the gate blocks that.
 */
import { isIP } from 'node:net';
import { SECOND_MS } from '../base/limits.ts';

/** Looking up a webhook's host: a resolver that is slower than this counts as having no answer. */
const RESOLVE_TIMEOUT_MS = 3 * SECOND_MS;

export const resolveAddresses = async (url: string): Promise<readonly string[]> => {
  if (!URL.canParse(url)) return [];
  const host = new URL(url).hostname.replace(/^\[|\]$/gu, '');
  if (isIP(host) !== 0) return [host];
  const timeout = new Promise<readonly string[]>((resolve) => {
    setTimeout(() => resolve([]), RESOLVE_TIMEOUT_MS).unref();
  });
  // Not imported: only turns with a webhook ask for names.
  const { lookup } = process.getBuiltinModule('node:dns/promises');
  const answer = lookup(host, { all: true, verbatim: true }).then(
    (found) => found.map((entry) => entry.address),
    () => [],
  );
  return Promise.race([answer, timeout]);
};
