/**
 * Resolves the host of a URL to the literal addresses the network gate judges and the webhook actuator is held to. A host
 * that is an address already is given as it is. Never fails: whatever cannot be resolved in time has no addresses, and
 * without one nothing is sent.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { RESOLVE_TIMEOUT_MS } from '../limits.ts';

/** Host of a URL as sockets take it: IPv6 without brackets. `undefined` when it is no URL. */
export const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined;

const lookupAll = async (host: string): Promise<string[]> => {
  try {
    return (await lookup(host, { all: true })).map((found) => found.address);
  } catch {
    return [];
  }
};

export const resolveAddresses = async (url: string): Promise<string[]> => {
  const host = hostOf(url);
  if (host === undefined || host === '') return [];
  if (isIP(host) !== 0) return [host];
  const { promise: late, resolve } = Promise.withResolvers<string[]>();
  const timer = setTimeout(() => resolve([]), RESOLVE_TIMEOUT_MS);
  const addresses = await Promise.race([lookupAll(host), late]);
  clearTimeout(timer);
  return [...new Set(addresses)];
};
