import { describe, expect, it } from 'vitest';
import { Destination } from '../../../lib/core/signal/destination.ts';
import { completeJob } from '../../../lib/features/jobs/complete-job.ts';
import { JobDefinition } from '../../../lib/features/jobs/job.ts';
import { JobDraft } from '../../../lib/features/jobs/job-draft.ts';
import { parseJobLine } from '../../../lib/features/jobs/parse-job-line.ts';

const NOW = Date.parse('2026-11-23T06:10:30Z');
const MINUTE = 60_000;
const here = { target: 'telegram', to: '7' } as const;
const context = { zone: 'Europe/Berlin', here, now: NOW };

const complete = (draft: object, before?: JobDefinition, at: object = context) =>
  completeJob(JobDraft.parse(draft), { ...context, ...at, before });

const problemOf = (draft: object, before?: JobDefinition, at: object = context): string => {
  try {
    return JSON.stringify(complete(draft, before, at));
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

const whole: JobDefinition = {
  name: 'morning',
  when: { kind: 'cron', cron: '0 8 * * 1-5', zone: 'Europe/Berlin' },
  work: { kind: 'prompt', text: 'Check the deploys' },
  to: [here],
  catchUp: { mode: 'once', minutes: 360, runs: 1 },
  overlap: 'skip',
  spreadSeconds: 0,
  pauseAfter: 5,
  promises: 'reply',
};

describe('completeJob', () => {
  it('fills in every default: the owner’s zone, this chat, and the usual rules', () => {
    const made = complete({ name: 'morning', cron: '0 8 * * 1-5', prompt: 'Check the deploys' });
    expect(made).toStrictEqual(whole);
    expect(JobDefinition.parse(made)).toStrictEqual(whole);
  });

  it('writes the tools that it leaves as the last line of its words', () => {
    const line = (...tools: string[]) => `Check the deploys\nUse only these tools: ${tools.join(', ')}.`;
    const made = complete({
      name: 'morning',
      every: '1h',
      prompt: 'Check the deploys',
      tools: ['recall', 'fetch-url'],
    });
    expect(made.work).toStrictEqual({ kind: 'prompt', text: line('recall', 'fetch-url') });
    const changed = complete({ name: 'morning', edit: true, tools: ['recall'] }, made);
    expect(changed.work).toStrictEqual({ kind: 'prompt', text: line('recall') });
    expect(problemOf({ name: 'x', every: '1h', steps: [{ say: 'Hi' }], tools: ['recall'] })).toContain(
      'tools belong to a prompt',
    );
  });

  it.each<[string, object, string]>([
    ['memory', { context: 'memory' }, 'Look\nShow the notes of memory that fit.'],
    ['none', { context: 'none' }, 'Look'],
    ['none for none of its own', {}, 'Look'],
    [
      'memory, with tools',
      { context: 'memory', tools: ['recall'] },
      'Look\nUse only these tools: recall.\nShow the notes of memory that fit.',
    ],
    ['none for one in the words', { prompt: 'Look\nShow the notes of memory that fit.', context: 'none' }, 'Look'],
  ])('writes as context %s', (_name, fields, text) => {
    const made = complete({ name: 'x', every: '1h', prompt: 'Look', ...fields });
    expect(made.work).toStrictEqual({ kind: 'prompt', text });
    // Other words keep it, and it can be changed alone.
    const shown = text.includes('Show') ? 'Go on\nShow the notes of memory that fit.' : 'Go on';
    expect(complete({ name: 'x', prompt: 'Go on' }, made).work).toStrictEqual({ kind: 'prompt', text: shown });
    const without = complete({ name: 'x', context: 'none' }, made).work;
    expect(without).toStrictEqual({ kind: 'prompt', text: text.replace('\nShow the notes of memory that fit.', '') });
  });

  it('has context only for a prompt', () => {
    expect(problemOf({ name: 'x', every: '1h', steps: [{ say: 'Hi' }], context: 'memory' })).toBe(
      'context belongs to a prompt: steps and runbooks ask no model with notes',
    );
  });

  it.each<[string, object, JobDefinition['when']]>([
    ['a moment', { at: '2026-11-24T09:00' }, { kind: 'once', at: '2026-11-24T09:00', zone: 'Europe/Berlin' }],
    [
      'a moment with seconds',
      { at: '2026-11-24 09:00:00' },
      { kind: 'once', at: '2026-11-24T09:00', zone: 'Europe/Berlin' },
    ],
    ['another zone', { at: '2026-11-24T09:00', zone: 'UTC' }, { kind: 'once', at: '2026-11-24T09:00', zone: 'UTC' }],
    ['an interval', { every: '90m' }, { kind: 'every', minutes: 90, from: NOW - 30_000 + 90 * MINUTE }],
    ['hours', { every: '2 hours' }, { kind: 'every', minutes: 120, from: NOW - 30_000 + 120 * MINUTE }],
    ['days', { every: '1d' }, { kind: 'every', minutes: 1_440, from: NOW - 30_000 + 1_440 * MINUTE }],
    ['a cron rule', { cron: ' 0  8 * * 1 ' }, { kind: 'cron', cron: '0 8 * * 1', zone: 'Europe/Berlin' }],
    ['an event', { event: 'github/deploy.failed' }, { kind: 'event', source: 'github', event: 'deploy.failed' }],
    ['all events of a source', { event: 'GitHub' }, { kind: 'event', source: 'github' }],
    [
      'an event with a condition',
      { event: 'ci/push', condition: 'event.body.n > 3' },
      { kind: 'event', source: 'ci', event: 'push', holds: 'event.body.n > 3' },
    ],
    [
      'a condition',
      { condition: 'facts.open > 3' },
      { kind: 'condition', holds: 'facts.open > 3', minutes: 15, from: NOW + 30_000 },
    ],
    [
      'its interval',
      { condition: 'a', every: '1h' },
      { kind: 'condition', holds: 'a', minutes: 60, from: NOW + 30_000 },
    ],
  ])('reads %s', (_name, rule, when) => {
    expect(complete({ name: 'x', prompt: 'p', ...rule }).when).toStrictEqual(when);
  });

  it.each<[string, object, object]>([
    ['a name in plain words', { name: 'Prüfe die Deploys!' }, { name: 'prufe-die-deploys' }],
    ['as much of a long name as it may have', { name: 'n'.repeat(40) }, { name: 'n'.repeat(32) }],
    [
      'chats and webhooks',
      { to: ['here', 'console:main', 'webhook:shop'] },
      { to: [here, { target: 'console', to: 'main' }, { target: 'webhook', to: 'shop' }] },
    ],
    ['nowhere, which promises nothing', { to: [] }, { to: [], promises: 'nothing' }],
    ['catching up once', { catchUp: 'once 2h' }, { catchUp: { mode: 'once', minutes: 120, runs: 1 } }],
    ['catching up with several', { catchUp: 'all 3 1d' }, { catchUp: { mode: 'all', minutes: 1_440, runs: 3 } }],
    ['no catching up', { catchUp: 'skip' }, { catchUp: { mode: 'skip', minutes: 360, runs: 1 } }],
    ['a spread and a cap', { spread: '5m', capUsd: '0.50' }, { spreadSeconds: 300, capUsd: 500_000 }],
    [
      'other rules',
      { overlap: 'queue', pauseAfter: 0, promises: 'change' },
      { overlap: 'queue', pauseAfter: 0, promises: 'change' },
    ],
    [
      'an event, whose runs wait for each other',
      { cron: undefined, event: 'ci/restart' },
      { when: { kind: 'event', source: 'ci', event: 'restart' }, overlap: 'queue' },
    ],
    ['steps', { prompt: undefined, steps: [{ say: 'Hello' }] }, { work: { kind: 'steps', steps: [{ say: 'Hello' }] } }],
  ])('takes %s', (_name, fields, expected) => {
    expect(complete({ name: 'morning', cron: '0 8 * * 1-5', prompt: 'Check the deploys', ...fields })).toStrictEqual({
      ...whole,
      ...expected,
    });
  });

  it.each<[string, object, object]>([
    ['nothing', {}, {}],
    ['the rule', { every: '1d' }, { when: { kind: 'every', minutes: 1_440, from: NOW - 30_000 + 1_440 * MINUTE } }],
    ['the time, in the same zone', { cron: '0 9 * * *' }, { when: { ...whole.when, cron: '0 9 * * *' } }],
    ['the zone alone', { zone: 'Asia/Tokyo' }, { when: { ...whole.when, zone: 'Asia/Tokyo' } }],
    ['the words', { prompt: 'Look' }, { work: { kind: 'prompt', text: 'Look' } }],
    ['the destinations', { to: ['console:main'] }, { to: [{ target: 'console', to: 'main' }] }],
  ])('changes %s of a job and keeps the rest', (_name, fields, expected) => {
    expect(complete({ name: 'morning', edit: true, ...fields }, whole)).toStrictEqual({ ...whole, ...expected });
  });

  it('takes now for the minute that has begun, in a new job alone', () => {
    expect(complete({ name: 'x', at: 'now', prompt: 'p', zone: 'UTC' }).when).toStrictEqual({
      kind: 'once',
      at: new Date(context.now).toISOString().slice(0, 16),
      zone: 'UTC',
    });
    expect(problemOf({ name: 'morning', at: 'now' }, whole)).toBe(
      'at now begins a new job; /jobs run morning runs this one now',
    );
    const when = { kind: 'once', at: new Date(context.now - MINUTE).toISOString().slice(0, 16), zone: 'UTC' } as const;
    expect(problemOf({ name: 'morning', prompt: 'other' }, { ...whole, when })).toBe(`${when.at} is over in UTC`);
  });

  it('changes how often a condition is checked', () => {
    const when = { kind: 'condition', holds: 'a', minutes: 15, from: 0 } as const;
    expect(complete({ name: 'morning', every: '5m' }, { ...whole, when }).when).toStrictEqual({ ...when, minutes: 5 });
  });

  it.each<[object, string]>([
    [{ prompt: 'p' }, 'give one of at, every, cron, event and condition'],
    [{ prompt: 'p', at: '2026-11-24T09:00', cron: '* * * * *' }, 'give only one of at and cron: a job has one rule'],
    [
      { prompt: 'p', at: 'tomorrow at 9' },
      'at must be now, or the time on the clock of the zone, such as 2026-11-24T09:00',
    ],
    [{ prompt: 'p', at: '2026-11-23T06:00' }, '2026-11-23T06:00 is over in Europe/Berlin'],
    [{ prompt: 'p', at: '2026-02-30T06:00' }, '2026-02-30T06:00 is no time that exists'],
    [{ prompt: 'p', at: '2026-11-24T09:00', zone: 'Berlin' }, 'Berlin is no time zone; give one such as Europe/Berlin'],
    [{ prompt: 'p', every: 'often' }, 'every must be a time such as 90m, 2h or 1d'],
    [{ prompt: 'p', every: '30s' }, 'every must be whole minutes'],
    [
      { prompt: 'p', cron: 'at noon' },
      '"at noon" is no cron rule: give minute, hour, day of month, month and day of week, such as 0 8 * * 1-5',
    ],
    [{ every: '1d' }, 'its work is missing: write a colon and what to ask (prompt), or steps or a runbook'],
    [{ every: '1d', prompt: 'p', steps: [{ say: 'x' }] }, 'give only one of prompt, steps and runbook'],
    [
      { every: '1d', prompt: 'p', to: ['everybody'] },
      'to must hold here, telegram:<chat>, slack:<chat>, signal:<chat>, mail:<chat>, console:<name> or webhook:<name>',
    ],
    [{ every: '1d', prompt: 'p', catchUp: 'some' }, 'catchUp must be skip, once 6h or all 3 6h'],
    [{ every: '1d', prompt: 'p', capUsd: 'much' }, 'capUsd must be dollars a day, such as 0.50'],
    [{ every: '1d', steps: [{ say: 'x' }], to: [] }, 'a step says something, and to names nobody who hears it'],
    [{ every: '1d', prompt: 'p', to: [], promises: 'reply' }, 'it promises a reply, and to names nobody who gets it'],
    [{ name: '1!', every: '1d', prompt: 'p' }, 'name must be one or two words of letters, digits and -'],
  ])('says what is wrong: %j', (draft, problem) => {
    expect(problemOf({ name: 'x', ...draft })).toBe(problem);
  });

  it('goes nowhere by itself if nobody is answered there, and says so if asked', () => {
    const nobody = { here: undefined };
    expect(complete({ name: 'x', every: '1d', prompt: 'p' }, undefined, nobody).to).toStrictEqual([]);
    expect(problemOf({ name: 'x', every: '1d', prompt: 'p', to: ['here'] }, undefined, nobody)).toBe(
      'to: nobody is answered here; name a chat, such as telegram:7',
    );
  });
});

describe('parseJobLine', () => {
  it.each<[string, object]>([
    [
      'morning cron "0 8 * * 1-5" Europe/Berlin --cap 0.50: Check the deploys: all',
      { name: 'morning', cron: '0 8 * * 1-5', zone: 'Europe/Berlin', capUsd: '0.50', prompt: 'Check the deploys: all' },
    ],
    ['a --cron "0 9 * * *" --zone UTC: p', { name: 'a', cron: '0 9 * * *', zone: 'UTC', prompt: 'p' }],
    ['tea at 2026-11-24T09:00: Tea!', { name: 'tea', at: '2026-11-24T09:00', prompt: 'Tea!' }],
    ['tea every 90m UTC : Tea', { name: 'tea', every: '90m', zone: 'UTC', prompt: 'Tea' }],
    ['a condition “x > 1” every 5m: Look', { name: 'a', condition: 'x > 1', every: '5m', prompt: 'Look' }],
    [
      `a event GitHub condition "event.body.action == 'opened'": Look`,
      { name: 'a', event: 'GitHub', condition: "event.body.action == 'opened'", prompt: 'Look' },
    ],
    ['a cron "0 9 * * *":\nLook\nwell', { name: 'a', cron: '0 9 * * *', prompt: 'Look\nwell' }],
    ['a event shop/sold --to telegram:5,webhook:x', { name: 'a', event: 'shop/sold', to: ['telegram:5', 'webhook:x'] }],
    ['a --to nowhere --pause-after 3 —overlap queue', { name: 'a', to: [], pauseAfter: 3, overlap: 'queue' }],
    [
      'a event ci/push runbook=deploy-gate input.service=shop input.note="two words" input.v={{event.body.v}}',
      {
        name: 'a',
        event: 'ci/push',
        runbook: 'deploy-gate',
        inputs: { service: 'shop', note: 'two words', v: '{{event.body.v}}' },
      },
    ],
    ['a --runbook deploy-gate', { name: 'a', runbook: 'deploy-gate' }],
    ['a {"every":"1d","prompt":"p"}', { name: 'a', every: '1d', prompt: 'p' }],
    ['{"name":"a","every":"1d"}', { name: 'a', every: '1d' }],
    ['a every 5 minutes: x', { name: 'a', every: '5 minutes', prompt: 'x' }],
    ['a --every 1 day UTC: every 2 hours', { name: 'a', every: '1 day', zone: 'UTC', prompt: 'every 2 hours' }],
  ])('reads %s', (line, expected) => {
    expect(parseJobLine(line)).toStrictEqual(expected);
  });

  it.each<[string, string]>([
    ['', 'the name is missing'],
    ['a soon: x', '"soon" is not understood there'],
    ['a cron 0 8 * * 1: x', '"8" is not understood there; a value of several words goes in quotes'],
    ['a cron "0 8 * * 1" Check it', '"Check" is not understood there; write a colon before what to ask'],
    ['a --cron "0 8 * * 1" Check it', '"Check" is not understood there; write a colon before what to ask'],
    ['a --soon x: y', '"--soon" is not understood there'],
    [
      'a at 2026-12-01T09:00 Berlin: x',
      '"Berlin" is not understood there; a value of several words goes in quotes; a time zone is written as Europe/Berlin',
    ],
    ['every 5 minutes: x', '"5" is not understood there; write a name for the job before "every"'],
    ['every 5 minutes x', '"5" is not understood there; write a name for the job before "every"'],
    ['a every', 'every needs a value behind it'],
    ['a every 1h every 2h: x', 'every is given twice'],
    ['a every 1h input.x=', 'input.x needs a value behind it'],
    ['a {"every"', 'the job is not valid JSON'],
    ['{[]}', 'the job is not valid JSON'],
  ])('says what is wrong: %s', (line, problem) => {
    expect(() => parseJobLine(line)).toThrow(problem);
  });
});

it.each([
  [{ target: 'console', to: 'main' }, true],
  [{ target: 'console', to: 'main', topic: 5 }, false],
  [{ target: 'telegram', to: '7' }, true],
  [{ target: 'telegram', to: '7', topic: 5 }, true],
  [{ target: 'telegram', to: 'main' }, false],
])('a result may go to %j: %s', (place, isOne) => {
  expect(Destination.safeParse(place).success).toBe(isOne);
});
