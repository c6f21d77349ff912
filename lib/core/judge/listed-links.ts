/**
 * Links that a reply to an event may show so that a person can open them. Such a link stands in the
 * event exactly so, in canonical form, and leads to a host the owner listed for the event's source
 * (`EVENT_LINK_HOSTS`). Tools and earlier turns give none. One turn shows one such link. Pure.
 */
import type { Payload } from '../signal/signal.ts';

/** The links of one event that one turn may show: choosing one of many can carry data away. */
const EVENT_LINKS_PER_TURN_MAX = 1;

/** Hosts by the source of events, such as `github` → `github.com`. */
export type EventLinkHosts = ReadonlyMap<string, ReadonlySet<string>>;

/** Ends at white space, angle brackets, and the quotes and escapes of the event's JSON. */
const ADDRESS = /https:\/\/[^\s"\\<>]+/g;

/** @param saidBefore what the turn has answered so far: a link in it stays the turn's only one */
export const listedLinks = (
  event: Payload,
  saidBefore: string,
  hostsBySource: EventLinkHosts = new Map(),
): readonly string[] => {
  const hosts = event.sensor === 'webhook' ? hostsBySource.get(event.source) : undefined;
  if (event.sensor !== 'webhook' || hosts === undefined) return [];
  const found = event.text.flatMap(({ text }) => text.match(ADDRESS) ?? []);
  const links = [...new Set(found)].filter((address) => isListed(address, hosts));
  const shown = firstListed(saidBefore, links);
  return shown.length === 0 ? links : shown;
};

/** Whether the address is canonical, has no user part, and leads to one of the hosts. */
const isListed = (address: string, hosts: ReadonlySet<string>): boolean => {
  const url = URL.parse(address);
  return url?.href === address && url.username === '' && url.password === '' && hosts.has(url.host);
};

/** The listed links that stand in a text, in its order, as many as one turn may show. */
export const firstListed = (text: string, links: readonly string[]): string[] => {
  const found = links.filter((url) => text.includes(url));
  // One link may be the beginning of another.
  const ordered = found.toSorted((a, b) => text.indexOf(a) - text.indexOf(b) || b.length - a.length);
  return ordered.slice(0, EVENT_LINKS_PER_TURN_MAX);
};

/** Reads `github=github.com,ci=ci.example`. @returns a sentence if the text has another form */
export const parseEventLinkHosts = (text = ''): EventLinkHosts | string => {
  const hosts = new Map<string, Set<string>>();
  const parts = text.split(',').map((part) => part.trim());
  for (const part of parts.filter((one) => one !== '')) {
    const [, source, host] = /^([A-Za-z0-9_.-]{1,30})=([a-z0-9.-]+(?::\d{1,5})?)$/.exec(part) ?? [];
    if (source === undefined || host === undefined || URL.parse(`https://${host}/`)?.host !== host)
      return 'must be source=host, as in github=github.com,ci=ci.example';
    hosts.set(source, (hosts.get(source) ?? new Set()).add(host));
  }
  return hosts;
};
