/** A host judged by its name alone: each reason, and the nearest name that has none. */

import { describe, expect, it } from 'vitest';
import { decodeLabel, hostNameProblem } from '../../../../lib/core/gates/rules/host-names.ts';
import { missesOf } from '../../../support/misses.ts';

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
  it('refuses each host with its reason', () => {
    const misses = missesOf(
      refused.map(([host = '', problem]) => [host, problem] as const),
      ([host, problem]) => {
        expect(hostNameProblem(host)).toBe(problem);
      },
    );
    expect(misses).toEqual([]);
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

/** Hosts as a person would see them: the samples of RFC 3492 and what is none. */

describe('decodeLabel', () => {
  it.each([
    ['xn--mnchen-3ya', 'münchen'],
    ['xn--bcher-kva', 'bücher'],
    ['xn--fiqs8s', '中国'],
    ['xn--p1ai', 'рф'],
    ['xn--e1afmkfd', 'пример'],
    ['xn--80ak6aa92e', 'аррӏе'],
    ['xn--ihqwcrb4cv8a8dqg056pqjye', '他们为什么不说中文'],
    ['xn--egbpdaj6bu4bxfgehfvwxn', 'ليهمابتكلموشعربي؟'],
    ['xn--4dbcagdahymbxekheh6e0a7fei0b', 'למההםפשוטלאמדבריםעברית'],
    ['xn--n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa', 'なぜみんな日本語を話してくれないのか'],
    ['xn--porqunopuedensimplementehablarenespaol-fmd56a', 'porquénopuedensimplementehablarenespañol'],
    ['xn--3b-ww4c5e180e575a65lsy2b', '3年b組金八先生'],
    ['xn--e28h', '😀'],
    ['xn--ls8h', '💩'],
    ['xn--dn32g', '\u{10ffff}'],
    ['xn--tda', 'ü'],
    ['xn--a-', 'a'],
    ['xn--', ''],
  ])('reads %s as %s', (label, letters) => {
    expect(decodeLabel(label)).toBe(letters);
  });

  it.each([
    'plain',
    'xn-mnchen-3ya',
    'XN--mnchen-3ya',
    'axn--mnchen-3ya',
    'xn--a-é',
    'xn--mnchen-3y',
    'xn---',
    'xn--99999999',
    'xn--en32g',
    'xn--zzzzzz99',
    `xn--${'a'.repeat(60)}`,
  ])('gives %s back as it is', (label) => {
    expect(decodeLabel(label)).toBe(label);
  });

  it('reads a label of 63 characters and none longer', () => {
    const longest = `xn--${'a'.repeat(55)}-tda`;
    expect(longest).toHaveLength(63);
    expect(decodeLabel(longest)).not.toBe(longest);
    expect(decodeLabel(`xn--${'a'.repeat(56)}-tda`)).toBe(`xn--${'a'.repeat(56)}-tda`);
  });
});
