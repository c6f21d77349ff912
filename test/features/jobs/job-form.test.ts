import { describe, expect, it } from 'vitest';
import { JsonObject } from '../../../lib/core/base/json.ts';
import type { FormContext } from '../../../lib/core/tools/tool.ts';
import type { Job, JobDefinition } from '../../../lib/features/jobs/job.ts';
import { JobArgs } from '../../../lib/features/jobs/job.ts';
import { JOB_FORM } from '../../../lib/features/jobs/job-form.ts';
import { describeMarked } from '../../support/marked.ts';

const NOW = Date.parse('2026-11-23T06:10:00Z');
const morning: JobDefinition = {
  name: 'morning',
  when: { kind: 'cron', cron: '0 8 * * *', zone: 'UTC' },
  work: { kind: 'prompt', text: 'Look' },
  to: [{ target: 'telegram', to: '7' }],
  catchUp: { mode: 'once', minutes: 360, runs: 1 },
  overlap: 'skip',
  spreadSeconds: 0,
  pauseAfter: 5,
  promises: 'reply',
};
const job = (changes: Partial<Job> = {}): Job => ({
  schemaVersion: 1,
  name: 'morning',
  version: 3,
  state: 'active',
  definition: morning,
  accountedTo: NOW,
  running: 0,
  failures: 0,
  ...changes,
});

const contextWith = (...jobs: readonly Job[]): FormContext => ({
  now: NOW,
  zone: 'UTC',
  reply: { target: 'telegram', to: '7' },
  loadNotes: async () => new Map(),
  readRow: async (keyIn) => {
    const found = jobs.find(({ name }) => keyIn('space').sk === `job#${name}`);
    return found && { ...found, definition: JSON.stringify(found.definition) };
  },
  records: {},
  webhookUrls: { deploy: 'https://example.com/' },
});

const draft = { name: 'Morning', cron: '0 8 * * *', prompt: 'Look' };

describe('JOB_FORM', () => {
  it('makes whole arguments of a draft, and leaves whole ones as they are', async () => {
    const made = await JOB_FORM.complete(draft, contextWith());
    expect(made).toStrictEqual(morning);
    expect(JobArgs.parse(made)).toStrictEqual(morning);
    expect(await JOB_FORM.complete(made, contextWith(job()))).toStrictEqual(made);
    expect(await JOB_FORM.findProblems(made, contextWith())).toStrictEqual([]);
  });

  it.each<[string, readonly Job[]]>([
    ['is free', []],
    ['was removed', [job({ state: 'removed' })]],
    ['has ended', [job({ state: 'ended' })]],
  ])('makes a new job if its name %s', async (_name, jobs) => {
    expect(await JOB_FORM.complete(draft, contextWith(...jobs))).toStrictEqual(morning);
  });

  it('says on the card what a job needs that may not be there yet', async () => {
    const context: FormContext = { ...contextWith(), reply: { target: 'console', to: 'main' } };
    const args = { name: 'a', event: 'ci/push', prompt: 'p', to: ['telegram:7'] };
    expect((await JOB_FORM.describe(await JOB_FORM.complete(args, context), context)).slice(-1)).toStrictEqual([
      'It needs a connected Telegram bot that may write to the chat.',
    ]);
  });

  it('names the version that a change replaces, and keeps the rest of the job', async () => {
    const args = await JOB_FORM.complete({ name: 'morning', edit: true, prompt: 'Look well' }, contextWith(job()));
    expect(args).toStrictEqual({ ...morning, work: { kind: 'prompt', text: 'Look well' }, replaces: 3 });
    const { lines, notable } = await describeMarked(JOB_FORM, args, contextWith(job()));
    expect(lines[0]).toBe('It changes the job morning (version 3).');
    expect(lines).toContain('CHANGED It asks the model: Look well (before: Look)');
    const late = await describeMarked(JOB_FORM, args, contextWith(job({ version: 4 })));
    expect(late.lines[0]).toBe('It changes the job morning (version 3), which was changed since.');
    expect(notable).toStrictEqual(['CHANGED It asks the model: Look well (before: Look)']);
    expect(late.notable).toStrictEqual([late.lines[0]]);
  });

  it.each<[object, readonly string[]]>([
    [{ name: 'a', prompt: 'p' }, ['give one of at, every, cron, event and condition']],
    [{ name: 'a', prompt: 7 }, ['prompt must be a text']],
    [{ name: 'a', colour: 'red' }, [expect.stringContaining('it takes no other fields than name, edit, at')]],
    [{ name: 'b', edit: true, prompt: 'p' }, ['there is no job b to change; /jobs lists those there are']],
    [{ name: 'a', every: '1d', prompt: 'p', catchUp: 'all 99 1d' }, ['catchUp must have at most 10']],
    [{ name: 'a', every: '1d', steps: [{ tool: 'no-such', args: {} }] }, ['step 1 names no tool that a job can use']],
    [{ name: 'a', every: '1d', steps: [{ tool: 'run-job', args: {} }] }, ['step 1 names no tool that a job can use']],
    [{ name: 'a', every: '1d', steps: [{ say: 'x' }, { tool: 'remember', args: {} }] }, ['step 2: text is missing']],
    [{ ...morning, when: { kind: 'once', at: '2026-11-20T09:00', zone: 'UTC' } }, ['2026-11-20T09:00 is over in UTC']],
    [
      { name: 'a', condition: 'facts.usdToday >', every: '5m', prompt: 'p' },
      ['its condition does not parse as one JavaScript expression'],
    ],
    [
      { name: 'a', condition: 'facts.nope > 3 || facts.now < 1 || "facts.no"', prompt: 'p' },
      [
        'there is no fact nope; those are now, usdToday, tokensToday, approvalsWaiting, unknownEffects, ' +
          'stoppedConversations, memoryCommits, unsavedMinutes, autoSaveMinutes',
      ],
    ],
    [
      { name: 'a', condition: 'event.body.service === "shop"', every: '5m', prompt: 'p' },
      [expect.stringMatching(/^there is no fact event\.body; those are now, /)],
    ],
    [
      { name: 'a', event: 'ci', condition: 'event.action == "opened" || facts.usdToday > 1', prompt: 'p' },
      [
        'there is no fact action; those are source, event, body, text',
        'there is no fact facts.usdToday; those are source, event, body, text',
      ],
    ],
    [
      { name: 'a', event: 'ci', condition: 'event.body.n >', prompt: 'p' },
      ['its condition does not parse as one JavaScript expression'],
    ],
    [{ name: 'a', every: '1d', prompt: 'p', to: ['webhook:nope'] }, ['there is no webhook nope; those are deploy']],
    [
      { name: 'morning', every: '1d', prompt: 'p' },
      ['there is a job morning already: give another name, or change it'],
    ],
    [{ ...morning, pauseAfter: 1_000 }, ['pauseAfter must have at most 100']],
  ])('says what is wrong: %j', async (args, problems) => {
    const context = contextWith(...('when' in args ? [] : [job()]));
    expect(
      await JOB_FORM.findProblems(await JOB_FORM.complete(JsonObject.parse(args), context), context),
    ).toStrictEqual(problems);
  });
});
