/** Why a URL may not be opened, word for word, and what may. */
import { describe, expect, it } from 'vitest';
import { checkNetwork } from '../../../lib/gates/rules/network.ts';
import { hasOddPort, outsideUrlProblem } from '../../../lib/gates/rules/outside-url.ts';
import { factsFor, toolCall, webhookCall } from '../samples.ts';

describe('outsideUrlProblem', () => {
  const user = 'the URL holds a user name or password';
  const form = 'the URL is not in canonical form';
  const host = 'the host of the URL is not in canonical form';
  const characters = 'the URL holds characters that have no place in one';
  const port = 'the port of the URL is that of another service';
  const address = 'the host is an address that may not be called';
  it.each([
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
  ])('refuses %s: %s', (url, problem) => {
    expect(outsideUrlProblem(url)).toBe(problem);
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

  it.each([
    1433, 1521, 1883, 2049, 2181, 2375, 2376, 2379, 3268, 3306, 3389, 4444, 5060, 5432, 5672, 5900, 5984, 5985, 6000,
    6379, 6443, 6667, 7001, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 15672, 27017, 50070,
  ])('refuses the port %i of another service', (port_) => {
    expect(outsideUrlProblem(`https://a.example:${port_}/`)).toBe(port);
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
