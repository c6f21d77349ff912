/**
 * What is wrong with a URL a model wrote, by its spelling alone: no answer of a resolver is looked at here. Whoever opens
 * it still has to pin the connection to public addresses.
 * - refuses: schemes but http and https, user names, hosts not spelled in the one canonical way (decimal, octal, hex and
 *   short addresses, encoded or full-width letters, trailing dots, backslashes), addresses that are not public, names
 *   `host-names.ts` refuses, and ports that belong to other services
 * - lets through: public hosts by name or canonical address, international names in one alphabet, ports of web servers
 */

import { decodeLabel } from '../../text/punycode.ts';
import { addressRange } from './address-ranges.ts';
import { hostNameProblem } from './host-names.ts';

/** Ports where web servers are found. */
const WEB_PORTS: ReadonlySet<string> = new Set([
  '',
  '80',
  '443',
  '3000',
  '5000',
  '8000',
  '8008',
  '8080',
  '8081',
  '8443',
  '8888',
  '9000',
  '9443',
]);
/** Above the system's own ports: databases, caches and daemons that take what looks like HTTP for commands. */
const SERVICE_PORTS: ReadonlySet<number> = new Set([
  ...[1433, 1521, 1883, 2049, 2181, 2375, 2376, 2379, 3268, 3306, 3389, 4444, 5060, 5432, 5672, 5900, 5984, 5985, 6000],
  ...[6379, 6443, 6667, 7001, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 15672, 27017, 50070],
]);
const SYSTEM_PORT_MAX = 1023;

const isServicePort = (port: string): boolean =>
  !WEB_PORTS.has(port) && (Number(port) <= SYSTEM_PORT_MAX || SERVICE_PORTS.has(Number(port)));

/** A port that says nothing about what listens there: a person decides. The URL must be readable. */
export const hasOddPort = (text: string): boolean => !WEB_PORTS.has(URL.parse(text)?.port ?? '');

/** The authority as it was written: between `//` and the next `/`, `?` or `#`. */
const WRITTEN = /^https?:\/\/([^/?#\\]*)/i;

/** Letters of other alphabets become punycode, label by label; anything else that changes is a disguise. */
const isCanonicalHost = (written: string, hostname: string): boolean => {
  const canonical = hostname.split('.');
  const labels = written.toLowerCase().split('.');
  return (
    labels.length === canonical.length &&
    canonical.every((label, at) => labels[at] === label || labels[at] === decodeLabel(label))
  );
};

const hostProblem = (url: URL): string | undefined => {
  const literal = url.hostname.replace(/[[\]]/g, '');
  const range = addressRange(literal);
  if (range === 'unreadable') return hostNameProblem(literal);
  return range === 'public' ? undefined : `the host is an address that may not be called (${range})`;
};

/** Why a URL may not be opened; undefined when nothing is against it. */
export const outsideUrlProblem = (text: string): string | undefined => {
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) return 'the URL holds characters that have no place in one';
  const url = URL.parse(text);
  if (url === null) return 'the URL cannot be read';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'the URL is neither http nor https';
  const authority = WRITTEN.exec(text)?.[1];
  if (authority === undefined) return 'the URL is not in canonical form';
  if (authority.includes('@')) return 'the URL holds a user name or password';
  const isCanonical = !url.hostname.endsWith('.') && isCanonicalHost(authority.replace(/:\d*$/, ''), url.hostname);
  if (!isCanonical) return 'the host of the URL is not in canonical form';
  if (isServicePort(url.port)) return 'the port of the URL is that of another service';
  return hostProblem(url);
};
