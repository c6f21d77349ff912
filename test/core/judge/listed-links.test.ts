import { describe, expect, it } from 'vitest';
import { listedLinks, parseEventLinkHosts } from '../../../lib/core/judge/listed-links.ts';

const parsed = parseEventLinkHosts('github=github.com, ci=ci.example:8443,github=gist.github.com');
const HOSTS = typeof parsed === 'string' ? new Map() : parsed;

const event = (body: object, source = 'github') => {
  const text = [{ text: JSON.stringify(body), origin: 'outside' as const }];
  return { sensor: 'webhook', source, event: 'issues', body: {}, text } as const;
};
const A = 'https://github.com/acme/app/issues/7';

describe('listedLinks', () => {
  it('gives the links of the event to listed hosts, exactly as the event has them', () => {
    const body = { a: A, b: `see ${A}/x\n<https://gist.github.com/1>`, c: 'https://ci.example:8443/x', again: A };
    expect(listedLinks(event(body), '', HOSTS)).toStrictEqual([A, `${A}/x`, 'https://gist.github.com/1']);
  });

  it.each([
    'http://github.com/x',
    'https://GitHub.com/x',
    'https://u:p@github.com/x',
    'https://github.com.evil.example/x',
    'https://github.com:8443/x',
    'https://evil.example/?u=https://github.com/x',
    'https://github.com/a/../b',
    'https://github.com/\u043e',
    'https://api.github.com/x',
    'https://github.com',
  ])('gives none of %s', (link) => {
    expect(listedLinks(event({ link }), '', HOSTS)).toStrictEqual([]);
  });

  it('gives none of other sources, of messages, or without a list', () => {
    expect(listedLinks(event({ A }, 'ci'), '', HOSTS)).toStrictEqual([]);
    expect(listedLinks(event({ A }), '')).toStrictEqual([]);
    const text = [{ text: A, origin: 'outside' as const }];
    expect(listedLinks({ sensor: 'chat-message', text }, '', HOSTS)).toStrictEqual([]);
  });

  it('gives the one that an earlier answer of the turn showed, once there is one', () => {
    const rootPayload = event({ list: [A, `${A}/x`, `${A}/y`] });
    expect(listedLinks(rootPayload, `First ${A}/x.`, HOSTS)).toStrictEqual([`${A}/x`]);
    expect(listedLinks(rootPayload, 'Nothing yet.', HOSTS).length).toBe(3);
  });

  it('gives the first one said, and no longer one that was said after it', () => {
    const rootPayload = event({ list: [`${A}/6`, `${A}/14`, `${A}/100`] });
    const said = `${A}/6 ${A}/14\n${A}/100`;
    expect(listedLinks(rootPayload, said, HOSTS)).toStrictEqual([`${A}/6`]);
  });
});

describe('parseEventLinkHosts', () => {
  it('reads sources and hosts', () => {
    expect(parsed).toStrictEqual(
      new Map([
        ['github', new Set(['github.com', 'gist.github.com'])],
        ['ci', new Set(['ci.example:8443'])],
      ]),
    );
    expect(parseEventLinkHosts(undefined)).toStrictEqual(new Map());
  });

  it.each([
    'github.com',
    'github=',
    'github=https://github.com',
    'github=*.github.com',
    'github=GitHub.com',
    'a b=c.example',
    'x=c.example:443',
  ])('refuses %s', (text) => {
    expect(parseEventLinkHosts(text)).toBe('must be source=host, as in github=github.com,ci=ci.example');
  });
});
