import { describe, expect, it } from 'vitest';
import { describeJob, describeOccurrence } from '../../../lib/features/jobs/describe-job.ts';
import { describeJobShortly, describeJobs } from '../../../lib/features/jobs/describe-jobs.ts';
import { momentLines, ruleWords } from '../../../lib/features/jobs/describe-rule.ts';
import type { Job, JobDefinition, When } from '../../../lib/features/jobs/job.ts';
import { jobTexts } from '../../../lib/features/jobs/job-texts.ts';
import type { Occurrence } from '../../../lib/features/jobs/occurrence.ts';

const EN = jobTexts.en;
const NOW = Date.parse('2026-11-23T06:10:00Z');
const context = { zone: 'Europe/Berlin', now: NOW };

const morning: JobDefinition = {
  name: 'morning',
  when: { kind: 'cron', cron: '0 8 * * 1-5', zone: 'Europe/Berlin' },
  work: { kind: 'prompt', text: 'Check the deploys' },
  to: [{ target: 'telegram', to: '7' }],
  catchUp: { mode: 'once', minutes: 360, runs: 1 },
  overlap: 'skip',
  spreadSeconds: 0,
  pauseAfter: 5,
  promises: 'reply',
};

describe('describeJob', () => {
  it('shows every field, the next five moments and the permissions', () => {
    expect(describeJob(EN, morning, context)).toStrictEqual([
      'When: cron 0 8 * * 1-5 on the clock of Europe/Berlin, 08:00, Mon–Fri',
      'Next: Mon 2026-11-23 08:00 (07:00 UTC)',
      '      Tue 2026-11-24 08:00 (07:00 UTC)',
      '      Wed 2026-11-25 08:00 (07:00 UTC)',
      '      Thu 2026-11-26 08:00 (07:00 UTC)',
      '      Fri 2026-11-27 08:00 (07:00 UTC)',
      'It asks the model: Check the deploys',
      'Result goes to: telegram 7',
      'If a run was missed: the newest one runs if it is at most 6 h late',
      'If the run before has not ended: it is skipped',
      'Start: at its moment',
      'Pause: by itself after 5 failures in a row',
      'Cap: that of all jobs',
      'Promise: a reply; a run without one is reported as having done nothing',
      'It may read, remember and write to telegram 7; anything else asks you each time, unless a grant for job:morning covers it.',
    ]);
  });

  it('shows the same in German', async () => {
    expect(describeJob(await jobTexts.in('de'), morning, context)).toStrictEqual([
      'Wann: cron 0 8 * * 1-5 nach der Uhr von Europe/Berlin, 08:00, Mo–Fr',
      'Termine: Mo 2026-11-23 08:00 (07:00 UTC)',
      '         Di 2026-11-24 08:00 (07:00 UTC)',
      '         Mi 2026-11-25 08:00 (07:00 UTC)',
      '         Do 2026-11-26 08:00 (07:00 UTC)',
      '         Fr 2026-11-27 08:00 (07:00 UTC)',
      'Er fragt das Modell: Check the deploys',
      'Ergebnis geht an: telegram 7',
      'Wenn ein Lauf verpasst wurde: der neueste läuft, wenn er höchstens 6 h zu spät ist',
      'Wenn der Lauf davor nicht zu Ende ist: er wird ausgelassen',
      'Beginn: zu seinem Termin',
      'Pause: von selbst, wenn er 5-mal nacheinander scheitert',
      'Grenze: die aller Aufträge',
      'Versprechen: eine Antwort; ein Lauf ohne sie wird als wirkungslos gemeldet',
      'Er darf ohne Frage: lesen, sich merken und schreiben an telegram 7; alles andere wird jedes Mal gefragt, wenn es keine Erlaubnis für job:morning deckt.',
    ]);
  });

  it('says of a paused job that its moments wait for a resume', () => {
    const next = 'Next, once it is resumed: Mon 2026-11-23 08:00 (07:00 UTC)';
    expect(describeJob(EN, morning, { ...context, isPaused: true })[1]).toBe(next);
  });

  it('shows what a change changes, with the value before', () => {
    const steps: JobDefinition['work'] = {
      kind: 'steps',
      steps: [{ say: 'Hello' }, { tool: 'call-webhook', args: { webhook: 'shop', body: { a: 1 } } }],
    };
    const changed: JobDefinition = {
      ...morning,
      when: { kind: 'every', minutes: 90, from: NOW },
      work: steps,
      to: [],
      catchUp: { mode: 'all', minutes: 1_440, runs: 3 },
      overlap: 'queue',
      spreadSeconds: 90,
      pauseAfter: 0,
      capUsd: 500_000,
      promises: 'nothing',
    };
    expect(describeJob(EN, changed, context, morning)).toStrictEqual([
      'CHANGED When: every 90 min from Mon 2026-11-23 07:10 (06:10 UTC) (before: cron 0 8 * * 1-5 on the clock of Europe/Berlin, 08:00, Mon–Fri)',
      'Next: Mon 2026-11-23 08:40 (07:40 UTC)',
      '      Mon 2026-11-23 10:10 (09:10 UTC)',
      '      Mon 2026-11-23 11:40 (10:40 UTC)',
      '      Mon 2026-11-23 13:10 (12:10 UTC)',
      '      Mon 2026-11-23 14:40 (13:40 UTC)',
      'CHANGED Step 1: says: Hello (before: nothing)',
      'CHANGED Step 2: calls call-webhook with {"body":{"a":1},"webhook":"shop"} (before: nothing)',
      'CHANGED Result goes to: nobody (before: telegram 7)',
      'CHANGED If a run was missed: the newest 3 run if they are at most 1 d late (before: the newest one runs if it is at most 6 h late)',
      'CHANGED If the run before has not ended: it waits (before: it is skipped)',
      'CHANGED Start: within 90 s after its moment (before: at its moment)',
      'CHANGED Pause: never by itself (before: by itself after 5 failures in a row)',
      'CHANGED Cap: $0.50 a day, beside that of all jobs (before: that of all jobs)',
      'CHANGED Promise: nothing: a run may end without a word (before: a reply; a run without one is reported as having done nothing)',
      'REMOVED It asks the model: Check the deploys',
      'It may read and remember; anything else asks you each time, unless a grant for job:morning covers it.',
    ]);
    expect(describeJob(EN, morning, context, morning)).toStrictEqual(describeJob(EN, morning, context));
  });
});

describe('momentLines', () => {
  it('say which moments a change of the clock moves, and name another day in UTC', () => {
    const when: When = { kind: 'cron', cron: '30 2 28-30 3 *', zone: 'Europe/Berlin' };
    expect(momentLines(EN, when, 'UTC', Date.parse('2027-03-27T12:00Z')).slice(0, 3)).toStrictEqual([
      'Sun 2027-03-28 03:00 (01:00 UTC), moved: the clock leaves that time out',
      'Mon 2027-03-29 02:30 (00:30 UTC)',
      'Tue 2027-03-30 02:30 (00:30 UTC)',
    ]);
    const tokyo: When = { kind: 'cron', cron: '0 8 * * *', zone: 'Asia/Tokyo' };
    expect(momentLines(EN, tokyo, 'UTC', NOW)[0]).toBe('Tue 2026-11-24 08:00 (2026-11-23 23:00 UTC)');
  });

  it.each<[When, readonly string[]]>([
    [{ kind: 'once', at: '2026-11-24T09:00', zone: 'UTC' }, ['Tue 2026-11-24 09:00 (09:00 UTC)', 'then never again']],
    [{ kind: 'once', at: '2026-11-20T09:00', zone: 'UTC' }, ['never again']],
    [
      { kind: 'event', source: 'shop' },
      ['at the next such event; none is taken without a secret for shop in WEBHOOK_SECRETS'],
    ],
  ])('say the end of the rule: %j', (when, lines) => {
    expect(momentLines(EN, when, 'UTC', NOW)).toStrictEqual(lines);
  });
});

const cronOf = (cron: string): string => ruleWords(EN, { kind: 'cron', cron, zone: 'UTC' }, 'UTC');

describe('ruleWords', () => {
  it.each([
    ['0 8 * * *', ', 08:00, every day'],
    ['5 * * * *', ', each hour at :05, every day'],
    ['0 8 1 * *', ', 08:00, day 1 of the month'],
    ['0 8 * 12 0,6', ', 08:00, Sun,Sat, month 12'],
    ['0 8 1 * 1', ''],
    ['*/5 8 * * *', ''],
    ['0 8 L * *', ''],
  ])('says only simple fields of %s', (cron, words) => {
    expect(cronOf(cron)).toBe(`cron ${cron} on the clock of UTC${words}`);
  });

  it.each<[When, string]>([
    [{ kind: 'once', at: '2026-11-24T09:00', zone: 'UTC' }, 'once, 2026-11-24 09:00 on the clock of UTC'],
    [{ kind: 'event', source: 'shop' }, 'at each event of the webhook source shop'],
    [{ kind: 'event', source: 'shop', event: 'a b' }, 'at each event "a b" of the webhook source shop'],
    [
      { kind: 'event', source: 'shop', holds: 'event.body.n > 1' },
      'at each event of the webhook source shop for which this is true: event.body.n > 1',
    ],
    [
      { kind: 'condition', holds: 'a > 1', minutes: 15, from: NOW },
      'checked every 15 min from Mon 2026-11-23 06:10 (06:10 UTC); it runs if this has become true: a > 1',
    ],
  ])('says %j', (when, words) => {
    expect(ruleWords(EN, when, 'UTC')).toBe(words);
  });
});

const occurrence: Occurrence = {
  schemaVersion: 1,
  job: 'morning',
  version: 1,
  kind: 'rule',
  instant: NOW,
  state: 'fired',
  at: NOW,
  closedAt: NOW,
  looks: 0,
};

describe('describeOccurrence', () => {
  it.each<[Partial<Occurrence>, string]>([
    [{}, 'ran on time'],
    [{ closedAt: undefined }, 'started on time, not ended yet'],
    [{ state: 'late', lateMs: 240_000 }, 'ran late by 4 min'],
    [{ state: 'skipped', why: 'the run before it has not ended' }, 'skipped: the run before it has not ended'],
    [{ state: 'missed', why: 'it was 9 h late' }, 'missed: it was 9 h late'],
    [{ state: 'failed', why: 'no model', kind: 'run' }, 'failed: no model (run by a person)'],
    [{ state: 'unknown', kind: 'event' }, 'outcome unknown (for an event)'],
    [
      { state: 'missed', kind: 'condition', why: 'the condition failed' },
      'missed: the condition failed (by its condition)',
    ],
    [{ state: 'did-nothing', isShifted: true }, 'did nothing, moved: the clock leaves that time out'],
  ])('says %j', (changes, words) => {
    const entry = { signalId: 'job-morning-1', occurrence: { ...occurrence, ...changes } };
    expect(describeOccurrence(EN, entry, 'Europe/Berlin')).toBe(`Mon 2026-11-23 07:10  ${words}  /why job-morning-1`);
  });
});

describe('describeJobShortly', () => {
  const job: Job = {
    schemaVersion: 1,
    name: 'morning',
    version: 1,
    state: 'active',
    definition: morning,
    accountedTo: NOW,
    running: 0,
    failures: 0,
    unfinishedAt: NOW,
  };

  it.each<[Partial<Job>, string]>([
    [{}, 'active, next Mon 2026-11-23 07:10; '],
    [{ state: 'paused' }, 'paused; '],
    [{ unfinishedAt: undefined }, 'active; '],
  ])('says %j', (changes, words) => {
    expect(describeJobShortly(EN, { ...job, ...changes }, 'UTC', 0)).toBe(
      `morning: ${words}cron 0 8 * * 1-5 on the clock of Europe/Berlin, 08:00, Mon–Fri`,
    );
  });

  it('says that a moment which is over is due', () => {
    expect(describeJobShortly(EN, job, 'UTC', NOW + 1)).toMatch(/^morning: active, due; cron /);
  });

  it('is a line of the list, which says if there are more', () => {
    const lines = describeJobs(EN, { jobs: [job], cursor: 'next' }, 'UTC', 0);
    expect(lines).toStrictEqual([
      describeJobShortly(EN, job, 'UTC', 0),
      '… and more: npx passepartout jobs list --cursor next',
    ]);
    expect(describeJobs(EN, { jobs: [job], cursor: undefined }, 'UTC', 0)).toHaveLength(1);
  });

  it('marks a job of a built-in skill, with what it is for', () => {
    expect(describeJobShortly(EN, { ...job, name: 'auto-save-snapshot' }, 'UTC', 0)).toBe(
      'auto-save-snapshot: active, next Mon 2026-11-23 07:10; built in: keeps snapshots of memory by itself, so that you can go back to any of the last days',
    );
  });

  it('says what runs and what failed', () => {
    expect(describeJobShortly(EN, { ...job, running: 1, failures: 2 }, 'UTC', 0)).toMatch(
      /; 1 running; 2 failures in a row$/,
    );
    const why = 'paused after 5 failures in a row';
    expect(describeJobShortly(EN, { ...job, state: 'paused', failures: 2 }, 'UTC', 0, why)).toMatch(
      /^morning: paused after 5 failures in a row; cron .*Mon–Fri$/,
    );
  });
});
