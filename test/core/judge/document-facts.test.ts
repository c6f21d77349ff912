/** The words of a stored document that a text sends on become facts, and no fact holds them. */
import { describe, expect, it } from 'vitest';
import { gatherFacts } from '../../../lib/core/judge/gather-facts.ts';
import { documentWords, pictureWords } from '../../../lib/core/signal/picture.ts';
import { CUT } from '../../../lib/core/text/cut-text.ts';
import { buildFileText } from '../../../lib/core/text/file-text.ts';

const HASH = 'a'.repeat(64);
const DOCUMENT = buildFileText('a.pdf', documentWords('pdf', 9, HASH));
const ALLOWED = { hash: 'p', hiddenTools: new Set<string>(), rule: () => ({ tier: 'allow', reason: '' }) as const };

const gather = (text: string, words: string | undefined, to = '7', asked: string[] = []) =>
  gatherFacts(
    { target: 'telegram', to, text, explanation: 'the owner asked for it', author: 'model' },
    {
      stage: 'act',
      now: 1,
      space: 'default',
      reply: { target: 'telegram', to: '8' },
      origin: 'owner',
      setup: {
        secrets: new Map([['KEY', 'a key of nine words']]),
        privacyTags: ['@salary'],
        documentText: async (hash) => {
          asked.push(hash);
          return words;
        },
      },
      state: { policyVersion: 'p', policy: ALLOWED },
    },
  );

describe('gatherFacts, of a document that is sent on', () => {
  it.each([
    ['ordinary words', 'Tea 4.10', { tier: 'allow', policyReason: '', secrets: [] }],
    ['a private tag', '@personal', { tier: 'deny', policyReason: 'the document holds what is marked private' }],
    ['a tag of the space', '@salary', { tier: 'deny', policyReason: 'the document holds what is marked private' }],
    ['a configured secret', 'a key of nine words', { tier: 'allow', secrets: [{ name: 'KEY', field: 'text' }] }],
    ['a cut office file', `${CUT}\n\nTea`, { tier: 'ask', policyReason: 'only the beginning of the document is read' }],
    ['a cut PDF', 'PDF, 9 pages, read up to page 2\n\nTea', { tier: 'ask' }],
    ['bytes that are gone', undefined, { tier: 'allow', policyReason: '', secrets: [] }],
  ])('has no words of it, and judges %s', async (_, words, facts) => {
    const found = await gather(DOCUMENT, words);
    expect(found).toMatchObject(facts);
    expect(JSON.stringify(found)).not.toContain('Tea');
  });

  it('lets whoever is answered have what is private, and what is cut', async () => {
    for (const words of ['@personal', `${CUT}\n\nTea`])
      expect(await gather(DOCUMENT, words, '8')).toMatchObject({ tier: 'allow', isPlainReply: true });
  });

  it.each([
    ['a picture', buildFileText('a.png', pictureWords({ type: 'png', hash: HASH }))],
    ['a text file', buildFileText('a.txt', 'Tea')],
    ['a text that only names it', `Here: ${documentWords('pdf', 9, HASH)}`],
  ])('reads no document for %s', async (_, text) => {
    const asked: string[] = [];
    await gather(text, '@personal', '7', asked);
    expect(asked).toStrictEqual([]);
  });
});
