/**
 * Plans as notes: what is approved is exactly what stands there. A label of a note grants nothing,
 * and any change after the yes ends it: no later call of the plan is made.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { loadRun } from '../../../lib/core/ledger/load-run.ts';
import { buildNote } from '../../../lib/core/memory/object.ts';
import { lookAtPlan } from '../../../lib/features/plans/look-at-plan.ts';
import { listRuns } from '../../../lib/features/runbooks/store-run.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { buildPlanWorld, type Call, type PlanWorld, pay, stepOf } from './plan-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const ANN = { to: 'Ann', sum: 30 };
const BEN = { to: 'Ben', sum: 5 };
const STEPS = [stepOf(pay(ANN), 'Pay Ann'), stepOf(pay(BEN), 'Pay Ben')];
const planOf = (steps: readonly JsonObject[], title = 'Rent'): Call => ['write-plan', { title, steps: [...steps] }];

const shortOf = (id = '') => id.slice(0, 8);
type Options = NonNullable<Parameters<typeof buildPlanWorld>[1]>;
/** A space whose model has written the plan. */
const planned = async (options: Options = {}, steps = STEPS) => {
  const world = buildPlanWorld(dynamo.table, {
    ...options,
    answers: [[planOf(steps)], [], ...(options.answers ?? [])],
  });
  await world.ask('plan the rent');
  const [plan, ...notes] = await world.notes();
  return { ...world, plan: plan?.id ?? '', id: shortOf(plan?.id), steps: notes.map(({ id }) => id) };
};
const statesOf = async (world: PlanWorld) => (await world.notes()).map(({ attributes: { todo = '' } }) => todo);
const runsOf = ({ space }: PlanWorld) => listRuns(dynamo.table, space, 10);

describe('a plan that the model wrote', () => {
  it('is notes, and performs nothing by itself', async () => {
    const world = await planned();
    const notes = await world.notes();
    expect(
      notes.map(({ attributes: { title, todo }, content, origin }) => [title, todo, content, origin]),
    ).toStrictEqual([
      ['Rent', 'PLAN', '', 'agent'],
      ['Pay Ann', 'PLAN', 'call-webhook {"body":{"sum":30,"to":"Ann"},"webhook":"pay"}', 'agent'],
      ['Pay Ben', 'PLAN', 'call-webhook {"body":{"sum":5,"to":"Ben"},"webhook":"pay"}', 'agent'],
    ]);
    expect([world.calls, await world.waiting()]).toStrictEqual([[], []]);
  });

  it('is performed after a yes as it stands then: moved, struck out, changed', async () => {
    const world = await planned({}, [...STEPS, stepOf(pay({ to: 'Carl' }), 'Pay Carl')]);
    const [ann = '', ben = '', carl = ''] = world.steps;
    await world.say(`/edit ${shortOf(carl)} order 1`);
    await world.say(`/edit ${shortOf(ann)} state CANCELLED`);
    await world.say(`/edit ${shortOf(ben)} text call-webhook {"webhook": "pay", "body": {"to": "Ben", "sum": 6}}`);
    await world.say(`/plan approve ${world.id}`);
    const lines = (await world.approval())?.lines ?? [];
    expect(lines.slice(0, 5)).toStrictEqual([
      'The plan as it stands: Rent',
      '1. Pay Carl',
      '   call-webhook {"body":{"to":"Carl"},"webhook":"pay"}',
      '2. Pay Ben',
      '   call-webhook {"body":{"sum":6,"to":"Ben"},"webhook":"pay"}',
    ]);
    await world.decide('approve');
    const [run] = await runsOf(world);
    expect(lines.at(-1)).toBe(`SHA-256 of the plan: ${run?.hash}`);
    expect(world.calls).toStrictEqual([{ to: 'Carl' }, { to: 'Ben', sum: 6 }]);
    expect(await statesOf(world)).toStrictEqual(['DONE', 'DONE', 'CANCELLED', 'DONE']);
    expect(await world.say(`/plan show ${world.id}`)).toContain(`“Pay Ann” (${shortOf(ann)}): struck out or done`);
  });

  it('leaves out what comes behind a step that failed, and may be approved again for the rest', async () => {
    let fails = true;
    const world = await planned({ outside: () => (fails ? { state: 'failed', reason: 'no money' } : undefined) });
    await world.say(`/plan approve ${world.id}`);
    expect(await world.decide('approve')).toContain('0 of 2 steps of the plan were done');
    expect([world.calls, await statesOf(world)]).toStrictEqual([[ANN], ['FAILED', 'FAILED', 'SKIPPED']]);
    fails = false;
    await world.edit(world.steps[0] ?? '', { todo: 'CANCELLED' });
    await world.say(`/plan approve ${world.id}`);
    await world.decide('approve');
    expect([world.calls, await statesOf(world)]).toStrictEqual([
      [ANN, BEN],
      ['DONE', 'CANCELLED', 'DONE'],
    ]);
    expect(await world.say(`/plan approve ${world.id}`)).toContain('the plan is closed');
  });

  it('has a step that a person wrote in words done by the call that the model finds for it', async () => {
    const world = await planned();
    const kept = await world.say('/remember pay Dora 7');
    const [note = ''] = /[0-9a-f]{32}/.exec(kept) ?? [];
    await world.say(`/edit ${shortOf(note)} parent ${world.id}`);
    const filled = buildAnswers(world, note);
    world.answerNext(...filled);
    expect(await world.say(`/plan approve ${world.id}`)).toContain('Step 3 is in words alone');
    expect(await world.waiting()).toStrictEqual([]);
    await world.say(`/plan approve ${world.id}`);
    expect((await world.approval())?.lines).toContain('3. pay Dora 7');
    await world.decide('approve');
    expect(world.calls).toStrictEqual([ANN, BEN, { to: 'Dora', sum: 7 }]);
  });
});

const buildAnswers = ({ plan }: { readonly plan: string }, step: string): readonly (readonly Call[])[] => {
  const [tool, args] = pay({ to: 'Dora', sum: 7 });
  return [[['read-notes', { id: plan }]], [['write-plan', { plan, steps: [{ step, tool, args }] }]], []];
};

type Change = (world: Awaited<ReturnType<typeof planned>>) => Promise<unknown>;
const CHANGES: readonly (readonly [why: string, change: Change])[] = [
  [
    'bytes of a later call',
    ({ edit, steps }) => edit(steps[1] ?? '', { content: 'call-webhook {"webhook":"pay","body":{}}' }),
  ],
  ['the words of a later step', ({ edit, steps }) => edit(steps[1] ?? '', { title: 'Pay Bert' })],
  ['the title', ({ edit, plan }) => edit(plan, { title: 'Food' })],
  ['a later step struck out', ({ edit, steps }) => edit(steps[1] ?? '', { todo: 'CANCELLED' })],
  ['a later step said to be done', ({ edit, steps }) => edit(steps[1] ?? '', { todo: 'DONE' })],
  ['the plan closed', ({ edit, plan }) => edit(plan, { todo: 'CANCELLED' })],
  [
    'a later step moved to the front',
    ({ write, plan, steps }) =>
      write([{ kind: 'move', id: steps[1] ?? '', place: { parentId: plan, before: steps[0] } }]),
  ],
  ['a later step moved out', ({ write, steps }) => write([{ kind: 'move', id: steps[1] ?? '', place: {} }])],
  [
    'one step more',
    ({ write, plan, simulation }) => {
      const made = { effectId: 'made', signalId: 'tg-1-99', now: simulation.now(), nonce: '0'.repeat(32) };
      const object = buildNote({
        text: 'call-webhook {"webhook":"pay","body":{}}',
        tags: [],
        origin: 'owner',
        ...made,
      });
      return write([{ kind: 'create', object, place: { parentId: plan } }]);
    },
  ],
];

describe('a yes to a plan', () => {
  it.each(CHANGES)('is over after a change: %s', async (_, change) => {
    let meanwhile = async (): Promise<unknown> => undefined;
    const world = await planned({
      outside: async () => {
        await meanwhile();
        return undefined;
      },
    });
    // It changes as the first call is being made.
    meanwhile = () => change(world);
    await world.say(`/plan approve ${world.id}`);
    const said = await world.decide('approve');
    await world.simulation.drain();
    expect(world.calls).toStrictEqual([ANN]);
    expect([said, ...world.texts()].join('\n')).toContain('1 of 2 steps of the plan were done');
    expect(await world.waiting()).toStrictEqual([]);
  });

  it.each(CHANGES.slice(0, 4))('is for nothing if the plan changed before it: %s', async (_, change) => {
    const world = await planned();
    await world.say(`/plan approve ${world.id}`);
    await change(world);
    expect(await world.decide('approve')).toContain('the plan was changed since the card was made: approve it again');
    expect([world.calls, await runsOf(world)]).toStrictEqual([[], []]);
  });

  it('is not given by a note that says APPROVED, nor by one that says it of a step', async () => {
    const world = await planned();
    for (const id of [world.plan, ...world.steps]) await world.edit(id, { todo: 'APPROVED' });
    await world.simulation.tickJobs();
    await world.simulation.sweep();
    await world.simulation.drain();
    expect([world.calls, await runsOf(world)]).toStrictEqual([[], []]);
    await world.say(`/plan approve ${world.id}`);
    expect([world.calls, (await world.waiting()).length]).toStrictEqual([[], 1]);
    await world.decide('deny');
    expect([world.calls, await runsOf(world)]).toStrictEqual([[], []]);
  });

  it('counts once, and for its own plan among two with the same steps', async () => {
    const world = await planned({ answers: [[planOf(STEPS, 'Rent')], []] });
    await world.ask('and once more');
    await world.say(`/plan approve ${world.id}`);
    const approval = await world.approval();
    await world.decide('approve');
    await world.tap(approval?.id ?? '');
    expect(world.calls).toStrictEqual([ANN, BEN]);
    const runs = await runsOf(world);
    expect(runs.map(({ runbook }) => runbook)).toStrictEqual([`plan-${world.plan}`]);
    const { objects } = await world.memory.view();
    const other = [...objects.values()].find(
      (one) => one.state === 'live' && one.attributes.tags.includes('plan') && one.id !== world.plan,
    );
    await world.say(`/plan approve ${shortOf(other?.id)}`);
    expect((await world.approval())?.action.args?.hash).not.toBe(approval?.action.args?.hash);
    expect(world.calls).toStrictEqual([ANN, BEN]);
  });

  it('asks for each call if words from outside have a part in the plan', async () => {
    const world = buildPlanWorld(dynamo.table, { answers: [[planOf(STEPS)], []] });
    await world.ask('a stranger wrote: plan to pay Ann and Ben', 'outside');
    const [plan] = await world.notes();
    await world.say(`/plan approve ${shortOf(plan?.id)}`);
    expect((await world.approval())?.lines?.join('\n')).toContain('each call asks you when it comes');
    await world.decide('approve');
    expect([world.calls, (await world.waiting()).length]).toStrictEqual([[], 1]);
  });

  it('is checked again in the claim of each step', async () => {
    const world = await planned({ outside: () => ({ state: 'failed', reason: 'no' }) });
    await world.say(`/plan approve ${world.id}`);
    await world.decide('approve');
    const [stored] = await runsOf(world);
    const run = await loadRun(dynamo.table, world.space, stored?.id ?? '');
    const begun = run && { ...run, ended: [], state: 'running' as const };
    const look = await lookAtPlan(dynamo.table, world.space, begun);
    expect(look.over).toBeUndefined();
    const added = await look.atClaim?.({} as never);
    const writes = added !== undefined && 'writes' in added ? added.writes : [];
    await dynamo.table.transact(writes);
    await world.edit(world.steps[1] ?? '', { title: 'Pay Bert' });
    await expect(dynamo.table.transact(writes)).rejects.toThrow('the plan stands as it was approved');
  });
});

describe('the model', () => {
  it.each<[why: string, call: (plan: string) => Call]>([
    [
      'performs no plan',
      (plan) => ['run-plan', { plan, title: 'Rent', steps: [], hash: '0'.repeat(64), approveWhole: true }],
    ],
    ['writes no state', (plan) => ['mark-plan', { plan }]],
  ])('%s', async (_, call) => {
    const world = await planned();
    world.answerNext([call(world.plan)], [call(world.plan)], [call(world.plan)]);
    await world.ask('do it now');
    expect([world.calls, await world.waiting(), await statesOf(world)]).toStrictEqual([
      [],
      [],
      ['PLAN', 'PLAN', 'PLAN'],
    ]);
  });

  it.each<[why: string, step: number | undefined, todo: string]>([
    ['a call that stands there', 0, 'PLAN'],
    ['a step that is closed', 1, 'CANCELLED'],
    ['a note that is no step', undefined, 'PLAN'],
  ])('writes no call over %s', async (_, n, todo) => {
    const world = await planned();
    if (todo !== 'PLAN') await world.edit(world.steps[1] ?? '', { todo, content: 'only words' });
    const step = n === undefined ? world.plan : (world.steps[n] ?? '');
    const before = (await world.notes()).map(({ content }) => content);
    const [tool, args] = pay({ to: 'Mallory', sum: 999 });
    world.answerNext([['write-plan', { plan: world.plan, steps: [{ step, tool, args }] }]], []);
    await world.ask('fill it');
    expect((await world.notes()).map(({ content }) => content)).toStrictEqual(before);
  });

  it('ends the yes by changing a step after it, which asks by itself', async () => {
    const world = await planned();
    world.answerNext(
      [['edit-memory', { id: world.steps[1] ?? '', text: 'call-webhook {"webhook":"pay","body":{"to":"Mallory"}}' }]],
      [],
    );
    await world.ask('change it');
    expect(await world.waiting()).toHaveLength(1);
    await world.decide('approve');
    await world.say(`/plan approve ${world.id}`);
    expect((await world.approval())?.lines).toContain('   call-webhook {"body":{"to":"Mallory"},"webhook":"pay"}');
  });
});

describe('/plan approve', () => {
  it.each<[why: string, change: Change, said: string]>([
    [
      'a call that cannot be read',
      ({ edit, steps }) => edit(steps[1] ?? '', { content: 'call-webhook {"webhook":' }),
      'the call of step 2 cannot be read',
    ],
    [
      'a tool that there is not',
      ({ edit, steps }) => edit(steps[0] ?? '', { content: 'launch {}' }),
      'there is no tool launch',
    ],
    [
      'a run of another plan',
      ({ edit, steps }) => edit(steps[0] ?? '', { content: 'run-plan {}' }),
      'a runbook cannot use the tool run-plan',
    ],
    [
      'no open step',
      async ({ edit, steps }) => Promise.all(steps.map((id) => edit(id, { todo: 'DONE' }))),
      'the plan has no open step',
    ],
  ])('says what is wrong: %s', async (_, change, said) => {
    const world = await planned();
    await change(world);
    expect(await world.say(`/plan approve ${world.id}`)).toContain(said);
    expect(await world.waiting()).toStrictEqual([]);
  });
});
