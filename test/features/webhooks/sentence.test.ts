/** The sentence of a webhook's call, also as a step of something else. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { actionSentence } from '../../../lib/core/tools/action-sentence.ts';
import { JOB } from '../../core/tools/calls.ts';
import { fc } from '../../support/fast-check.ts';

const sentenceOf = (tool: string, args: JsonObject): string => actionSentence({ target: 'tool', tool, args });

describe('the sentence of a call of a webhook', () => {
  it('names its webhook and its fields', () => {
    const args = { body: { version: '1.2' } };
    expect(actionSentence({ target: 'webhook', tool: 'call-webhook', to: 'deploy', args })).toBe(
      'Call the webhook deploy: version “1.2”',
    );
  });

  it('stands in that of a job, and of a plan', () => {
    const steps = [{ say: 'hello' }, { tool: 'call-webhook', args: { webhook: 'shop', body: {} } }];
    expect(sentenceOf('schedule-job', { ...JOB, work: { kind: 'steps', steps }, replaces: 2 })).toBe(
      'Change the job drink-water. Every 5 minutes: say “hello”, then call the webhook shop',
    );
    const plan = [
      { tool: 'call-webhook', args: { webhook: 'shop', body: { ref: 'main' } } },
      { tool: 'call-webhook', args: { webhook: 'shop', body: {} }, times: 3 },
    ];
    expect(sentenceOf('propose-plan', { steps: plan })).toBe(
      'Let these pass in this task: 1. Call the webhook shop: ref “main”; 2. Call the webhook shop (up to 3 times)',
    );
  });

  it('lets no field close its quotes, add a line or hide', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('a', ' ', '”', '“', '\n', '\r', '\u2028', '\u202e', '\u200b', '»'),
    });
    fc.assert(
      fc.property(hostile, (text) => {
        const sentence = sentenceOf('call-webhook', { webhook: 'shop', body: { a: text, b: text } });
        expect(sentence).toMatch(/^Call the webhook shop: a “[^“”]*”, b “[^“”]*”$/u);
        expect(sentence).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
