/** Jobs whose work is a runbook, and runs that a tool starts after a yes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseApproval } from '../../lib/approvals/approval.ts';
import { loadGrants } from '../../lib/approvals/grants.ts';
import type { JsonObject } from '../../lib/base/json.ts';
import type { JobDefinition } from '../../lib/jobs/job.ts';
import { loadHistory, loadJob } from '../../lib/jobs/read-jobs.ts';
import { sha256Of } from '../../lib/runbooks/begin-run.ts';
import { listRuns } from '../../lib/runbooks/store-run.ts';
import type { Payload } from '../../lib/signal/signal.ts';
import { parseSkill } from '../../lib/skills/parse-skill.ts';
import { putSkill } from '../../lib/skills/skill-store.ts';
import { storedDataVersion } from '../../lib/store/data-version.ts';
import { approvalKey } from '../../lib/store/keys.ts';
import { loadItem } from '../../lib/store/load-named.ts';
import { makeJob, sampleJob } from '../jobs/sample-job.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { ownerMessage, signalWith } from '../support/simulation.ts';
import { callTool } from './adversity-world.ts';
import { buildRunbookWorld, type RunbookWorld, withSteps } from './runbook-world.ts';

const MINUTE = 60_000;

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

/** Puts a skill in force that brings the runbook. */
const addRunbook = async ({ space, simulation }: RunbookWorld, text: string, trust: 'owner' | 'outside' = 'owner') => {
  const files = [
    { path: 'SKILL.md', text: '---\nname: ops\ndescription: Brings a runbook.\n---\n# Ops\n' },
    { path: 'passepartout.yaml', text: 'runbooks: [test.yaml]\n' },
    { path: 'test.yaml', text },
  ];
  const parsed = parseSkill(files);
  if (parsed.kind === 'problems') throw new Error(JSON.stringify(parsed.problems));
  const source = {
    space,
    by: 'telegram:7',
    now: simulation.now(),
    signalId: `con-skill-${sha256Of(text).slice(0, 8)}`,
  };
  await putSkill(dynamo.table, source, { definition: parsed.definition, files, trust });
};

const jobOf = (text: string, when: JobDefinition['when']): JobDefinition =>
  sampleJob({
    when,
    work: { kind: 'runbook', runbook: 'test', hash: sha256Of(text), inputs: {} },
    promises: 'nothing',
  });

const historyOf = async ({ space }: RunbookWorld) =>
  (await loadHistory(dynamo.table, space, 'morning', 20))
    .map(
      ({ occurrence: { state, why, closedAt } }) =>
        `${state}${why === undefined ? '' : `: ${why}`}${closedAt ? '' : ' open'}`,
    )
    .reverse();

const every = (world: RunbookWorld, minutes = 10): JobDefinition['when'] => ({
  kind: 'every',
  minutes,
  from: world.simulation.now() + minutes * MINUTE,
});

/** An event of the source `certs`, and all that follows from it. */
const sendEvent = async ({ space, simulation }: RunbookWorld, n: number, body: JsonObject): Promise<void> => {
  const payload: Payload = { sensor: 'webhook', source: 'certs', event: 'soon', body, text: [] };
  await simulation.accept({
    ...signalWith(space, `wh-certs:${n}`, payload, '7', simulation.now()),
    source: 'webhook',
  });
  await simulation.drain();
};

describe('the end of a run', () => {
  const works: readonly JobDefinition['work'][] = [
    { kind: 'runbook', runbook: 'test', hash: sha256Of(withSteps('{ text: Hello }')), inputs: {} },
    { kind: 'runbook', runbook: 'test', hash: sha256Of(withSteps('{ if: "false", text: Hello }')), inputs: {} },
    { kind: 'steps', steps: [{ say: 'Hello' }] },
    { kind: 'prompt', text: 'Say hello' },
  ];
  it.each(works)('is written at once, and the next event runs: %o', async (work) => {
    const world = buildRunbookWorld(dynamo.table, { answer: () => ({ content: 'Hello' }) });
    const texts = [withSteps('{ text: Hello }'), withSteps('{ if: "false", text: Hello }')];
    const text = texts.find((one) => work.kind === 'runbook' && work.hash === sha256Of(one));
    if (text !== undefined) await addRunbook(world, text);
    const definition = sampleJob({ when: { kind: 'event', source: 'certs' }, work, promises: 'nothing' });
    await makeJob(dynamo.table, world.space, definition, world.simulation.now());
    await sendEvent(world, 1, {});
    expect(await historyOf(world)).toStrictEqual(['fired']);
    world.simulation.advance(100);
    await sendEvent(world, 2, {});
    expect(await historyOf(world)).toStrictEqual(['fired', 'fired']);
    expect((await loadJob(dynamo.table, world.space, 'morning'))?.running).toBe(0);
  });
});

describe('a job of a runbook', () => {
  it('runs it at each moment, and tells what is new since the last run', async () => {
    const text = withSteps(
      '{ id: hour, tool: calculate, args: { expression: "Math.floor(Date.now() / 1200000)" } }',
      '{ if: steps.hour.isNew, text: "It is {{steps.hour.output}}" }',
    );
    const world = buildRunbookWorld(dynamo.table);
    await addRunbook(world, text);
    await makeJob(dynamo.table, world.space, jobOf(text, every(world)), world.simulation.now());
    await world.minutes(42);
    expect(await historyOf(world)).toStrictEqual(['fired', 'fired', 'fired', 'fired']);
    expect(world.texts()).toHaveLength(2);
    const runs = await listRuns(dynamo.table, world.space, 10);
    expect(runs.map(({ state, session }) => [state, session])).toStrictEqual(runs.map(() => ['done', 'job:morning']));
  });

  it('is not run once it was changed, and the job is paused after so many failures', async () => {
    const text = withSteps('{ text: One }');
    const world = buildRunbookWorld(dynamo.table);
    await addRunbook(world, text);
    const definition = { ...jobOf(text, every(world, 2)), pauseAfter: 2 };
    await makeJob(dynamo.table, world.space, definition, world.simulation.now());
    await world.minutes(4);
    await addRunbook(world, withSteps('{ text: Two }'));
    await world.minutes(10);
    const failed =
      'failed: the runbook test was changed since the job was approved: edit the job, so that it is approved again';
    expect(await historyOf(world)).toStrictEqual(['fired', 'fired', failed, failed]);
    expect(world.texts().filter((one) => one === 'One')).toHaveLength(2);
    expect((await loadJob(dynamo.table, world.space, 'morning'))?.state).toBe('paused');
  });

  it('runs for an event, whose words are outside text', async () => {
    const text = withSteps(
      '{ if: "event.body.days < 14", text: "{{event.body.host}} expires: see https://evil.example/x" }',
      '{ webhook: deployer, body: { host: "{{event.body.host}}" } }',
    );
    const world = buildRunbookWorld(dynamo.table);
    await addRunbook(world, text);
    const definition = jobOf(text, { kind: 'event', source: 'certs' });
    await makeJob(dynamo.table, world.space, definition, world.simulation.now());
    await sendEvent(world, 1, { host: 'a.example', days: 3 });
    // Its links cannot be opened, and it does not leave the space without a yes.
    expect(world.simulation.sent[0]).toMatchObject({ text: expect.stringMatching(/^a\.example expires/), links: [] });
    expect(world.calls()).toStrictEqual([]);
    expect(await world.pending()).toHaveLength(1);
    await world.tap('approve');
    expect(world.calls()).toHaveLength(1);
    await world.minutes(3);
    expect(await historyOf(world)).toStrictEqual(['fired']);
  });
});

describe('run-runbook', () => {
  const TEXT = withSteps(
    '{ webhook: deployer, body: { service: "{{inputs.service}}" } }',
    '{ id: say, webhook: deployer, body: { n: 2 } }',
    '{ ask: "Go on?" }',
    '{ webhook: deployer, body: { was: "{{steps.say.data.status}}" } }',
    '{ tool: forget, args: { id: 0123456789abcdef0123456789abcdef } }',
  ).replace('calculate]', 'calculate, forget]');

  const propose = async (approveWhole: boolean, inputs: object = { service: 'shop' }) => {
    const world = buildRunbookWorld(dynamo.table, {
      answer: ({ messages }) =>
        messages.at(-1)?.content.includes('start it')
          ? callTool('run-runbook', { runbook: 'test', inputs, approveWhole })
          : { content: 'Done.' },
    });
    await addRunbook(world, TEXT);
    await world.simulation.accept(ownerMessage(world.space, 1, 'start it', '7', world.simulation.now()));
    await world.simulation.drain();
    return world;
  };

  const cardOf = async (world: RunbookWorld) => {
    const [id = ''] = await world.pending();
    const item = await loadItem(dynamo.table, approvalKey(world.space, id));
    return item === undefined ? undefined : parseApproval(id, item);
  };

  it('shows every step with its arguments, and is bound to the text and the inputs', async () => {
    const world = await propose(true);
    const card = await cardOf(world);
    expect(card?.action.args).toStrictEqual({
      runbook: 'test',
      hash: sha256Of(TEXT),
      inputs: { service: 'shop' },
      approveWhole: true,
    });
    const shown = (card?.lines ?? []).join('\n');
    for (const words of ['{"service":"shop"}', 'Go on?', '{{steps.say.data.status}}', 'forget', sha256Of(TEXT)])
      expect(shown).toContain(words);
    // The runbook changes before the yes: nothing runs.
    await addRunbook(world, withSteps('{ text: Other }'));
    await world.tap('approve');
    expect(await listRuns(dynamo.table, world.space, 9)).toStrictEqual([]);
  });

  it('approved as a whole asks about no step once more, but about questions and what destroys data', async () => {
    const world = await propose(true);
    await world.tap('approve');
    expect(await storedDataVersion(dynamo.table, world.space)).toBe(2);
    expect(world.calls()).toHaveLength(2);
    expect((await cardOf(world))?.action).toMatchObject({ tool: 'ask-person', args: { question: 'Go on?' } });
    await world.tap('approve');
    expect(world.calls()).toHaveLength(3);
    expect((await cardOf(world))?.action).toMatchObject({ tool: 'forget' });
    // They stand in no list and are counted nowhere.
    expect(await loadGrants(dynamo.table, world.space)).toStrictEqual([]);
  });

  it('approved by itself asks about each step', async () => {
    const world = await propose(false);
    await world.tap('approve');
    expect(world.calls()).toStrictEqual([]);
    expect((await cardOf(world))?.action).toMatchObject({ tool: 'call-webhook' });
  });

  it.each([
    [{ nothing: 'x' }, /has no input nothing/],
    [{ service: 'x'.repeat(1_001) }, /1000|longer/],
  ])('refuses inputs that do not fit: %o', async (inputs, problem) => {
    const world = await propose(false, inputs);
    expect(await world.pending()).toStrictEqual([]);
    expect(JSON.stringify(world.texts())).toMatch(/refused by the rules|Done/);
    expect(JSON.stringify(world.texts())).toMatch(problem);
  });
});
