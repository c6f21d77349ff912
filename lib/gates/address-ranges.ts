/**
 * Which part of the network a literal IP address belongs to. Only `public` may be called from the cloud: everything
 * else reaches the machine itself, its neighbours, its metadata service, or an address hidden inside another.
 * Pure; a text that is not exactly one address is `unreadable`, never guessed at (no octal, hex or short forms).
 */
import ipaddr from 'ipaddr.js';

export type AddressRange = 'public' | 'loopback' | 'not-public' | 'unreadable';

/** RFC 4291 and the IANA registry: the only block global IPv6 unicast is assigned from. `::/96` and the like are not. */
const GLOBAL_UNICAST_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Public by number, but inside a virtual network the platform's own service: Azure's wire server. */
const PLATFORM_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/** Range of one literal address; mapped, translated and tunnelled forms (IPv4-mapped, NAT64, 6to4, Teredo) are `not-public`. */
export const addressRange = (address: string): AddressRange => {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const range = ipaddr.IPv4.parse(address).range();
    if (range === 'loopback') return 'loopback';
    return range === 'unicast' && !PLATFORM_ADDRESSES.has(address) ? 'public' : 'not-public';
  }
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return 'unreadable';
  const parsed = ipaddr.IPv6.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return 'loopback';
  return range === 'unicast' && parsed.match(GLOBAL_UNICAST_V6) ? 'public' : 'not-public';
};
