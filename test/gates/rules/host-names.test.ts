/** A host judged by its name alone: each reason, and the nearest name that has none. */
import { describe, expect, it } from 'vitest';
import { hostNameProblem } from '../../../lib/gates/rules/host-names.ts';

const INSIDE = 'the host is a name inside a network';
const METADATA = 'the host is a metadata service';
const REBINDING = 'the host answers with an address that anyone may choose';
const LETTERS = 'the host is written in letters that look like others';
const IMITATES = 'the host imitates a well-known name';
const ANOTHER = 'the host holds the name of another host';

describe('hostNameProblem', () => {
  const refused: readonly (readonly string[])[] = [
    ...['metadata.google.internal', 'instance-data', 'metadata', 'rancher-metadata'].map((host) => [host, METADATA]),
    ...['localhost', 'printer', ''].map((host) => [host, INSIDE]),
    ...'localhost local localdomain internal intranet private corp home lan arpa onion i2p test invalid alt'
      .split(' ')
      .map((end) => [`a.${end}`, INSIDE]),
    ...'nip.io sslip.io xip.io localtest.me lvh.me vcap.me lacolhost.com traefik.me rbndr.us 1u.ms'
      .split(' ')
      .flatMap((end) => [
        [end, REBINDING],
        [`10.0.0.1.${end}`, REBINDING],
      ]),
    ['xn--80ak6aa92e.com', LETTERS],
    ['www.xn--pple-43d.com', LETTERS],
    ...'0penai g1thub g1tlab netfl1x l1nkedin 1inkedin wh4tsapp c1oudflare paypa1 rnicrosoft arnazon goog1e faceb00k 7witter'
      .split(' ')
      .map((label) => [`${label}.example`, IMITATES]),
    ['telegrarn.org', IMITATES],
    ['tvvitter.com', IMITATES],
    ['openai.com.evil.net', ANOTHER],
    ['openai.net.evil.net', ANOTHER],
    ['a.org.b.example', ANOTHER],
    ['openai-com.evil.net', ANOTHER],
    ['login-paypal-com.evil.net', ANOTHER],
    ['a.com-login.evil.net', ANOTHER],
    ['a.net-x.example', ANOTHER],
    ['a.com.b.br', ANOTHER],
    ['openai.com.evil', ANOTHER],
    [new URL('https://жabc.example').hostname, LETTERS],
    [new URL('https://ɑpple.example').hostname, LETTERS],
  ];
  it.each(refused.map(([host = '', problem]) => [host, problem] as const))('refuses %s: %s', (host, problem) => {
    expect(hostNameProblem(host)).toBe(problem);
  });

  it.each(
    (
      'example.com openai.com www.github.com example.com.br example.org.uk com.example net.example.com glthub.com netflex.com g1traffic.com p1.example paypal-comet.example a.telecom-x.example a.commons.example ' +
      'xn--mnchen-3ya.de xn--fiqs8s.cn localhost.com metadata.example.com nip.io.example.com internal.example.com ' +
      'a.com.s3.amazonaws.com b.org.cloudfront.net c.net.storage.googleapis.com d.com.edgekey.net my-com.example ' +
      'x-com.evil.net paypals.com communet.example org-chart.example a.community.example modern.example'
    ).split(' '),
  )('lets %s pass', (host) => {
    expect(hostNameProblem(host)).toBeUndefined();
  });
});
