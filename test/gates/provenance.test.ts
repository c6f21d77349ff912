/** A reply made from outside text may repeat the links it read, and no others (I13). */
import { describe, expect, it } from 'vitest';
import { GATE_SET } from '../../lib/gates/gate-set.ts';
import { checkProvenance } from '../../lib/gates/provenance.ts';
import { urlsIn } from '../../lib/gates/urls-in-text.ts';
import { verifyFully } from '../../lib/gates/verify.ts';
import type { Action } from '../../lib/signal/action.ts';
import { factsFor, notice, reply, toolCall, webhookCall } from './samples.ts';

const NOTE = '\n\n(Links that stand nowhere in what I read are shown so that they cannot be opened.)';
const READ = new Set(['https://news.example/story', 'www.example.com/known']);
const tainted = (action: Action) =>
  factsFor(action, { origin: 'outside', knownUrls: [...urlsIn(action.text ?? '')].filter((url) => READ.has(url)) });
const changed = (text: string) => {
  const action = reply({ text });
  const verdict = checkProvenance(action, tainted(action));
  return verdict.verdict === 'modify' ? verdict.action.text : verdict.verdict;
};

describe('checkProvenance on replies made from outside text', () => {
  it.each([
    'The story is at https://news.example/story.',
    'It is [here](https://news.example/story), or www.example.com/known',
    'No link at all, and a file lib/a.ts.',
  ])('lets through: %s', (text) => {
    expect(changed(text)).toBe('pass');
  });

  it.each([
    ['See https://evil.example/?d=42', 'See hxxps://evil[.]example/?d=42'],
    ['https://news.example/story?d=42', 'hxxps://news[.]example/story?d=42'],
    ['[https://news.example/story](https://evil.example)', '[https://news.example/story](hxxps://evil[.]example)'],
    ['![x](http://evil.example/a.png)', '![x](hxxp://evil[.]example/a[.]png)'],
    ['www.evil.example and evil.example/x', 'www[.]evil[.]example and evil[.]example/x'],
    ['https://NEWS.example/story', 'hxxps://NEWS[.]example/story'],
  ])('disarms %s', (text, expected) => {
    expect(changed(text)).toBe(`${expected}${NOTE}`);
  });

  it('says once that links are disarmed, and why', () => {
    const action = reply({ text: `See https://evil.example/x${NOTE}` });
    expect(checkProvenance(action, tainted(action))).toStrictEqual({
      verdict: 'modify',
      reason: 'made from outside text, it holds a link that stands nowhere in what was read',
      action: { ...action, text: `See hxxps://evil[.]example/x${NOTE}` },
    });
    expect(changed(`${NOTE} https://evil.example/x`)).toBe(`${NOTE} hxxps://evil[.]example/x${NOTE}`);
  });

  it('leaves owners, notices and calls to the other rules', () => {
    const text = 'See https://evil.example/?d=42';
    const own = reply({ text });
    expect(checkProvenance(own, factsFor(own)).verdict).toBe('pass');
    expect(checkProvenance(notice({ text }), factsFor(notice({ text }), { origin: 'outside' })).verdict).toBe('pass');
    expect(checkProvenance(webhookCall(), factsFor(webhookCall(), { origin: 'outside' })).verdict).toBe('ask');
  });

  it('disarms links in what is kept in notes too, and leaves those that were read', () => {
    const note = {
      text: 'See https://evil.example/?d=42 or https://news.example/story',
      tags: ['a', 'x.evil.example'],
    };
    const action = toolCall({ tool: 'remember', args: note });
    const verdict = checkProvenance(action, factsFor(action, { origin: 'outside', knownUrls: [...READ] }));
    expect(verdict.verdict === 'modify' ? verdict.action.args : verdict).toStrictEqual({
      text: 'See hxxps://evil[.]example/?d=42 or https://news.example/story',
      tags: ['a', 'x[.]evil[.]example'],
    });
    const plain = toolCall({ tool: 'recall', args: { query: 'https://evil.example/?d=42' } });
    expect(checkProvenance(plain, factsFor(plain, { origin: 'outside' })).verdict).toBe('pass');
    expect(checkProvenance(action, factsFor(action)).verdict).toBe('pass');
  });

  it('settles after one change, and says so in the trace', async () => {
    const result = await verifyFully(GATE_SET, reply({ text: 'See https://evil.example/?d=42' }), (action) =>
      Promise.resolve(tainted(action)),
    );
    expect(result.outcome).toBe('pass');
    expect(result.action.text).toBe(`See hxxps://evil[.]example/?d=42${NOTE}`);
    expect(result.facts.length).toBe(2);
    expect(result.trace.filter(({ verdict }) => verdict !== 'pass').map(({ gate }) => gate)).toStrictEqual([
      'provenance',
    ]);
  });
});
