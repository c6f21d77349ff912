import { describe, expect, it } from 'vitest';
import { completeJob } from '../../lib/jobs/complete-job.ts';
import { JobDraft } from '../../lib/jobs/job-draft.ts';
import { parseJobLine } from '../../lib/jobs/parse-job-line.ts';
import { eventInLine } from '../../lib/text/event-word.ts';
import { fc } from '../support/fast-check.ts';

/** The job of the line that a button types. */
const jobOf = (named: string, behind: string) => {
  const draft = JobDraft.parse(parseJobLine(`add-it event ${named}${behind}`));
  return completeJob(draft, { zone: 'UTC', here: { target: 'console', to: 'main' }, now: 0 });
};

describe('eventInLine', () => {
  it.each([
    ['pull_request.opened', 'hub/pull_request.opened'],
    ['orders/create', 'hub/orders/create'],
    ['Issue Hook', '"hub/Issue Hook"'],
    ['ends:', '"hub/ends:"'],
    ['Bestellung für Ä', '"hub/Bestellung für Ä"'],
    ['say "hi" --approve-whole', undefined],
    ['two\nlines', undefined],
    ['\u202eback', undefined],
    [' begins', undefined],
    ['x'.repeat(65), undefined],
    ['', undefined],
  ])('writes %j', (event, expected) => {
    expect(eventInLine('hub', event)).toBe(expected);
  });

  it('makes a job for that event alone, and nothing else of what its sender wrote', () => {
    const names = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 70 }), fc.stringMatching(/^[\w.:/ "“{}=-]{1,70}$/));
    fc.assert(
      fc.property(names, (event) => {
        const named = eventInLine('hub', event);
        if (named === undefined) return;
        const job = jobOf(named, ': Look');
        expect(job).toStrictEqual({ ...jobOf('hub/x', ': Look'), when: { kind: 'event', source: 'hub', event } });
      }),
    );
  });
});
