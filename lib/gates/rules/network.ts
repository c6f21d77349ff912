/**
 * Outgoing webhooks go only where configuration says, and only to public addresses. Takes `facts.network`: what is
 * configured under the name, and every address the host resolved to. The actuator connects to those addresses only.
 * A URL that a tool of the model opens (`fetch-url`) is judged by its spelling: nothing is configured.
 * Tools of MCP servers go the same way, and so does the one command that connects to a new server (Act judges its addresses).
 * - stops: unknown names, another URL than the configured one, URLs not in canonical form, user names or passwords in
 *   a URL, plain http, hosts that resolve to nothing or to a private, link-local, metadata or tunnelled address
 * - lets through: the configured https URL at public addresses; loopback where `isLoopbackAllowed` (local stacks)
 */

import type { Json } from '../../base/json.ts';
import type { Action } from '../../signal/action.ts';
import type { Facts, NetworkFacts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { type AddressRange, addressRange } from './address-ranges.ts';
import { decodeLabel, hostNameProblem } from './host-names.ts';
import { effectsOf } from './tool-effects.ts';

const block = (reason: string): Verdict => ({ verdict: 'block', reason });

/** Host of a URL without the brackets of an IPv6 literal. */
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

/** Plain http is for this machine only: there, every address must be loopback. */
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
    if (opensUrl !== undefined) return checkOpenedUrl(action.args?.[opensUrl]);
    return connectsTo === undefined ? PASS : checkConnection(action.args?.[connectsTo], facts);
  }
  if (action.target !== 'webhook') return PASS;
  const { network } = facts;
  if (network === null) return block('nothing is known about where this webhook goes');
  if (!network.isConfigured) return block('no webhook of this name is configured');
  return checkAddress(action.url, network);
};

/** Decided on before anybody may look where it leads; Act, which connects, knows. */
const checkConnection = (url: Json | undefined, { network, stage }: Facts): Verdict => {
  if (network !== null) return checkAddress(typeof url === 'string' ? url : undefined, network);
  return stage === 'reason' ? PASS : block('nothing is known about where this address leads');
};

const checkAddress = (wanted: string | undefined, network: NetworkFacts): Verdict => {
  if (wanted === undefined || wanted !== network.configuredUrl) {
    return block('the URL is not the one configured under this name');
  }
  const url = URL.parse(wanted);
  if (url === null) return block('the URL cannot be read');
  if (url.href !== wanted) return block('the URL is not in canonical form');
  const problem = urlProblem(url, network.isLoopbackAllowed) ?? addressProblem(url, network);
  return problem === undefined ? PASS : block(problem);
};

/**
 * What is wrong with a URL a model wrote, by its spelling alone: no answer of a resolver is looked at here. Whoever opens
 * it still has to pin the connection to public addresses.
 * - refuses: schemes but http and https, user names, hosts not spelled in the one canonical way (decimal, octal, hex and
 *   short addresses, encoded or full-width letters, trailing dots, backslashes), addresses that are not public, names
 *   `host-names.ts` refuses, and ports that belong to other services
 * - lets through: public hosts by name or canonical address, international names in one alphabet, ports of web servers
 */

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
