/**
 * The links of the running turn's event that a reply may leave tappable: exactly as the event has
 * them, in canonical form, to a host the owner listed for the event's source (`EVENT_LINK_HOSTS`).
 * Only the event itself counts, no tool's output and no earlier turn. A turn that showed one
 * already may show this one again and no other. Pure.
 */
import { firstListed } from '../../judge/gather-facts.ts';
import type { LoadedTurn } from './load-turn.ts';

/** Hosts by the source of events, such as `github` → `github.com`. */
export type EventLinkHosts = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Quotes and escapes of the event's JSON end an address, and so do white space and angle brackets.
 */
const ADDRESS = /https:\/\/[^\s"\\<>]+/g;

/** In the one spelling every reader takes the same way, without a user part. */
const isListed = (address: string, hosts: ReadonlySet<string>): boolean => {
  const url = URL.parse(address);
  return url?.href === address && url.username === '' && url.password === '' && hosts.has(url.host);
};

export const listedLinks = (
  { rootPayload, steps }: Pick<LoadedTurn, 'rootPayload' | 'steps'>,
  hostsBySource: EventLinkHosts = new Map(),
): readonly string[] => {
  const hosts = rootPayload.sensor === 'webhook' ? hostsBySource.get(rootPayload.source) : undefined;
  if (rootPayload.sensor !== 'webhook' || hosts === undefined) return [];
  const found = rootPayload.text.flatMap(({ text }) => text.match(ADDRESS) ?? []);
  const links = [...new Set(found)].filter((address) => isListed(address, hosts));
  const said = steps.flatMap((step) => (step.kind === 'answer' ? [step.text ?? ''] : [])).join('\n');
  // The first one said is the one that was shown: a longer one said later, as code, does not take
  // its place.
  const shown = firstListed(said, links);
  return shown.length === 0 ? links : shown;
};

/**
 * Reads `github=github.com,ci=ci.example` (a source may be named again for another host); a
 * sentence says what is wrong.
 */
export const parseEventLinkHosts = (text = ''): EventLinkHosts | string => {
  const hosts = new Map<string, Set<string>>();
  for (const part of text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')) {
    const [, source, host] = /^([A-Za-z0-9_.-]{1,30})=([a-z0-9.-]+(?::\d{1,5})?)$/.exec(part) ?? [];
    if (source === undefined || host === undefined || URL.parse(`https://${host}/`)?.host !== host)
      return 'must be source=host, as in github=github.com,ci=ci.example';
    hosts.set(source, (hosts.get(source) ?? new Set()).add(host));
  }
  return hosts;
};
