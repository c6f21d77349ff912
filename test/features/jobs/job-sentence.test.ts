/** The sentence of a card that makes or changes a job names its rule and its work. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { actionSentence } from '../../../lib/core/tools/action-sentence.ts';
import { JOB } from '../../core/tools/calls.ts';

const sentenceOf = (tool: string, args: JsonObject): string => actionSentence({ target: 'tool', tool, args });

describe('actionSentence', () => {
  it.each([
    [{ kind: 'once', at: '2026-11-24T09:00', zone: 'Europe/Berlin' }, 'On 2026-11-24 at 09:00 (Europe/Berlin)'],
    [{ kind: 'every', minutes: 60, from: 0 }, 'Every hour'],
    [{ kind: 'every', minutes: 2_880, from: 0 }, 'Every 2 days'],
    [{ kind: 'cron', cron: '0 8 * * 1-5', zone: 'UTC' }, 'At 08:00, Mon–Fri (UTC)'],
    [{ kind: 'cron', cron: '0 8 * * MON-fri', zone: 'UTC' }, 'At 08:00, Mon–Fri (UTC)'],
    [{ kind: 'cron', cron: '*/7 8 * * 1-5', zone: 'UTC' }, 'At the times “*/7 8 * * 1-5” (UTC)'],
    [{ kind: 'event', source: 'ci', event: 'a” done' }, 'At each event “a" done” of the webhook ci'],
    [
      { kind: 'condition', holds: 'facts.approvalsWaiting > 3', minutes: 5, from: 0 },
      'Whenever “facts.approvalsWaiting > 3” becomes true',
    ],
  ])('names the rule of a job: %o', (when, words) => {
    const work = { kind: 'prompt', text: 'Check the deploys' };
    expect(sentenceOf('schedule-job', { ...JOB, when, work })).toBe(
      `${words}: work on “Check the deploys” (job drink-water)`,
    );
  });

  it('names each step of a job, and a change of one', () => {
    const steps = [{ say: 'hello' }, { tool: 'call-webhook', args: { webhook: 'shop', body: {} } }];
    const work = { kind: 'steps', steps };
    expect(sentenceOf('schedule-job', { ...JOB, work, replaces: 2 })).toBe(
      'Change the job drink-water. Every 5 minutes: say “hello”, then call the webhook shop',
    );
  });
});
