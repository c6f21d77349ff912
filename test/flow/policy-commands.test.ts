/**
 * The policy that `policy init` writes, set unchanged, against no policy: every command that the
 * owner may type has the same outcome at Perceive and at Act. So do the steps of jobs and runbooks.
 */

import { afterAll, describe, expect, it } from 'vitest';
import { buildDefaultPolicy } from '../../infra/features/policy/default-policy.ts';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { importCedar } from '../../lib/core/judge/code/cedar-engine.ts';
import { walkFeed } from '../../lib/core/ledger/walk-feed.ts';
import { buildMemory, type MemoryStore } from '../../lib/core/memory/memory.ts';
import { buildNote } from '../../lib/core/memory/object.ts';
import type { Signal } from '../../lib/core/signal/signal.ts';
import { mcpKey } from '../../lib/core/store/keys.ts';
import { TOOLS } from '../../lib/core/tools/catalogue.ts';
import { occurrenceId } from '../../lib/features/jobs/occurrence.ts';
import { compilePolicy } from '../../lib/features/policy/compile-policy.ts';
import { savePolicySetting } from '../../lib/features/policy/save-policy.ts';
import { type PolicyFlip, tryPolicy } from '../../lib/features/policy/try-policy.ts';
import { putSkill } from '../../lib/features/skills/skill-store.ts';
import { makeJob, sampleJob } from '../features/jobs/sample-job.ts';
import { buildRunbookWorld, RUN, type RunbookWorld, withSteps } from '../features/runbooks/runbook-world.ts';
import { definitionOf, skillText } from '../features/skills/skill-world.ts';
import { startDynamo } from '../support/dynamo.ts';
import { ownerMessage, signalWith } from '../support/simulation.ts';
import { evidenceOf } from './adversity-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const STEPS = [{ say: 'Stretch!' }, { tool: 'remember', args: { text: 'I stretched' } }];
const RUNBOOK = withSteps('{ say: "Hello {{ inputs.service }}" }');

/**
 * What the owner types, in this order, for each command of the table. `@` stands for the id of a
 * note, and `PLAN` for that of a plan. `/forget` comes last, so that the note is there until then.
 */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  help: [''],
  start: [''],
  pair: [''],
  status: [''],
  budget: [''],
  cost: [''],
  why: [''],
  remember: ['the bike is blue', 'the lamp is red'],
  edit: ['@ text the bike is green'],
  project: ['', 'new Garden', 'done Garden'],
  scope: ['', 'session', 'memex'],
  plan: ['list', 'show PLAN', 'approve PLAN'],
  snapshot: ['before'],
  recall: ['bike'],
  memory: ['', 'chats'],
  snapshots: [''],
  diff: ['before'],
  audit: [''],
  focus: ['@', 'off'],
  model: ['', 'auto'],
  provider: [
    'list',
    'add lab https://llm.example/v1 small',
    'add here http://127.0.0.1:9/v1 small',
    'try groq',
    'try test',
    'order test',
  ],
  identity: ['', 'name Ada'],
  skill: [
    'list',
    `add ${JSON.stringify({ files: [skillText('tidy')], trust: 'owner' })}`,
    `file ${JSON.stringify({ text: 'A file.' })}`,
    'show tidy',
    'off gardener',
    'on gardener',
    'remove tidy',
  ],
  mcp: [
    'list',
    'add here https://mcp.example/mcp',
    `accept here ${'0'.repeat(12)}`,
    'events there',
    'logout there',
    'remove there',
  ],
  jobs: [
    '',
    `add ${JSON.stringify({ name: 'stretch', every: '2h', steps: STEPS })}`,
    'pause stretch',
    'resume stretch',
    'dry-run stretch',
    'run stretch',
    'remove stretch',
  ],
  runbook: ['', `run ${JSON.stringify({ runbook: 'test', text: RUNBOOK })}`],
  chats: ['list', 'remove 7'],
  runners: [
    'list',
    `pair ${JSON.stringify({ name: 'desk', codeHash: '0'.repeat(64) })}`,
    'pause desk',
    'resume desk',
    'remove desk',
  ],
  config: ['', 'set TELEGRAM_APPROVERS 7', 'reset TELEGRAM_APPROVERS'],
  approvals: [''],
  approve: ['0'.repeat(32)],
  deny: ['0'.repeat(32)],
  grants: ['', `add ${JSON.stringify({ from: '0'.repeat(32) })}`],
  revoke: ['0123456789ab'],
  resume: ['x y'],
  revert: ['1'],
  rollback: ['before'],
  forget: ['@'],
};

const MINUTE = 60_000;

/** A plan of one step. @returns its id */
const writePlan = async (memory: MemoryStore): Promise<string> => {
  const made = { tags: ['plan'], origin: 'owner', signalId: 'tg-0-1', now: 1, nonce: '0'.repeat(32) } as const;
  const plan = buildNote({ ...made, text: 'Work it out', effectId: 'plan' });
  const step = buildNote({ ...made, text: 'calculate {"expression":"6*7"}', effectId: 'step' });
  const by = { signalId: 'tg-0-1', effectId: 'tg-0-1#0', actor: 'test', now: 1 };
  await memory.edit({ by, edits: () => [{ kind: 'create', object: plan, place: {} }] });
  await memory.edit({
    by: { ...by, effectId: 'tg-0-1#1' },
    edits: () => [{ kind: 'create', object: step, place: { parentId: plan.id } }],
  });
  return plan.id;
};

interface Outcome {
  readonly typed: string;
  readonly tool: string;
  /** At Perceive, and at Act. */
  readonly outcome: string;
  readonly state: string;
}

/** Types every command in a space of its own, and says yes to each card. */
const play = async (policy: string): Promise<{ readonly space: string; readonly outcomes: readonly Outcome[] }> => {
  const world: RunbookWorld = buildRunbookWorld(dynamo.table);
  const { space, simulation } = world;
  if (policy !== '') await savePolicySetting(dynamo.table, space, { text: policy, by: 'test', at: 1 });
  const servers = JSON.stringify([
    { name: 'there', url: 'https://mcp.example/there', by: 'test', at: 1, accepted: [] },
  ]);
  await dynamo.table.put(mcpKey(space), { schemaVersion: 1, round: 1, servers });
  const memory = buildMemory(dynamo.table, space);
  const plan = await writePlan(memory);
  const outcomes: Outcome[] = [];
  const look = async (typed: string, id: string): Promise<void> => {
    const { decision, effects } = await evidenceOf(dynamo.table, space, id);
    const judged = decision?.actions.filter(({ action }) => action.author !== 'code') ?? [];
    for (const [n, { action, outcome }] of judged.entries())
      outcomes.push({ typed, tool: action.tool ?? 'text', outcome, state: effects[n]?.state ?? 'none' });
  };
  let n = 0;
  for (const [name, lines] of Object.entries(TYPED))
    for (const line of lines) {
      n += 1;
      simulation.advance(1_000);
      const [note] = (await memory.list({ limit: 1 })).objects;
      const rest = line.replaceAll('@', note?.id ?? 'none').replace('PLAN', plan);
      const signal = signalWith(space, `tg-1-${n}`, { sensor: 'command', name, rest }, '7', simulation.now());
      await simulation.accept(signal);
      await simulation.drain();
      await look(`/${name} ${line}`, signal.id);
      if ((await world.pending()).length > 0) {
        await world.tap('approve');
        await look(`/${name} ${line}, approved`, signal.id);
      }
    }
  // The runs of the job and the runbook take up their steps.
  await world.minutes(2);
  return { space, outcomes };
};

/** Tries a policy on all that was decided in a space, as `policy try` does. */
const tryOnHistory = async (space: string, text: string) => {
  const policy = compilePolicy(await importCedar(), text);
  const sensors = new Set<string>();
  const flips: PolicyFlip[] = [];
  await walkFeed(dynamo.table, space, 0, (signals) => {
    for (const { id, record, decision = null } of signals) {
      const { session, payload } = record.signal;
      const past = { id, session, attempts: [], decision, isForgotten: false };
      const trial = tryPolicy(GATE_SET, policy, past);
      if (trial.actionCount > 0) sensors.add(payload.sensor);
      flips.push(...trial.flips);
    }
  });
  return { sensors: [...sensors], flips };
};

/** A rule that asks about each note, and how the note below comes about. */
const ASK_NOTES = '@id("notes") @ask("") permit(principal, action == Action::"remember", resource);';
const NO_NOTES = '@id("notes") forbid(principal, action == Action::"remember", resource);';
const KEEP = { tool: 'remember', args: { text: 'the bike is blue' } };

type Propose = (world: RunbookWorld) => Promise<string>;

const type = async ({ space, simulation }: RunbookWorld, change: Partial<Signal> = {}): Promise<string> => {
  const payload = { sensor: 'command', name: 'remember', rest: 'the bike is blue' } as const;
  await simulation.accept({ ...signalWith(space, 'tg-1-1', payload, '7', simulation.now()), ...change });
  await simulation.drain();
  return 'tg-1-1';
};

const runJob: Propose = async ({ space, simulation }) => {
  const from = simulation.now() + MINUTE;
  const when = { kind: 'every', minutes: 10, from } as const;
  await makeJob(dynamo.table, space, sampleJob({ when, work: { kind: 'steps', steps: [KEEP] } }), simulation.now());
  simulation.advance(MINUTE);
  await simulation.tickJobs();
  await simulation.drain();
  return `${occurrenceId('morning', from)}/s1`;
};

const runRunbook: Propose = async (world) => {
  await world.start(withSteps(`{ tool: remember, args: { text: 'the bike is blue' } }`));
  return `${RUN}/s1`;
};

const runHandler: Propose = async (world) => {
  const { space, simulation } = world;
  const body = `function handler() { return { do: [${JSON.stringify(KEEP)}] }; }`;
  await putSkill(
    dynamo.table,
    { space, by: 'telegram:7', now: 5, signalId: 'tg-9-1' },
    {
      definition: definitionOf('helper', {
        handlers: [{ name: 'react', file: 'react.js', on: ['sensor:chat-message'] }],
      }),
      files: [skillText('helper'), { path: 'react.js', text: body }],
      trust: 'owner',
    },
  );
  await simulation.accept(ownerMessage(space, 1, 'hello'));
  await simulation.drain();
  return 'tg-1-1/hs0';
};

const MEMBER = { sender: { id: 'telegram:9', isApprover: false } };

describe("the owner's policy", () => {
  it.each<[string, string, Propose, string, string]>([
    ['asks about a step of a job', ASK_NOTES, runJob, 'ask', 'suspended'],
    ['asks about a step of a runbook', ASK_NOTES, runRunbook, 'ask', 'suspended'],
    ["asks about what a skill's handler does", ASK_NOTES, runHandler, 'ask', 'suspended'],
    ['takes a typed command for a yes', ASK_NOTES, type, 'pass', 'done'],
    ["takes nobody else's command for one", ASK_NOTES, (world) => type(world, MEMBER), 'ask', 'refused'],
    ['forbids a typed command', NO_NOTES, type, 'block', 'refused'],
    ['forbids a step of a job', NO_NOTES, runJob, 'block', 'refused'],
    ['forbids a step of a runbook', NO_NOTES, runRunbook, 'block', 'refused'],
    ["forbids what a skill's handler does", NO_NOTES, runHandler, 'block', 'refused'],
  ])('%s', async (_, policy, propose, outcome, state) => {
    const world = buildRunbookWorld(dynamo.table);
    await savePolicySetting(dynamo.table, world.space, { text: policy, by: 'test', at: 1 });
    const { decision, effects } = await evidenceOf(dynamo.table, world.space, await propose(world));
    expect(decision?.actions.map((judged) => judged.outcome)).toStrictEqual([outcome]);
    expect(effects.map((effect) => effect.state)).toStrictEqual([state]);
  });
});

describe('the policy that policy init writes, unchanged', () => {
  it("lets every owner's command do what it does without a policy", async () => {
    const untouched = buildDefaultPolicy();
    const { outcomes: without, space } = await play('');
    expect((await play(untouched)).outcomes).toStrictEqual(without);
    const called = new Set(without.map(({ tool }) => tool));
    // An editor's tree, a message's file and a login of a terminal come in without a command.
    const uncommanded = ['ingest', 'ingest-file', 'read-attachment', 'log-in-mcp-server'];
    const forPeople = TOOLS.filter(({ isForPeople, name }) => isForPeople === true && !uncommanded.includes(name));
    expect(forPeople.map(({ name }) => name).filter((name) => !called.has(name))).toStrictEqual([]);
    expect(without.filter(({ state }) => state === 'refused')).toStrictEqual([]);
    expect(await tryOnHistory(space, untouched)).toStrictEqual({
      sensors: expect.arrayContaining(['command', 'run-step']),
      flips: [],
    });
  });
});
