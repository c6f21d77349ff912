/**
 * Jobs of built-in skills: the heartbeat makes those that are missing, `/skill off` and `/skill on`
 * pause and resume them, and the evidence verifies. Auto-save through the real stages.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { JOB_DATA_VERSION, START_DATA_VERSION } from '../../lib/core/base/data-version.ts';
import { verifyExport } from '../../lib/core/evidence/verifier/verify-export.ts';
import { homeOf } from '../../lib/core/signal/home.ts';
import { raiseDataVersion, storedDataVersion } from '../../lib/core/store/data-version.ts';
import type { Variables } from '../../lib/core/store/settings.ts';
import { changeJob } from '../../lib/features/jobs/change-job.ts';
import type { JobDefinition } from '../../lib/features/jobs/job.ts';
import { listLiveJobs, loadHistory, loadJob } from '../../lib/features/jobs/read-jobs.ts';
import { computeMoments } from '../../lib/features/jobs/verifier-knowledge.ts';
import { BUILT_IN } from '../../lib/features/skills/built-in.ts';
import { jobNamesOf } from '../../lib/features/skills/choose-skill.ts';
import { keepBuiltInJobs } from '../../lib/features/skills/maintenance.ts';
import { buildLogWorld, keyOf } from '../core/log/log-world.ts';
import { makeJob, sampleJob } from '../features/jobs/sample-job.ts';
import { startDynamo } from '../support/dynamo.ts';
import { signalWith } from '../support/simulation.ts';
import { callTool } from './adversity-world.ts';

const MINUTE = 60_000;
const JOB = 'auto-save-snapshot';
const builtInJobs = BUILT_IN.flatMap(({ definition }) => jobNamesOf(definition));

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const open = (variables: Variables = {}) => {
  const world = buildLogWorld(dynamo, { variables });
  const { simulation, space, memory } = world;
  let sent = 0;
  const answers = async (name: string, rest: string) => {
    sent += 1;
    const before = simulation.sent.length;
    simulation.advance(1_000);
    await simulation.accept(
      signalWith(space, `tg-2-${sent}`, { sensor: 'command', name, rest }, '7', simulation.now()),
    );
    await simulation.drain();
    return simulation.sent
      .slice(before)
      .map(({ text }) => text)
      .join('\n');
  };
  return {
    ...world,
    answers,
    stateOf: async (name = JOB) => (await loadJob(dynamo.table, space, name))?.state,
    keep: (more: Partial<Parameters<typeof keepBuiltInJobs>[0]> = {}) =>
      keepBuiltInJobs({
        table: dynamo.table,
        space,
        now: simulation.now(),
        zone: 'UTC',
        home: homeOf('7'),
        ...more,
      }),
    minutes: async (count: number) => {
      for (let minute = 0; minute < count; minute += 1) {
        simulation.advance(MINUTE);
        await simulation.tickJobs();
        await simulation.drain();
      }
    },
    names: async () => (await memory.snapshots()).map(({ name }) => name),
  };
};

describe('keepBuiltInJobs', () => {
  it('makes what is missing once, raises the version of the data, and keeps what a person decided', async () => {
    const world = open();
    await raiseDataVersion(dynamo.table, world.space);
    expect(await storedDataVersion(dynamo.table, world.space)).toBe(START_DATA_VERSION);
    const made = await world.keep();
    expect(made).toBeGreaterThan(0);
    expect(await storedDataVersion(dynamo.table, world.space)).toBe(JOB_DATA_VERSION);
    expect(await world.keep()).toBe(0);
    expect(await world.stateOf()).toBe('active');
    await world.answers('jobs', `remove ${JOB}`);
    expect(await world.keep()).toBe(0);
    expect(await world.stateOf()).toBe('removed');
    expect(await world.answers('skill', 'on auto-save')).toContain(`Its job ${JOB} is active.`);
  });

  it('makes nothing for a skill that is off, and leaves a job of the same name that is the owner’s', async () => {
    const world = open();
    await world.answers('skill', 'off auto-save');
    await world.keep();
    expect(await world.stateOf()).toBeUndefined();
    await world.answers('skill', 'on auto-save');
    expect(await world.stateOf()).toBe('active');
    const other = open();
    await makeJob(
      dynamo.table,
      other.space,
      sampleJob({ name: JOB, when: { kind: 'every', minutes: 60, from: 0 } }),
      other.simulation.now(),
    );
    await other.keep();
    expect((await loadJob(dynamo.table, other.space, JOB))?.version).toBe(1);
  });

  it('gives a job the work of this release and the home chat of today, and keeps a time that a person set', async () => {
    const world = open();
    await world.keep();
    const current = await loadJob(dynamo.table, world.space, JOB);
    if (current === undefined) throw new Error('no job');
    const change = (by: string, definition: JobDefinition) =>
      changeJob(
        dynamo.table,
        {
          space: world.space,
          signalId: `x-${by}`,
          effectId: `${world.space}/x-${by}#0`,
          by,
          now: world.simulation.now(),
        },
        JOB,
        () => ({ definition, state: 'active', why: 'edited' }),
      );
    const { definition } = current;
    const old: JobDefinition = {
      ...definition,
      work: { kind: 'steps', steps: [{ tool: 'recall', args: {} }] },
      to: [{ target: 'telegram', to: '8' }],
    };
    await change('system', old);
    world.simulation.advance(MINUTE);
    expect(await world.keep()).toBe(1);
    expect((await loadJob(dynamo.table, world.space, JOB))?.definition).toStrictEqual(definition);
    const ofPerson: JobDefinition = { ...old, pauseAfter: 9 };
    await change('telegram:7', ofPerson);
    world.simulation.advance(MINUTE);
    expect(await world.keep()).toBe(1);
    expect((await loadJob(dynamo.table, world.space, JOB))?.definition).toStrictEqual({
      ...ofPerson,
      work: definition.work,
    });
  });

  it('answers the owner where nobody asked: in the home chat, else at the console, else nowhere', () => {
    expect(homeOf('-100')).toStrictEqual({ target: 'telegram', to: '-100' });
    expect(homeOf('@name')).toStrictEqual({ target: 'console', to: 'main' });
    expect(homeOf(undefined)).toStrictEqual({ target: 'console', to: 'main' });
    expect(homeOf('', 'system')).toBeUndefined();
  });
});

describe('a day of built-in maintenance', () => {
  it('runs each job once, asks no model, and says nothing if there is nothing to say', async () => {
    const world = open();
    await world.keep();
    await world.answers('remember', 'the bike is blue');
    const before = world.simulation.sent.length;
    const untilSeven = Date.UTC(2026, 8, 22, 6, 58) - world.simulation.now();
    world.simulation.advance(untilSeven);
    await world.minutes(10);
    world.simulation.advance(110 * MINUTE);
    await world.minutes(15);
    for (const name of ['gardener-daily', 'learning-daily']) {
      const [last] = await loadHistory(dynamo.table, world.space, name, 5);
      expect(last?.occurrence, `${name}: ${last?.occurrence.why}`).toMatchObject({ state: 'fired' });
      expect(last?.occurrence.closedAt).toBeDefined();
    }
    expect(world.simulation.sent.slice(before).map(({ text }) => text)).toStrictEqual([]);
    expect(world.simulation.modelCalls()).toBe(0);
    for (const name of ['scribe-hourly', 'reflection-regular']) expect(await world.stateOf(name)).toBeUndefined();
    expect(await world.answers('skill', 'on scribe')).toContain('Its job scribe-hourly is active.');
    expect(await world.answers('skill', 'off scribe')).toContain('Its job scribe-hourly is paused.');
  });
});

describe('auto-save', () => {
  it('saves five minutes after a change, says nothing to anybody, and its evidence verifies', async () => {
    const world = open();
    await world.keep();
    await world.minutes(20);
    expect(await world.names()).toStrictEqual([]);
    await world.answers('remember', 'the bike is blue');
    const before = world.simulation.sent.length;
    await world.minutes(12);
    expect((await world.names()).length).toBe(1);
    await world.minutes(30);
    expect((await world.names()).length).toBe(1);
    for (let n = 0; n < 30; n += 1) {
      await world.memory.remember({
        text: `note ${n}`,
        tags: [],
        origin: 'owner',
        effectId: `con-${n}#0`,
        signalId: `con-${n}`,
        now: world.simulation.now(),
        nonce: '0'.repeat(32),
      });
      await world.minutes(1);
    }
    // Every ten minutes while memory changes all the time.
    expect((await world.names()).length).toBeGreaterThanOrEqual(3);
    expect(world.simulation.sent.slice(before)).toStrictEqual([]);
    expect(world.simulation.modelCalls()).toBe(0);
  });

  it.each<[string, string, readonly [minutes: number, snapshots: number][]]>([
    [
      'as it was set',
      '30',
      [
        [29, 0],
        [11, 1],
      ],
    ],
    ['of a changed setting from the next look on', '1440', [[60, 0]]],
  ])('keeps a change unsaved for the minutes %s', async (name, minutes, looks) => {
    const world = open({ MEMORY_AUTO_SAVE_MINUTES: name.startsWith('as') ? minutes : '5' });
    if (!name.startsWith('as'))
      expect(await world.answers('config', `set MEMORY_AUTO_SAVE_MINUTES ${minutes}`)).toContain(minutes);
    await world.keep();
    await world.answers('remember', 'the bike is blue');
    for (const [passed, count] of looks) {
      await world.minutes(passed);
      expect((await world.names()).length).toBe(count);
    }
  });

  it.each(['4', '1441', 'often', ''])('takes no interval of %j minutes', async (minutes) => {
    const answer = await open().answers('config', `set MEMORY_AUTO_SAVE_MINUTES ${minutes}`);
    expect(answer).toMatch(minutes === '' ? /value/ : /MEMORY_AUTO_SAVE_MINUTES must be .*5.*1,?440/);
  });

  it('is switched off and on with its jobs, by commands that the evidence shows', async () => {
    const world = open();
    await world.keep();
    await world.answers('remember', 'the bike is blue');
    await world.minutes(11);
    expect(await world.answers('skill', 'off auto-save')).toContain(`Its job ${JOB} is paused.`);
    expect(await world.stateOf()).toBe('paused');
    await world.minutes(3);
    expect(await world.answers('skill', 'on auto-save')).toContain(`Its job ${JOB} is active.`);
    await world.minutes(12);
    await world.run();
    const { lines, problems } = await world.exportLines();
    expect(problems).toStrictEqual([]);
    const options = { now: world.simulation.now(), key: keyOf(world.space), momentsBetween: computeMoments };
    expect(await verifyExport(lines, { ...options, builtInJobs })).toMatchObject({ status: 'verified' });
    expect(await verifyExport(lines, options)).toMatchObject({ status: 'wrong', wrong: { kind: 'job' } });
    const { jobs } = await listLiveJobs(dynamo.table, world.space);
    expect(jobs.map(({ name }) => name)).toStrictEqual(
      builtInJobs.filter((name) => jobs.some((one) => one.name === name)).toSorted(),
    );
  });

  it('is called by no model and in no other turn', async () => {
    const world = buildLogWorld(dynamo, { answer: () => callTool('auto-save', {}) });
    await world.memory.remember({
      text: 'note',
      tags: [],
      origin: 'owner',
      effectId: 'con-1#0',
      signalId: 'con-1',
      now: world.simulation.now(),
      nonce: '0'.repeat(32),
    });
    await world.say('save it');
    expect(await world.memory.snapshots()).toStrictEqual([]);
  });
});
