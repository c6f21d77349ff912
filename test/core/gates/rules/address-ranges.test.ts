/** Ranges of addresses, against `ipaddr.js` as the judge, and at the edges of every range. */

import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { type AddressRange, addressRange } from '../../../../lib/core/gates/rules/address-ranges.ts';
import { fc } from '../../../support/fast-check.ts';
import { FINE_URLS, REFUSED_URLS } from '../url-corpus.ts';

/** The same question asked of another library. */
const judge = (address: string): AddressRange => {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const range = ipaddr.IPv4.parse(address).range();
    if (range === 'loopback') return 'loopback';
    return range === 'unicast' && address !== '168.63.129.16' ? 'public' : 'not-public';
  }
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return 'unreadable';
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.range() === 'loopback') return 'loopback';
  return parsed.range() === 'unicast' && parsed.match(ipaddr.IPv6.parse('2000::'), 3) ? 'public' : 'not-public';
};

const v4Of = (bits: number): string => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
const v6Of = (groups: readonly number[]): string => groups.map((group) => group.toString(16)).join(':');

/** Its table, which its types leave out. */
const rangesOf = <T>(address: object): readonly T[] =>
  Object.values((address as { SpecialRanges: Record<string, T> }).SpecialRanges);

/** First and last address of every special range of the judge, and their neighbours. */
const edges = (): readonly string[] => {
  const found: string[] = [];
  for (const range of rangesOf<[ipaddr.IPv4, number][]>(ipaddr.IPv4.parse('0.0.0.0'))) {
    for (const [network, bits] of range) {
      const first = network.octets.reduce((sum, octet) => sum * 256 + octet, 0);
      const last = first + 2 ** (32 - bits) - 1;
      for (const at of [first - 1, first, first + 1, last - 1, last, last + 1]) found.push(v4Of(at >>> 0));
    }
  }
  for (const range of rangesOf<unknown>(ipaddr.IPv6.parse('::'))) {
    const list = (Array.isArray((range as unknown[])[0]) ? range : [range]) as [ipaddr.IPv6, number][];
    for (const [network, bits] of list) {
      const first = BigInt(`0x${network.parts.map((part) => part.toString(16).padStart(4, '0')).join('')}`);
      const last = first + (1n << BigInt(128 - bits)) - 1n;
      for (const at of [first - 1n, first, first + 1n, last - 1n, last, last + 1n]) {
        const hex = BigInt.asUintN(128, at).toString(16).padStart(32, '0');
        found.push(v6Of((hex.match(/.{4}/g) ?? []).map((part) => Number.parseInt(part, 16))));
      }
    }
  }
  return found;
};

const differing = (addresses: readonly string[]): readonly string[] =>
  addresses.filter((address) => addressRange(address) !== judge(address));

describe('addressRange', () => {
  it.each([
    ['93.184.215.14', 'public'],
    ['2606:4700:4700::1111', 'public'],
    ['127.8.9.1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['::ffff:127.0.0.1', 'not-public'],
    ['::127.0.0.1', 'not-public'],
    ['64:ff9b::8.8.8.8', 'not-public'],
    ['2002:7f00:1::', 'not-public'],
    ['168.63.129.16', 'not-public'],
    ['169.254.169.254', 'not-public'],
    ['fd00:ec2::254', 'not-public'],
    ['0x7f.1', 'unreadable'],
    ['127.1', 'unreadable'],
    ['010.0.0.1', 'unreadable'],
    ['fe80::1%eth0', 'unreadable'],
    ['[::1]', 'unreadable'],
    ['', 'unreadable'],
  ])('of %s is %s', (address, range) => {
    expect(addressRange(address)).toBe(range);
  });

  it('agrees with another library at the edges of every range it knows', () => {
    const addresses = edges();
    expect(addresses.length).toBeGreaterThan(200);
    expect(differing(addresses)).toStrictEqual([]);
  });

  it('agrees with it on every host of the URL corpus', () => {
    const hosts = [...REFUSED_URLS, ...FINE_URLS].map((url) =>
      (URL.parse(url)?.hostname ?? '').replace(/^\[|\]$/g, ''),
    );
    expect(hosts.length).toBeGreaterThan(300);
    expect(differing(hosts)).toStrictEqual([]);
  });

  it('agrees with it on any address', () => {
    const v6 = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), { minLength: 8, maxLength: 8 });
    const anyAddress = fc.oneof(
      fc.integer().map((bits) => v4Of(bits >>> 0)),
      v6.map(v6Of),
      fc.ipV6(),
      fc.ipV4(),
      fc.integer().map((bits) => `::ffff:${v4Of(bits >>> 0)}`),
    );
    fc.assert(
      fc.property(anyAddress, (address) => {
        expect(addressRange(address)).toBe(judge(address));
      }),
      { numRuns: 2_000 },
    );
  });

  it('calls nothing public that the other library does not', () => {
    const piece = fc.constantFrom(
      '1',
      '8',
      '255',
      '256',
      '01',
      '0x7f',
      '.',
      ':',
      '::',
      'ffff',
      'g',
      '%',
      ' ',
      '[',
      '2001',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const address = pieces.join('');
        if (addressRange(address) === 'public') expect(judge(address)).toBe('public');
      }),
      { numRuns: 2_000 },
    );
  });
});
