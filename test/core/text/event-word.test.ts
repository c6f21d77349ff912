import { describe, expect, it } from 'vitest';
import {
  countKinds,
  eventsOf,
  isNameable,
  isNamedEvent,
  isPing,
  KIND_WORDS,
  kindOf,
} from '../../../lib/core/text/event-word.ts';
import { completeJob } from '../../../lib/features/jobs/complete-job.ts';
import { JobDraft } from '../../../lib/features/jobs/job-draft.ts';
import { fc } from '../../support/fast-check.ts';

describe('isNameable', () => {
  it.each([
    ['pull_request.opened', true],
    ['Bestellung für Ä', true],
    ['say "hi" --approve-whole', true],
    ['push,release', false],
    ['two\nlines', false],
    ['\u202eback', false],
    [' begins', false],
    ['x'.repeat(65), false],
    ['', false],
  ])('says of %j: %s', (event, expected) => {
    expect(isNameable(event)).toBe(expected);
  });

  it('lets a job wait for that event alone, and nothing else of what its sender wrote', () => {
    const names = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 70 }), fc.stringMatching(/^[\w.:/ "“{}=-]{1,70}$/));
    fc.assert(
      fc.property(names, fc.string(), (event, other) => {
        if (!isNameable(event) || kindOf(event) === 'firing') return;
        const draft = JobDraft.parse({ name: 'add-it', event: `hub/${eventsOf(kindOf(event))}`, prompt: 'Look' });
        const { when } = completeJob(draft, { zone: 'UTC', here: { target: 'console', to: 'main' }, now: 0 });
        expect(when).toStrictEqual({ kind: 'event', source: 'hub', event });
        expect(isNamedEvent(event, event)).toBe(true);
        expect(isNamedEvent(event, other)).toBe(other === event);
      }),
    );
  });
});

describe('isNamedEvent', () => {
  it.each([
    [undefined, 'push', true],
    ['firing,resolved', 'resolved', true],
    ['firing,resolved', 'firing', true],
    ['a,b', 'a,b', true],
    ['firing', 'resolved', false],
  ])('says of a job for %s and the event %s: %s', (named, event, expected) => {
    expect(isNamedEvent(named, event)).toBe(expected);
  });
});

describe('isPing', () => {
  it.each(['ping', 'PING', 'diagnostics:ping', 'webhook.ping'])('knows %s', (event) => {
    expect(isPing(event)).toBe(true);
  });
  it.each(['shipping', 'ping.failed', 'pinged', 'stopping'])('takes %s for an event', (event) => {
    expect(isPing(event)).toBe(false);
  });
});

describe('countKinds', () => {
  const times = (count: number, event: string | undefined) => Array.from({ length: count }, () => event);
  it.each([
    ['the most frequent first', [...times(3, 'pull_request.opened'), ...times(6, 'push')], '6 pushes, 3 pull requests'],
    ['one name for all that befell a thing', ['issue.opened', 'issue.closed', 'delivery'], '2 issues, 1 delivery'],
    [
      'as they are counted',
      [...times(2, 'delivery'), ...times(2, 'firing'), ...times(2, 'ring')],
      '2 deliveries, 2 firing, 2 rings',
    ],
    ['what tells of no event', [...times(2, undefined), 'failure'], '2 texts, 1 failure'],
    ['few kinds', ['a', 'b', 'c', 'd', 'e', 'f'], '1 a, 1 b, 1 c, 1 d, 2 more'],
    ['no name that is not plain', ['[x](https://evil.example)', 'a\nb', 'x'.repeat(25), '\u202eb'], '4 others'],
  ])('names %s', (_name, events, words) => {
    expect(countKinds(KIND_WORDS, events)).toBe(words);
  });
});
