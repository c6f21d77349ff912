/** Jobs whose work is a runbook, and runs that a tool starts after a yes. */
import { afterAll, describe, expect, it } from 'vitest';
import { loadGrants } from '../../../lib/core/approvals/grants.ts';
import { DATA_VERSION } from '../../../lib/core/base/data-version.ts';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { setKillSwitch } from '../../../lib/core/ledger/kill-switch.ts';
import type { Payload } from '../../../lib/core/signal/signal.ts';
import { storedDataVersion } from '../../../lib/core/store/data-version.ts';
import type { JobDefinition } from '../../../lib/features/jobs/job.ts';
import { loadHistory, loadJob } from '../../../lib/features/jobs/read-jobs.ts';
import { savePolicySetting } from '../../../lib/features/policy/save-policy.ts';
import { sha256Of } from '../../../lib/features/runbooks/begin-run.ts';
import { listRuns } from '../../../lib/features/runbooks/store-run.ts';
import { parseSkill } from '../../../lib/features/skills/parse-skill.ts';
import { putSkill } from '../../../lib/features/skills/skill-store.ts';
import { callTool } from '../../flow/adversity-world.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { ownerMessage, signalWith } from '../../support/simulation.ts';
import { makeJob, sampleJob } from '../jobs/sample-job.ts';
import { buildRunbookWorld, type RunbookWorld, withSteps } from './runbook-world.ts';

const MINUTE = 60_000;

const dynamo = await startDynamo();
afterAll(dynamo.stop);

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

describe('a job of steps', () => {
  const args = { webhook: 'deployer', body: { as: '{{name}}' } };
  const steps = [{ tool: 'call-webhook', args }, { say: 'See https://a.example/{{name}}' }];
  const start = async () => {
    const world = buildRunbookWorld(dynamo.table);
    const definition = sampleJob({ when: { kind: 'event', source: 'certs' }, work: { kind: 'steps', steps } });
    await makeJob(dynamo.table, world.space, definition, world.simulation.now());
    await sendEvent(world, 1, { name: 'a stranger' });
    return world;
  };

  it.each([
    ['approve', 'fired'],
    ['deny', 'failed: step 1 was not done: a person denied it'],
  ] as const)('waits at a step that asks, and goes on after a person chose to %s', async (decision, history) => {
    const world = await start();
    expect(world.texts()).not.toContain('See https://a.example/{{name}}');
    const card = await world.card();
    expect([card?.action.explanation, card?.action.args]).toStrictEqual(['step 1 of the job morning', args]);
    await world.tap(decision);
    // No word of it is the event's, and its links can be opened.
    expect(world.simulation.sent.at(-1)).toMatchObject({
      text: expect.stringContaining('See https://a.example/{{name}}'),
    });
    expect(await historyOf(world)).toStrictEqual([history]);
    expect(await listRuns(dynamo.table, world.space, 10)).toStrictEqual([]);
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

describe('a run of a job that a person stops', () => {
  it.each([
    ['waits for a time', '{ wait: 30m }', 0],
    ['waits for a yes', '{ ask: "Go on?" }', 1],
  ])('ends at once as stopped while it %s, frees its job and counts for no pause', async (_, step, cards) => {
    const text = withSteps(step, '{ text: Hello }');
    const world = buildRunbookWorld(dynamo.table);
    const { simulation, space } = world;
    await addRunbook(world, text);
    await makeJob(dynamo.table, space, { ...jobOf(text, every(world)), pauseAfter: 1 }, simulation.now());
    await world.minutes(10);
    expect(await world.pending()).toHaveLength(cards);
    const [run] = await listRuns(dynamo.table, space, 10);
    const payload = { sensor: 'command', name: 'runbook', rest: `stop ${run?.id}` } as const;
    await simulation.accept(signalWith(space, 'tg-1-1', payload, '7', simulation.now()));
    await simulation.drain();
    expect(await historyOf(world)).toStrictEqual(['stopped: stopped by telegram:7']);
    expect(await loadJob(dynamo.table, space, 'morning')).toMatchObject({ state: 'active', running: 0, failures: 0 });
    expect(await storedDataVersion(dynamo.table, space)).toBe(DATA_VERSION);
    expect(await world.pending()).toStrictEqual([]);
    await world.minutes(10);
    expect(await historyOf(world)).toStrictEqual(['stopped: stopped by telegram:7', 'fired open']);
    expect(world.texts()).not.toContain('Hello');
  });
});

it('counts a run that ended with a stop of everything for no pause, and says so', async () => {
  const text = withSteps('{ wait: 5m }', '{ webhook: deployer, body: { go: true } }');
  const world = buildRunbookWorld(dynamo.table);
  const { simulation, space } = world;
  await addRunbook(world, text);
  await makeJob(dynamo.table, space, { ...jobOf(text, every(world)), pauseAfter: 1 }, simulation.now());
  await world.minutes(11);
  await setKillSwitch(dynamo.table, space, { isStopped: true, by: 'telegram:7', at: simulation.now() });
  await world.minutes(8);
  const [history = ''] = await historyOf(world);
  expect(history).toMatch(/^failed: everything was stopped: /);
  expect(await loadJob(dynamo.table, space, 'morning')).toMatchObject({ state: 'active', running: 0, failures: 0 });
});

describe('a job that is approved as a whole', () => {
  const TEXT = [
    'name: test',
    'description: Deploys.',
    'inputs: { version: { meaning: Version, default: "{{event.body.version}}" } }',
    'tools: [call-webhook, forget]',
    'steps:',
    '  - ask: "Deploy {{inputs.version}}?"',
    '  - webhook: deployer',
    '    body: { action: deploy, version: "{{inputs.version}}" }',
    '    undo: { webhook: deployer, body: { action: rollback, note: "back from {{inputs.version}}" } }',
    '  - { id: state, webhook: deployer, body: { action: status } }',
    '  - { tool: forget, args: { id: 0123456789abcdef0123456789abcdef }, if: event.body.forget === true }',
    '  - { if: event.body.fails === true, webhook: deployer, body: { n: "{{steps.state.data.none}}" }, if-fails: { then: undo } }',
  ].join('\n');

  const make = async (approveWhole = '2 7d') => {
    const bodies: unknown[] = [];
    const world = buildRunbookWorld(dynamo.table, {
      outside: ({ target, args }) => {
        if (target === 'webhook') bodies.push(args?.body);
        return { state: 'done', output: '{"status":200,"body":"{}"}', origin: 'outside' };
      },
      answer: ({ messages }) =>
        messages.at(-1)?.content.includes('make it')
          ? callTool('schedule-job', { name: 'morning', event: 'certs', runbook: 'test', approveWhole })
          : { content: 'Done.' },
    });
    await addRunbook(world, TEXT);
    await world.simulation.accept(ownerMessage(world.space, 1, 'make it', '7', world.simulation.now()));
    await world.simulation.drain();
    const card = await world.card();
    if (card !== undefined) await world.tap('approve');
    return { world, card, bodies };
  };

  it('says on its card what the yes permits', async () => {
    const { card } = await make();
    const lines = card?.lines ?? [];
    const from = lines.findIndex((line) => line.startsWith('Your yes covers'));
    expect(lines.slice(from)).toStrictEqual([
      expect.stringMatching(/^Your yes covers 2 runs, until \S+ \S+ UTC\. Without asking again, they may call:$/),
      '  step 2: webhook deployer {"action":"deploy","version":"{{event.body.version}}"}, up to 2 times',
      '  step 2 undone: webhook deployer {"action":"rollback","note":"back from {{event.body.version}}"}, up to 2 times',
      '  step 3: webhook deployer {"action":"status"}, up to 2 times',
      'A call that does not get through is sent up to 3 times, each time with the same id; it counts once.',
      'Each call of a webhook that has a price (WEBHOOK_COSTS) is paid from your caps: /budget',
      'Each {{event…}} is whatever the event says, if it is one word: letters, digits and . _ + -, at most 64. Anything else asks you.',
      'Whoever can send this event decides when it runs; what the event says decides which of these calls are made.',
      'Asks you each time: step 1 (ask), step 4 (forget), step 5 (call-webhook).',
      'A change of the runbook, the job or the rules ends this.',
    ]);
  });

  it('needs one yes for a deployment and its rollback', async () => {
    const { world, bodies } = await make();
    await sendEvent(world, 1, { version: '1.2', fails: true });
    expect(await world.pending()).toHaveLength(1);
    await world.tap('approve');
    expect(bodies).toStrictEqual([
      { action: 'deploy', version: '1.2' },
      { action: 'status' },
      { action: 'rollback', note: 'back from 1.2' },
    ]);
    expect(await world.pending()).toStrictEqual([]);
  });

  it.each([
    ['a sentence', { version: '1.2 and more' }],
    ['an option', { version: '--force' }],
    ['a path', { version: '../prod' }],
    ['an address', { version: 'https://evil.example/x' }],
    ['a long word', { version: 'a'.repeat(65) }],
    ['letters that look alike', { version: '1.2а' }],
  ])('asks about %s of the event', async (_, body) => {
    const { world } = await make();
    await sendEvent(world, 1, body);
    await world.tap('approve');
    expect(world.calls()).toStrictEqual([]);
    expect((await world.card())?.action).toMatchObject({ tool: 'call-webhook', args: { body } });
  });

  it('asks about what destroys', async () => {
    const { world } = await make();
    await sendEvent(world, 1, { version: '1.2', forget: true });
    await world.tap('approve');
    expect((await world.card())?.action).toMatchObject({ tool: 'forget' });
  });

  const changeRules = async ({ space, simulation }: RunbookWorld) => {
    await savePolicySetting(dynamo.table, space, { text: '// other rules', by: 'telegram:7', at: simulation.now() });
  };

  it('tells in its chat that other rules ended a run that waited', async () => {
    const { world } = await make();
    await sendEvent(world, 1, { version: '1.2' });
    const before = world.texts().length;
    await changeRules(world);
    await world.minutes(2);
    expect(await world.pending()).toStrictEqual([]);
    const why = 'step 1 was not done: the rules changed, or its chat was removed, before anybody approved it';
    expect(world.texts().slice(before)).toStrictEqual([expect.stringContaining(`The runbook test failed: ${why}`)]);
    expect(await historyOf(world)).toStrictEqual([`failed: ${why}`]);
  });

  const deploy = async (world: RunbookWorld, n: number): Promise<number> => {
    const before = world.calls().length;
    await sendEvent(world, n, { version: '1.2' });
    await world.tap('approve');
    return world.calls().length - before;
  };

  it('asks again once its runs are used up', async () => {
    const { world } = await make();
    expect([await deploy(world, 1), await deploy(world, 2), await deploy(world, 3)]).toStrictEqual([2, 2, 0]);
    expect((await world.card())?.action).toMatchObject({ args: { body: { action: 'deploy' } } });
  });

  it('asks again once its time is over', async () => {
    const { world } = await make();
    world.simulation.advance(8 * 24 * 60 * MINUTE);
    expect(await deploy(world, 1)).toBe(0);
    expect(await world.pending()).toHaveLength(1);
  });

  it('asks again once the rules changed', async () => {
    const { world } = await make();
    await changeRules(world);
    expect(await deploy(world, 1)).toBe(0);
    expect(await world.pending()).toHaveLength(1);
  });

  const command = async (world: RunbookWorld, n: number, name: string, rest: string) => {
    const payload: Payload = { sensor: 'command', name, rest };
    const sent = signalWith(world.space, `tg-1-${5_000 + n}`, payload, '7', world.simulation.now());
    await world.simulation.accept({ ...sent, sender: { ...sent.sender, isApprover: true } });
    await world.simulation.drain();
  };

  it('shows of a run the values that its event gave, without a link', async () => {
    const { world } = await make();
    await sendEvent(world, 1, { version: 'https://evil.example/1' });
    const [run] = await listRuns(dynamo.table, world.space, 1);
    await command(world, 1, 'runbook', `show ${run?.id}`);
    expect(world.texts().at(-1)).toContain('Input version: hxxps://evil[.]example/1');
  });

  it('stays approved after a pause, and not after an edit of the runbook', async () => {
    const { world } = await make();
    await command(world, 1, 'jobs', 'pause morning');
    await command(world, 2, 'jobs', 'resume morning');
    expect((await loadJob(dynamo.table, world.space, 'morning'))?.version).toBe(3);
    expect(await deploy(world, 1)).toBe(2);
    await addRunbook(world, `${TEXT}\n  - text: "New"`);
    await command(world, 3, 'jobs', 'show morning');
    const [line = '', whole] = world.texts().at(-1)?.split('\n').slice(-2) ?? [];
    expect(whole).toBe('With --approve-whole "20 30d" behind it, one yes covers its calls again.');
    expect(line).toMatch(/^The runbook was changed since: .*: \/jobs edit morning --runbook test$/);
    await command(world, 4, 'jobs', line.replace(/.*\/jobs /, ''));
    expect((await world.card())?.lines?.join()).not.toContain('Your yes covers');
    await world.tap('approve');
    expect(await deploy(world, 2)).toBe(0);
    expect(await world.pending()).toHaveLength(1);
  });

  it.each([
    ['1 90d', 'a yes to the whole job lasts 30 days at most'],
    ['often', 'approveWhole must be runs and a time, such as "20 30d"'],
    ['1001 1d', 'work'],
  ])('has bounds: %s', async (approveWhole, problem) => {
    const { world, card } = await make(approveWhole);
    expect(card).toBeUndefined();
    expect(world.texts().join()).toContain(problem);
    expect(await loadJob(dynamo.table, world.space, 'morning')).toBeUndefined();
  });
});

describe('run-runbook', () => {
  const TEXT = withSteps(
    '{ webhook: deployer, body: { service: "{{inputs.service}}" } }',
    '{ id: say, webhook: deployer, body: { n: 2 } }',
    '{ ask: "Go on?" }',
    '{ webhook: deployer, body: { was: "{{steps.say.output}}" }, shape: { steps.say.output: ".{1,99}" } }',
    '{ webhook: deployer, body: { is: "{{steps.say.output}}" } }',
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

  it('shows every step with its arguments, and is bound to the text and the inputs', async () => {
    const world = await propose(true);
    const card = await world.card();
    expect(card?.action.args).toStrictEqual({
      runbook: 'test',
      hash: sha256Of(TEXT),
      inputs: { service: 'shop' },
      approveWhole: true,
    });
    const shown = (card?.lines ?? []).join('\n');
    for (const words of [
      '{"service":"shop"}',
      'Go on?',
      'a text that fits .{1,99}',
      'step 4: webhook deployer {"was":',
      'Asks you each time: step 3 (ask), step 5 (call-webhook), step 6 (forget)',
      sha256Of(TEXT),
    ])
      expect(shown).toContain(words);
    // The runbook changes before the yes: nothing runs.
    await addRunbook(world, withSteps('{ text: Other }'));
    await world.tap('approve');
    expect(await listRuns(dynamo.table, world.space, 9)).toStrictEqual([]);
  });

  it('approved as a whole asks about questions, answers without a shape, and what destroys data', async () => {
    const world = await propose(true);
    await world.tap('approve');
    expect(await storedDataVersion(dynamo.table, world.space)).toBe(2);
    expect(world.calls()).toHaveLength(2);
    expect((await world.card())?.action).toMatchObject({ tool: 'ask-person', args: { question: 'Go on?' } });
    await world.tap('approve');
    expect(world.calls()).toHaveLength(3);
    // Nobody said what this answer may be.
    expect((await world.card())?.action).toMatchObject({
      tool: 'call-webhook',
      args: { body: { is: '{"status":"ok"}' } },
    });
    await world.tap('approve');
    expect((await world.card())?.action).toMatchObject({ tool: 'forget' });
    // They stand in no list and are counted nowhere.
    expect(await loadGrants(dynamo.table, world.space)).toStrictEqual([]);
  });

  it('approved by itself asks about each step', async () => {
    const world = await propose(false);
    await world.tap('approve');
    expect(world.calls()).toStrictEqual([]);
    expect((await world.card())?.action).toMatchObject({ tool: 'call-webhook' });
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
