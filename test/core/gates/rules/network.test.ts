import { describe, expect, it } from 'vitest';
import { checkNetwork, hasOddPort, outsideUrlProblem } from '../../../../lib/core/gates/rules/network.ts';
import type { NetworkFacts } from '../../../../lib/core/signal/facts.ts';
import { fc } from '../../../support/fast-check.ts';
import { missesOf } from '../../../support/misses.ts';
import { factsFor, reply, toolCall, webhookCall } from '../samples.ts';

const PUBLIC = '93.184.215.14';

const check = (url: string, changes: Partial<NetworkFacts> = {}) => {
  const action = webhookCall({ url });
  const network = { isConfigured: true, configuredUrl: url, addresses: [PUBLIC], isLoopbackAllowed: false, ...changes };
  return checkNetwork(action, factsFor(action, { network }));
};
const PASSED = { verdict: 'pass', reason: '' };

describe('checkNetwork', () => {
  it.each([
    'https://hooks.example.com/tickets',
    'https://hooks.example.com:8443/a/b?c=d',
    'https://example.com/',
    'https://xn--bcher-kva.example/',
    'https://93.184.215.14/hook',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hook',
  ])('lets through the configured URL %s', (url) => {
    expect(check(url)).toStrictEqual(PASSED);
  });

  it('has no opinion on texts and tools', () => {
    expect(checkNetwork(reply(), factsFor(reply()))).toStrictEqual(PASSED);
    expect(checkNetwork(toolCall(), factsFor(toolCall()))).toStrictEqual(PASSED);
  });

  it.each([
    ['nothing known', null, 'nothing is known about where this webhook goes'],
    ['an unknown name', { isConfigured: false }, 'no webhook of this name is configured'],
    [
      'another URL',
      { configuredUrl: 'https://hooks.example.com/other' },
      'the URL is not the one configured under this name',
    ],
    ['no address', { addresses: [] }, 'the host has no address'],
  ])('stops a webhook with %s', (_, changes, reason) => {
    const action = webhookCall();
    const facts = factsFor(action);
    const network = changes === null || facts.network === null ? null : { ...facts.network, ...changes };
    expect(checkNetwork(action, { ...facts, network })).toStrictEqual({ verdict: 'block', reason });
  });

  it('stops a webhook without a URL', () => {
    const { url: _, ...action } = webhookCall();
    expect(checkNetwork(action, factsFor(action)).verdict).toBe('block');
  });

  it('stops a URL that is not plain, even where it is configured', () => {
    const misses = missesOf(
      [
        ['https://example.com', 'the URL is not in canonical form'],
        ['https://EXAMPLE.com/', 'the URL is not in canonical form'],
        ['HTTPS://example.com/', 'the URL is not in canonical form'],
        ['https://example.com:443/', 'the URL is not in canonical form'],
        ['https://example.com/a/../b', 'the URL is not in canonical form'],
        ['https:\\\\example.com\\', 'the URL is not in canonical form'],
        [' https://example.com/', 'the URL is not in canonical form'],
        ['https://exa\tmple.com/', 'the URL is not in canonical form'],
        ['https://bücher.example/', 'the URL is not in canonical form'],
        ['https://ｅxample.com/', 'the URL is not in canonical form'],
        ['https://2130706433/', 'the URL is not in canonical form'],
        ['https://0x7f000001/', 'the URL is not in canonical form'],
        ['https://0177.0.0.1/', 'the URL is not in canonical form'],
        ['https://127.1/', 'the URL is not in canonical form'],
        ['https://[::ffff:127.0.0.1]/', 'the URL is not in canonical form'],
        ['https://[0:0:0:0:0:0:0:1]/', 'the URL is not in canonical form'],
        ['https://example.com./', 'the host of the URL is not in canonical form'],
        ['https://user@example.com/', 'the URL holds a user name or password'],
        ['https://user:pass@example.com/', 'the URL holds a user name or password'],
        ['https://example.com@10.0.0.1/', 'the URL holds a user name or password'],
        ['http://example.com/', 'the URL is not https'],
        ['http://localhost/', 'the URL is not https'],
        ['ftp://example.com/', 'the URL is not https'],
        ['file:///etc/passwd', 'the host of the URL is not in canonical form'],
        ['javascript:alert(1)', 'the host of the URL is not in canonical form'],
        ['gopher://example.com/', 'the URL is not https'],
        ['ws://example.com/', 'the URL is not https'],
        ['not a url', 'the URL cannot be read'],
        ['https://', 'the URL cannot be read'],
        ['https://256.1.1.1/', 'the URL cannot be read'],
        ['', 'the URL cannot be read'],
      ],
      ([url, reason]) => {
        expect(check(url)).toStrictEqual({ verdict: 'block', reason });
      },
    );
    expect(misses).toEqual([]);
  });

  const NOT_PUBLIC: readonly (readonly [kind: string, address: string])[] = [
    ['this network', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['Alibaba metadata', '100.100.100.200'],
    ['metadata', '169.254.169.254'],
    ['ECS task metadata', '169.254.170.2'],
    ['link-local', '169.254.0.1'],
    ['Azure wire server', '168.63.129.16'],
    ['IETF protocol', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['6to4 relay', '192.88.99.1'],
    ['benchmarking', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['unique local', 'fc00::1'],
    ['unique local', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['IPv4-mapped private', '::ffff:10.0.0.1'],
    ['IPv4-mapped public', '::ffff:8.8.8.8'],
    ['IPv4-mapped loopback', '::ffff:7f00:1'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-compatible', '::7f00:1'],
    ['IPv4-translated', '::ffff:0:a00:1'],
    ['NAT64', '64:ff9b::a00:1'],
    ['NAT64', '64:ff9b::169.254.169.254'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['6to4', '2002:7f00:1::1'],
    ['6to4', '2002:a9fe:a9fe::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['ORCHID', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['discard', '100::1'],
    ['segment routing', '5f00::1'],
    ['unassigned', '4000::1'],
  ];

  it('stops a host with an address that is not public', () => {
    const misses = missesOf(NOT_PUBLIC, ([, address]) => {
      const reason = 'the host has an address that may not be called (not-public)';
      for (const addresses of [[address], [PUBLIC, address], [address, PUBLIC]]) {
        expect(check('https://example.com/', { addresses })).toStrictEqual({ verdict: 'block', reason });
        expect(check('https://example.com/', { addresses, isLoopbackAllowed: true }).verdict).toBe('block');
      }
    });
    expect(misses).toEqual([]);
  });

  it('stops a URL that is such an address, whatever the resolver says', () => {
    const misses = missesOf(NOT_PUBLIC, ([, address]) => {
      const host = address.includes(':') ? `[${address}]` : address;
      const url = new URL(`https://${host}/`).href;
      expect(check(url).verdict).toBe('block');
    });
    expect(misses).toEqual([]);
  });

  it.each([
    'example.com',
    '',
    '127.1',
    '010.0.0.1',
    '2130706433',
    '0x7f.0.0.1',
    '8.8.8.8 ',
    '8.8.8.8:80',
    'fe80::1%eth0',
    '[::1]',
    '2606:2800::1%1',
  ])('stops an address it cannot read: "%s"', (address) => {
    const reason = 'the host has an address that may not be called (unreadable)';
    expect(check('https://example.com/', { addresses: [address] })).toStrictEqual({ verdict: 'block', reason });
  });

  describe.each(['127.0.0.1', '127.8.9.10', '::1'])('loopback %s', (address) => {
    const host = address.includes(':') ? `[${address}]` : address;
    it.each([
      `https://${host}/`,
      `http://${host}:8080/`,
      'http://localhost:8080/',
      'http://hooks.localhost/',
      'https://example.com/',
    ])('is let through only where it is allowed: %s', (url) => {
      expect(check(url, { addresses: [address], isLoopbackAllowed: true })).toStrictEqual(PASSED);
      expect(check(url, { addresses: [address] }).verdict).toBe('block');
    });
    it('does not make plain http to other hosts possible', () => {
      for (const url of ['http://example.com/', 'http://localhost.example.com/', 'http://127.0.0.1.example.com/']) {
        expect(check(url, { addresses: [address], isLoopbackAllowed: true }).verdict).toBe('block');
      }
    });
    it('makes no other protocol possible', () => {
      for (const url of ['ws://localhost/', 'ftp://localhost/', `gopher://${host}/`]) {
        const verdict = { verdict: 'block', reason: 'the URL is not https' };
        expect(check(url, { addresses: [address], isLoopbackAllowed: true })).toStrictEqual(verdict);
      }
    });
    it('is no way out over plain http', () => {
      expect(check('http://localhost/', { addresses: [address, PUBLIC], isLoopbackAllowed: true }).verdict).toBe(
        'block',
      );
    });
  });

  it('lets no IPv4 address through that is hidden in an IPv6 one', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(byte, byte, byte, byte, (a, b, c, d) => {
        const high = ((a << 8) | b).toString(16);
        const low = ((c << 8) | d).toString(16);
        const forms = [`::ffff:${high}:${low}`, `::${high}:${low}`, `64:ff9b::${high}:${low}`, `2002:${high}:${low}::`];
        for (const address of forms) {
          expect(check('https://example.com/', { addresses: [address] }).verdict).toBe('block');
        }
      }),
    );
  });

  it('never quotes the URL', () => {
    expect(check('https://user:hunter2@example.com/').reason).not.toContain('hunter2');
  });
});

describe('outsideUrlProblem', () => {
  const user = 'the URL holds a user name or password';
  const form = 'the URL is not in canonical form';
  const host = 'the host of the URL is not in canonical form';
  const characters = 'the URL holds characters that have no place in one';
  const port = 'the port of the URL is that of another service';
  const address = 'the host is an address that may not be called';
  it('says what is wrong with a URL', () => {
    const misses = missesOf(
      [
        ['https://a.example /x', characters],
        ['https://a.example/\u200b', characters],
        ['https:\\\\a.example', characters],
        ['nothing', 'the URL cannot be read'],
        ['ftp://a.example/', 'the URL is neither http nor https'],
        ['javascript:alert(1)', 'the URL is neither http nor https'],
        ['https:a.example', form],
        ['https:///a.example', host],
        ['https://user@a.example/', user],
        ['https://user:pw@a.example/', user],
        ['https://:pw@a.example/', user],
        ['https://@a.example/', user],
        ['https://a.example./', host],
        ['https://a%2eexample/', host],
        ['https://ä.evil%2ecom/', host],
        ['https://ä.ev\ufe0fil.com/', host],
        ['https://ä。example/', host],
        ['https://ä.example./', host],
        ['https://%c3%a4.example/', host],
        ['https://ﬁ.ä.example/', host],
        ['https://ａ.example/', host],
        ['https://2130706433/', host],
        ['https://0x7f.1/', host],
        ['https://a.example:22/', port],
        ['https://a.example:1023/', port],
        ['https://a.example:6379/', port],
        ['https://a.example:27017/', port],
        ['https://127.0.0.1/', `${address} (loopback)`],
        ['https://10.0.0.1/', `${address} (not-public)`],
        ['https://[::1]/', `${address} (loopback)`],
        ['https://[fd00::1]/', `${address} (not-public)`],
        ['https://localhost/', 'the host is a name inside a network'],
        ['https://a/https://b.example', 'the host is a name inside a network'],
      ],
      ([url, problem]) => {
        expect(outsideUrlProblem(url)).toBe(problem);
      },
    );
    expect(misses).toEqual([]);
  });

  it.each([
    'https://a.example',
    'http://a.example/x?y#z',
    'HTTPS://A.EXAMPLE/',
    'https://a.example/?u=https://b@c',
    'https://a.example:1024/',
    'https://ä.example/',
    'https://Ä.EXAMPLE:8443/',
    'https://straße.example/',
    'https://xn--4ca.example/',
    'https://xn--4ca.ö.example/',
    'https://93.184.215.14/',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    ...[80, 443, 3000, 5000, 8000, 8008, 8080, 8081, 8443, 8888, 9000, 9443].map(
      (port) => `https://a.example:${port}/`,
    ),
  ])('lets %s be opened', (url) => {
    expect(outsideUrlProblem(url)).toBeUndefined();
  });

  it('refuses the ports of other services', () => {
    const misses = missesOf(
      [
        1433, 1521, 1883, 2049, 2181, 2375, 2376, 2379, 3268, 3306, 3389, 4444, 5060, 5432, 5672, 5900, 5984, 5985,
        6000, 6379, 6443, 6667, 7001, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 15672, 27017, 50070,
      ],
      (port_) => {
        expect(outsideUrlProblem(`https://a.example:${port_}/`)).toBe(port);
      },
    );
    expect(misses).toEqual([]);
  });
});

describe('hasOddPort', () => {
  it.each([
    ['https://a.example/', false],
    ['http://a.example:443/', false],
    ['https://a.example:80/', false],
    ...[3000, 5000, 8000, 8008, 8080, 8081, 8443, 8888, 9000, 9443].map(
      (port) => [`https://a.example:${port}/`, false] as const,
    ),
    ['https://a.example:4000/', true],
    ['https://a.example:8082/', true],
    ['nothing', false],
  ] as const)('judges %s: %j', (url, isOdd) => {
    expect(hasOddPort(url)).toBe(isOdd);
  });
});

describe('checkNetwork', () => {
  const opened = (args: object, changes: object = {}) => {
    const action = toolCall({ tool: 'fetch-url', args: { ...args }, ...changes });
    return checkNetwork(action, factsFor(action));
  };
  it('says what is wrong with a URL to open, and asks about odd ports', () => {
    const none = { verdict: 'block', reason: 'there is no URL to open' };
    expect(opened({})).toStrictEqual(none);
    expect(opened({ url: 5 })).toStrictEqual(none);
    const { args: _args, ...bare } = toolCall({ tool: 'fetch-url' });
    expect(checkNetwork(bare, factsFor(bare))).toStrictEqual(none);
    expect(opened({ url: 'https://a.example:4000/' })).toStrictEqual({
      verdict: 'ask',
      reason: 'the port of the URL is not one of a web server',
    });
    expect(opened({ url: 'https://a.example/' }).verdict).toBe('pass');
    expect(opened({ url: 'https://localhost/' })).toStrictEqual({
      verdict: 'block',
      reason: 'the host is a name inside a network',
    });
  });

  it('judges no webhook by the arguments of another tool', () => {
    const action = webhookCall({ tool: 'fetch-url', args: { url: 'https://localhost/' } });
    expect(checkNetwork(action, factsFor(action)).verdict).toBe('pass');
    const { url: _url, ...unnamed } = webhookCall();
    const network = { isConfigured: true, configuredUrl: '', addresses: ['93.184.215.14'], isLoopbackAllowed: false };
    expect(checkNetwork(unnamed, factsFor(unnamed, { network }))).toStrictEqual({
      verdict: 'block',
      reason: 'the URL is not the one configured under this name',
    });
  });

  it('refuses a password in a configured URL', () => {
    const action = webhookCall({ url: 'https://:pw@hooks.example.com/' });
    expect(checkNetwork(action, factsFor(action))).toStrictEqual({
      verdict: 'block',
      reason: 'the URL holds a user name or password',
    });
  });
});
