/**
 * The process dies after every single operation of a run, with the queues or without them: the run
 * resumes and repeats nothing. A stop between any two deliveries holds: nothing is performed after.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { parseDecision, parseEffect } from '../../../lib/core/ledger/ledger.ts';
import { loadRun } from '../../../lib/core/ledger/load-run.ts';
import { isLive } from '../../../lib/core/ledger/run.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { ActuatorResult } from '../../../lib/core/signal/actuator.ts';
import { signalKeys } from '../../../lib/core/store/keys.ts';
import { ENDING_HOOKS } from '../../../lib/features/ending.ts';
import { stopRun } from '../../../lib/features/runbooks/stop-run.ts';
import { callTool } from '../../flow/adversity-world.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { atStep, sampleSteps, TAKES_ALL } from '../../support/sample.ts';
import { buildRunbookWorld, RUN, type RunbookWorld, runbookOf, withSteps } from './runbook-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

interface Story {
  readonly name: string;
  readonly text: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** The body of a webhook's answer. */
  readonly webhook?: (body: string) => ActuatorResult;
  /** Words of every action that was performed, in order. */
  readonly done: readonly string[];
  readonly state: 'done' | 'failed';
}

const ok = (body: string): ActuatorResult => ({
  state: 'done',
  output: JSON.stringify({ status: 200, body }),
  origin: 'outside',
});

const example = (name: string): string =>
  readFileSync(join(ROOT, 'lib/features/runbooks/skill/runbooks', `${name}.yaml`), 'utf8');

const EVERY_KIND = withSteps(
  '{ id: one, webhook: deployer, body: { do: one }, undo: { webhook: deployer, body: { undo: one } } }',
  '{ wait: 2m }',
  '{ ask: Go on? }',
  `{ id: list, tool: calculate, args: { expression: "JSON.stringify(['a', 'b'])" } }`,
  'each: steps.list.data\n    steps: [{ webhook: deployer, body: { do: "{{item}}" }, undo: { webhook: deployer, body: { undo: "{{item}}" } } }]',
  '{ id: words, model: Say it., with: "{{steps.list.output}}" }',
  '{ text: "{{steps.words.output}}" }',
);
const DONE = [
  '{"do":"one"}',
  'Go on?',
  "JSON.stringify(['a', 'b'])",
  '{"do":"a"}',
  '{"do":"b"}',
  'In words',
  'In words',
];

const stories: readonly Story[] = [
  { name: 'every kind of step', text: EVERY_KIND, inputs: { service: 'shop' }, done: DONE, state: 'done' },
  {
    name: 'steps that are taken back',
    text: `${EVERY_KIND}\n  - { webhook: deployer, body: { do: last }, if-fails: { retry: 1, wait: 1m, then: undo } }`,
    inputs: { service: 'shop' },
    webhook: (body) => (body.includes('last') ? { state: 'failed', reason: 'it is away' } : ok('')),
    done: [...DONE, '{"undo":"b"}', '{"undo":"a"}', '{"undo":"one"}'],
    state: 'failed',
  },
  {
    name: 'the deploy gate, and a deployment that failed',
    text: example('deploy-gate'),
    inputs: { service: 'shop', version: '7', hook: 'deployer' },
    webhook: (body) => ok(body.includes('status') ? '{"status":"failed"}' : ''),
    done: [
      'Deploy version 7 of shop?',
      '{"action":"deploy","service":"shop","version":"7"}',
      '{"action":"status","service":"shop","version":"7"}',
      '{"action":"rollback","service":"shop","version":"7"}',
      'Version 7 of shop failed and was rolled back.',
    ],
    state: 'done',
  },
  {
    name: 'the certificate that expires soon',
    text: example('certificate-expires'),
    inputs: { name: 'a.example', expires: '2026-09-25', days: '21' },
    done: [
      "Math.floor((Date.parse('2026-09-25') - Date.now()) / 86400000)",
      'a.example expires in 3 days: on 2026-09-25.',
    ],
    state: 'done',
  },
  {
    name: 'the weekly report',
    text: example('weekly-report'),
    inputs: { numbers: 'deployer', tickets: '', about: 'week' },
    webhook: () => ok('42 orders'),
    done: ['{"report":"weekly"}', 'week', 'In words', 'In words'],
    state: 'done',
  },
];

const wordsOf = ({ text, args }: Action): string => {
  if (text !== undefined) return text;
  const { body, question, expression, query, text: said } = args ?? {};
  return body === undefined ? String(question ?? expression ?? query ?? said) : JSON.stringify(body);
};

/** Words of what the steps did, by their signals; `unknown` beside those nobody knows of. */
const doneIn = async (space: string): Promise<readonly string[]> => {
  const found: string[] = [];
  const run = await loadRun(dynamo.table, space, RUN);
  for (let n = 1; n <= (run?.n ?? 0); n += 1) {
    for (const id of [`${RUN}/s${n}`, `${RUN}/s${n}/q`]) {
      const { items } = await dynamo.table.query({ pk: signalKeys.partition(space, id), isConsistent: true });
      const item = items.find(({ sk }) => sk === 'decision');
      const { actions } = item === undefined ? { actions: [] } : parseDecision(id, item);
      for (const effect of items
        .filter(({ sk }) => String(sk).startsWith('effect#'))
        .map((one) => parseEffect(id, one))) {
        const action = actions[effect.n]?.action;
        if (action !== undefined && action.author !== 'code' && ['done', 'unknown'].includes(effect.state))
          found.push(wordsOf(action));
      }
    }
  }
  return found;
};

/** A run has hundreds of operations, and each takes a run of its own. `STEPS=all` takes all. */
const thin = (steps: readonly number[]): readonly number[] =>
  TAKES_ALL ? steps : steps.filter((_, index) => index % 40 === 0);

const buildStory = ({ webhook = () => ok('') }: Story): RunbookWorld =>
  buildRunbookWorld(dynamo.table, {
    answer: () => callTool('give-answer', { text: 'In words' }),
    outside: ({ target, args }) =>
      target === 'webhook'
        ? webhook(JSON.stringify(args?.body))
        : { state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' },
  });

const begin = (world: RunbookWorld, { text, inputs }: Story) =>
  world.start(text, { runbook: runbookOf(text), inputs, reply: { target: 'console', to: 'main' } });

/** Minutes pass and every card is approved, until the run has ended. */
const settle = async (world: RunbookWorld): Promise<void> => {
  for (let minute = 0; minute < 90; minute += 1) {
    if ((await world.pending()).length > 0) await world.tap('approve', false);
    if (!isLive(await world.load())) return;
    await world.minutes(1);
  }
};

describe.each(stories)('crash at every operation: $name', (story) => {
  const play = async (k: number, losesQueues: boolean): Promise<number> => {
    const world = buildStory(story);
    world.simulation.crashAt(k);
    await begin(world, story);
    if (losesQueues) {
      world.simulation.loseQueues();
      await world.recover();
    }
    await settle(world);
    await world.minutes(3);
    const run = await world.load();
    expect([run.state, await doneIn(world.space)]).toStrictEqual([story.state, story.done]);
    return world.simulation.operations();
  };

  it.each([
    ['and the queues go on', false],
    ['and the queues are lost', true],
  ] as const)('goes on and repeats nothing, %s', async (_name, losesQueues) => {
    const steps = await play(Number.POSITIVE_INFINITY, losesQueues);
    for (const k of thin(sampleSteps(`${story.name} ${losesQueues}`, 1, steps)))
      await atStep(k, () => play(k, losesQueues));
  });
});

describe.each(stories)('a stop after every delivery: $name', (story) => {
  /** @returns deliveries until the end */
  const play = async (k: number): Promise<number> => {
    const world = buildStory(story);
    const { simulation, space } = world;
    let deliveries = 0;
    let before: readonly string[] | undefined;
    const stop = async () => {
      before = await doneIn(space);
      const deps = {
        hooks: ENDING_HOOKS,
        table: simulation.table,
        loadGateSet: async () => GATE_SET,
        publishPerceive: async () => {},
        space,
        now: simulation.now(),
      };
      await stopRun(deps, RUN, { id: 'tg-1-9', sender: { id: 'telegram:7', isApprover: true } });
    };
    await world.begin(story.text, {
      runbook: runbookOf(story.text),
      inputs: story.inputs,
      reply: { target: 'console', to: 'main' },
    });
    for (let minute = 0; minute < 90; minute += 1) {
      while (simulation.queue.length > 0) {
        if (deliveries === k) await stop();
        deliveries += 1;
        await simulation.deliverNext();
      }
      if (before === undefined && (await world.pending()).length > 0) await world.tap('approve', false, false);
      else if (!isLive(await world.load()) && simulation.queue.length === 0) break;
      else await world.minutes(1, false);
    }
    if (before === undefined) return deliveries;
    await world.minutes(20);
    const { state } = await world.load();
    expect([state, await doneIn(space), await world.pending()]).toStrictEqual(
      state === 'stopped' ? ['stopped', before, []] : [story.state, story.done, []],
    );
    return deliveries;
  };

  it('performs nothing after it, and leaves no card', async () => {
    const deliveries = await play(Number.POSITIVE_INFINITY);
    for (const k of thin(sampleSteps(`stop ${story.name}`, 1, deliveries - 1))) await atStep(k, () => play(k));
  });
});
