/**
 * Outgoing webhooks go only where configuration says, and only to public addresses. Takes `facts.network`: what is
 * configured under the name, and every address the host resolved to. The actuator connects to those addresses only.
 * A URL that a tool of the model opens (`fetch-url`) is judged by its spelling (`outside-url.ts`): nothing is configured.
 * Tools of MCP servers go the same way, and so does the one command that connects to a new server (Act judges its addresses).
 * - stops: unknown names, another URL than the configured one, URLs not in canonical form, user names or passwords in
 *   a URL, plain http, hosts that resolve to nothing or to a private, link-local, metadata or tunnelled address
 * - lets through: the configured https URL at public addresses; loopback where `isLoopbackAllowed` (local stacks)
 */
import type { Action } from '../../signal/action.ts';
import type { Facts, NetworkFacts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { type AddressRange, addressRange } from './address-ranges.ts';
import { hostNameProblem } from './host-names.ts';
import { hasOddPort, outsideUrlProblem } from './outside-url.ts';

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

/** Tools that open the URL they are given. */
const URL_TOOLS: ReadonlySet<string> = new Set(['fetch-url']);

/** The tool by which a person lets in a server at an address: it connects. */
const CONNECTING_TOOL = 'add-mcp-server';

const checkOpenedUrl = (action: Action): Verdict => {
  const url = action.args?.url;
  if (typeof url !== 'string') return block('there is no URL to open');
  const problem = outsideUrlProblem(url);
  if (problem !== undefined) return block(problem);
  return hasOddPort(url) ? { verdict: 'ask', reason: 'the port of the URL is not one of a web server' } : PASS;
};

export const checkNetwork = (action: Action, facts: Facts): Verdict => {
  if (action.target === 'tool' && URL_TOOLS.has(action.tool ?? '')) return checkOpenedUrl(action);
  if (action.target === 'tool' && action.tool === CONNECTING_TOOL) return checkConnection(action, facts);
  if (action.target !== 'webhook') return PASS;
  const { network } = facts;
  if (network === null) return block('nothing is known about where this webhook goes');
  if (!network.isConfigured) return block('no webhook of this name is configured');
  return checkAddress(action.url, network);
};

/** Decided on before anybody may look where it leads; Act, which connects, knows. */
const checkConnection = (action: Action, { network, stage }: Facts): Verdict => {
  const url = action.args?.url;
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
