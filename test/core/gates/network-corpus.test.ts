/** The network gate over URLs of every disguise, for the tool that opens them and for webhooks. */

import { describe, expect, it } from 'vitest';
import { checkNetwork } from '../../../lib/core/gates/rules/network.ts';
import { fc } from '../../support/fast-check.ts';
import { factsFor, toolCall, webhookCall } from './samples.ts';
import { FINE_URLS, REFUSED_URLS } from './url-corpus.ts';

const opened = (url: string) => {
  const action = toolCall({ tool: 'fetch-url', args: { url } });
  return checkNetwork(action, factsFor(action)).verdict;
};
const called = (url: string, configuredUrl = url, addresses = ['93.184.215.14']) => {
  const action = webhookCall({ url });
  const network = { isConfigured: true, configuredUrl, addresses, isLoopbackAllowed: false };
  return checkNetwork(action, factsFor(action, { network })).verdict;
};

describe('checkNetwork over the corpus', () => {
  it('refuses what is disguised or inside, and nothing else', () => {
    const missed = REFUSED_URLS.filter((url) => opened(url) !== 'block');
    const wronged = FINE_URLS.filter((url) => opened(url) !== 'pass');
    const found = REFUSED_URLS.length - missed.length;
    const precision = found / (found + wronged.length);
    const recall = found / REFUSED_URLS.length;
    const line = `URLs: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} (${REFUSED_URLS.length} to refuse, ${FINE_URLS.length} fine)`;
    process.stdout.write(`${line}\n`);
    expect({ missed, wronged }, line).toStrictEqual({ missed: [], wronged: [] });
  });

  it('is large enough to mean something', () => {
    expect(new Set(REFUSED_URLS).size).toBeGreaterThanOrEqual(150);
    expect(new Set(FINE_URLS).size).toBeGreaterThanOrEqual(150);
  });

  it('asks a person about ports that say nothing', () => {
    expect(opened('https://example.com:4711/')).toBe('ask');
    expect(opened('http://10.0.0.1:4711/')).toBe('block');
  });

  it('calls no webhook at any of them when another URL is configured', () => {
    const isCalled = (url: string): boolean => called(url, 'https://hooks.example.com/tickets') !== 'block';
    expect([...REFUSED_URLS, ...FINE_URLS].filter(isCalled)).toStrictEqual([]);
  });

  it('refuses them as webhooks even where someone configured them, but for ports, which configuration may choose', () => {
    const isLet = (url: string): boolean => called(url) !== 'block' && URL.parse(url)?.port === '';
    expect(REFUSED_URLS.filter(isLet)).toStrictEqual([]);
  });

  it('refuses a configured webhook whose answer mixes public and inside addresses', () => {
    const inside = fc.constantFrom(
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '::1',
      '::ffff:10.0.0.1',
      'fd00::1',
      '2002:7f00:1::',
    );
    const open = fc.array(fc.constantFrom<string>('93.184.215.14', '8.8.8.8', '2606:4700:4700::1111'));
    fc.assert(
      fc.property(open, inside, fc.nat(3), (addresses, bad, at) => {
        expect(called('https://hooks.example.com/tickets', undefined, addresses.toSpliced(at, 0, bad))).toBe('block');
      }),
    );
  });

  it('blocks a tool that opens nothing readable', () => {
    for (const args of [{}, { url: 1 }, { url: null }, { url: ['https://example.com/'] }]) {
      const action = toolCall({ tool: 'fetch-url', args });
      expect(checkNetwork(action, factsFor(action)).verdict).toBe('block');
    }
  });
});
