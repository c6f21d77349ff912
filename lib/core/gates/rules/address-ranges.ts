/**
 * The part of the network that a literal IP address belongs to. Only `public` may be called from
 * the cloud: any other address reaches the machine itself, its neighbours or its metadata service.
 * A text that is not exactly one address is `unreadable` (no octal, hex or short forms, no zones).
 * Pure: of `node:net` only tables and parsers are used.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

export type AddressRange = 'public' | 'loopback' | 'not-public' | 'unreadable';

const listOf = (family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
};

const LOOPBACK_V4 = listOf('ipv4', ['127.0.0.0/8']);
const LOOPBACK_V6 = listOf('ipv6', ['::1/128']);

/** IANA's special-purpose addresses, multicast, and platforms' own services. */
const NOT_PUBLIC_V4 = listOf('ipv4', [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  // Protocol assignments, documentation, benchmarks.
  ...['192.0.0.0/24', '192.0.2.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  // AS112, multicast tunnels, 6to4 relays.
  ...['192.31.196.0/24', '192.175.48.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  // Multicast, reserved, broadcast.
  ...['224.0.0.0/4', '240.0.0.0/4'],
  // Azure's wire server.
  '168.63.129.16/32',
]);

/** RFC 4291: all global IPv6 unicast is of this block, and no mapped or translated form. */
const GLOBAL_UNICAST_V6 = listOf('ipv6', ['2000::/3']);
const NOT_PUBLIC_V6 = listOf('ipv6', [
  // Protocol assignments with Teredo, benchmarks and identifiers; documentation; 6to4; AS112.
  ...['2001::/23', '2001:db8::/32', '3fff::/20', '2002::/16', '2620:4f:8000::/48'],
]);

/** Mapped, translated and tunnelled forms (IPv4-mapped, NAT64, 6to4, Teredo) are `not-public`. */
export const addressRange = (address: string): AddressRange => {
  if (isIPv4(address)) {
    if (LOOPBACK_V4.check(address)) return 'loopback';
    return NOT_PUBLIC_V4.check(address) ? 'not-public' : 'public';
  }
  if (!isIPv6(address) || address.includes('%')) return 'unreadable';
  if (LOOPBACK_V6.check(address, 'ipv6')) return 'loopback';
  const isUnicast = GLOBAL_UNICAST_V6.check(address, 'ipv6') && !NOT_PUBLIC_V6.check(address, 'ipv6');
  return isUnicast ? 'public' : 'not-public';
};
