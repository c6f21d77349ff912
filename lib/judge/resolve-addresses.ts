/**
 * Where a URL would really go: the literal IP addresses its host has right now, for the network gate to judge and for the
 * actuator to be pinned to. Empty when the host has none or the URL is none: the gate blocks that.
 */
import { isIP } from 'node:net';
import { RESOLVE_TIMEOUT_MS } from '../base/limits.ts';

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
