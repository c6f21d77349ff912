/** The first check of a request to a local server, before its body is read. Pure. */
import type { IncomingMessage } from 'node:http';

export interface Refusal {
  readonly status: 400 | 403;
  readonly message: string;
}

type CheckedHead = Pick<IncomingMessage, 'rawHeaders' | 'headers' | 'url' | 'method'>;

/** Every value of a header, as sent. `headers` keeps the first `Host` and drops the others. */
const valuesOf = ({ rawHeaders }: CheckedHead, name: string): readonly string[] =>
  rawHeaders.filter((_, n) => n % 2 === 1 && rawHeaders[n - 1]?.toLowerCase() === name);

/** Names under which a server on this port of the loopback interface may be asked. */
export const loopbackHosts = (port: number): readonly string[] =>
  ['127.0.0.1', 'localhost', '[::1]'].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));

/** Its target is a whole URL or `*`, or it does not have exactly one of these as its `Host`. */
const findHostProblem = (head: CheckedHead, hosts: readonly string[]): string | undefined => {
  if (head.url?.startsWith('/') !== true) return 'the request target must be a path';
  const [host = '', ...others] = valuesOf(head, 'host');
  if (others.length > 0) return 'there must be exactly one Host';
  return hosts.includes(host.toLowerCase()) ? undefined : 'this server answers only under its own name';
};

/** A person who follows a link to the page; frames, images and forms are none of that. */
const isVisit = ({ headers, method }: CheckedHead): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/** A browser sends it for a page of another origin (Fetch, "Origin" and "Sec-Fetch-Site"). */
const isForeignPage = (head: CheckedHead, hosts: readonly string[]): boolean => {
  const origins = valuesOf(head, 'origin');
  if (origins.some((origin) => !hosts.some((host) => origin === `http://${host}` || origin === `https://${host}`)))
    return true;
  const sites = valuesOf(head, 'sec-fetch-site');
  return sites.some((site) => site !== 'same-origin' && site !== 'none') && !isVisit(head);
};

/** Why a request to a server with a page of its own is refused; undefined when it is not. */
export const findRefusal = (head: CheckedHead, hosts: readonly string[]): Refusal | undefined => {
  const problem = findHostProblem(head, hosts);
  if (problem !== undefined) return { status: 400, message: problem };
  return isForeignPage(head, hosts) ? { status: 403, message: 'no other page may use this server' } : undefined;
};

/** Why a request to a server for programs alone is refused: no browser may use it at all. */
export const findProgramRefusal = (head: CheckedHead, hosts: readonly string[]): Refusal | undefined => {
  const problem = findHostProblem(head, hosts);
  if (problem !== undefined) return { status: 400, message: problem };
  const isBrowser = ['origin', 'sec-fetch-site'].some((name) => valuesOf(head, name).length > 0);
  return isBrowser ? { status: 403, message: 'no page may use this server' } : undefined;
};
