/**
 * Connections go only to configured, public addresses. The actuator connects to the addresses
 * judged here and to no others. MCP servers count as configured webhooks.
 * - stops: unknown names; URLs that are not the configured one, not canonical, not https, or hold a
 *   password; hosts with no address or one that is not public; disguised hosts
 * - asks: a URL to open with an unusual port
 * - lets through: the configured https URL or paired machine (`runner://home/`); loopback on local
 *   stacks (`isLoopbackAllowed`)
 */

import type { Json } from '../../base/json.ts';
import type { Action } from '../../signal/action.ts';
import type { Facts, NetworkFacts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { machineOf } from '../../signal/runner-tools.ts';
import { type AddressRange, addressRange } from './address-ranges.ts';
import { decodeLabel, hostNameProblem } from './host-names.ts';
import { effectsOf } from './tool-effects.ts';

const block = (reason: string): Verdict => ({ verdict: 'block', reason });

/** Without the brackets of an IPv6 address. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || addressRange(host) === 'loopback';

const urlProblem = (url: URL, isLoopbackAllowed: boolean): string | undefined => {
  const host = hostOf(url);
  if (url.username !== '' || url.password !== '') return 'the URL holds a user name or password';
  if (host === '' || host.endsWith('.')) return 'the host of the URL is not in canonical form';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return 'the URL is not https';
  return isLoopbackAllowed && isLoopbackHost(host) ? undefined : 'the URL is not https';
};

/** Plain http is for this machine only: every address must be loopback. */
const rangesAllowed = (url: URL, isLoopbackAllowed: boolean): readonly AddressRange[] => {
  if (url.protocol === 'http:') return ['loopback'];
  return isLoopbackAllowed ? ['public', 'loopback'] : ['public'];
};

const addressProblem = (url: URL, network: NetworkFacts): string | undefined => {
  if (network.addresses.length === 0) return 'the host has no address';
  const host = hostOf(url);
  const literal = addressRange(host) === 'unreadable' ? [] : [host];
  if (literal.length === 0 && !(network.isLoopbackAllowed && isLoopbackHost(host))) {
    const problem = hostNameProblem(host);
    if (problem !== undefined) return problem;
  }
  const allowed = rangesAllowed(url, network.isLoopbackAllowed);
  for (const address of [...literal, ...network.addresses]) {
    const range = addressRange(address);
    if (!allowed.includes(range)) return `the host has an address that may not be called (${range})`;
  }
  return undefined;
};

const checkOpenedUrl = (url: Json | undefined): Verdict => {
  if (typeof url !== 'string') return block('there is no URL to open');
  const problem = outsideUrlProblem(url);
  if (problem !== undefined) return block(problem);
  return hasOddPort(url) ? { verdict: 'ask', reason: 'the port of the URL is not one of a web server' } : PASS;
};

export const checkNetwork = (action: Action, facts: Facts): Verdict => {
  if (action.target === 'tool') {
    const { opensUrl, connectsTo } = effectsOf(action, facts);
    const opened = opensUrl === undefined ? PASS : checkOpenedUrl(action.args?.[opensUrl]);
    if (connectsTo === undefined || opened.verdict === 'block') return opened;
    const connected = checkConnection(action.args?.[connectsTo], facts);
    return connected.verdict === 'pass' ? opened : connected;
  }
  if (action.target !== 'webhook') return PASS;
  const { network } = facts;
  if (network === null) return block('nothing is known about where this webhook goes');
  if (!network.isConfigured) return block('no webhook of this name is configured');
  return checkAddress(action.url, network);
};

/** Reason may decide before the address is resolved. Act connects, so it must know. */
const checkConnection = (url: Json | undefined, { network, stage }: Facts): Verdict => {
  if (network !== null) return checkAddress(typeof url === 'string' ? url : undefined, network);
  return stage === 'reason' ? PASS : block('nothing is known about where this address leads');
};

const checkAddress = (written: string | undefined, network: NetworkFacts): Verdict => {
  if (written === undefined || written !== network.configuredUrl) {
    return block('the URL is not the one configured under this name');
  }
  // The machine judges its own servers, by its own file.
  if (machineOf(written) !== undefined) return PASS;
  const url = URL.parse(written);
  if (url === null) return block('the URL cannot be read');
  if (url.href !== written) return block('the URL is not in canonical form');
  const problem = urlProblem(url, network.isLoopbackAllowed) ?? addressProblem(url, network);
  return problem === undefined ? PASS : block(problem);
};

/** Ports of web servers. */
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
/** Above the system's ports: databases, caches and daemons that may take HTTP for commands. */
const SERVICE_PORTS: ReadonlySet<number> = new Set([
  ...[1433, 1521, 1883, 2049, 2181, 2375, 2376, 2379, 3268, 3306, 3389, 4444, 5060, 5432, 5672, 5900, 5984, 5985, 6000],
  ...[6379, 6443, 6667, 7001, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 15672, 27017, 50070],
]);
const SYSTEM_PORT_MAX = 1023;

const isServicePort = (port: string): boolean =>
  !WEB_PORTS.has(port) && (Number(port) <= SYSTEM_PORT_MAX || SERVICE_PORTS.has(Number(port)));

/** Nobody knows what listens on such a port, so a person decides. The URL must be readable. */
export const hasOddPort = (text: string): boolean => !WEB_PORTS.has(URL.parse(text)?.port ?? '');

/** The authority as written: from `//` to the next `/`, `?` or `#`. */
const WRITTEN = /^https?:\/\/([^/?#\\]*)/i;

/** Letters of other alphabets become Punycode, label by label. Any other change is a disguise. */
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

/**
 * Judges a URL that a model wrote, by its spelling alone; undefined if nothing is wrong. The tool
 * that opens it must still connect to public addresses only.
 * - refuses: schemes but http and https, user names, hosts in a spelling that is not canonical,
 *   addresses that are not public, refused names, ports of other services
 */
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
