/**
 * Jobs through the real stages: what is due runs once and is accounted for, whatever happens to the
 * ticks and to the process.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { JOB_DATA_VERSION, START_DATA_VERSION } from '../../../lib/core/base/data-version.ts';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { buildRecordItem } from '../../../lib/core/ledger/record.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { ActuatorResult } from '../../../lib/core/signal/actuator.ts';
import { raiseDataVersion } from '../../../lib/core/store/data-version.ts';
import { dataVersionKey, indexPartitions, jobKeys, signalKeys } from '../../../lib/core/store/keys.ts';
import { changeJob } from '../../../lib/features/jobs/change-job.ts';
import type { JobDefinition } from '../../../lib/features/jobs/job.ts';
import { loadHistory, loadJob } from '../../../lib/features/jobs/read-jobs.ts';
import { findRunbook } from '../../../lib/features/runbooks/find-runbook.ts';
import { callTool, newSpace } from '../../flow/adversity-world.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { sampleSteps } from '../../support/sample.ts';
import { type Answer, buildSimulation, type Simulation, signalWith } from '../../support/simulation.ts';
import { makeJob, sampleJob } from './sample-job.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const dynamo = await startDynamo();
afterAll(dynamo.stop);

interface World {
  readonly space: string;
  readonly simulation: Simulation;
  readonly start: number;
  readonly make: (definition: JobDefinition) => Promise<unknown>;
  readonly tick: () => Promise<number>;
  /** Minutes pass with a tick at the end of each, and everything is delivered. */
  readonly run: (minutes: number) => Promise<void>;
  /** `<state> <minutes after the start>` with the reason, the oldest first. */
  readonly history: (name?: string) => Promise<readonly string[]>;
}

const buildWorld = (
  answer: () => Answer = () => ({ content: 'Here it is' }),
  outside?: (action: Action) => ActuatorResult,
): World => {
  const space = newSpace();
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer,
    ...(outside === undefined ? {} : { outside }),
    webhookUrls: { deploy: 'https://deploy.example/hook' },
  });
  const start = simulation.now();
  const tick = () => simulation.tickJobs();
  return {
    space,
    simulation,
    start,
    tick,
    make: (definition) => makeJob(dynamo.table, space, definition, simulation.now()),
    run: async (minutes) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        simulation.advance(MINUTE);
        await tick();
        await simulation.drain();
      }
    },
    history: async (name = 'morning') =>
      (await loadHistory(dynamo.table, space, name, 100))
        .map(({ occurrence: { state, instant, why, closedAt } }) =>
          [
            `${state} ${(instant - start) / MINUTE}`,
            ...(why === undefined ? [] : [why]),
            ...(closedAt ? [] : ['open']),
          ].join(', '),
        )
        .reverse(),
  };
};

const everyTen = (start: number): JobDefinition['when'] => ({ kind: 'every', minutes: 10, from: start + 10 * MINUTE });

/** The process dies once, and a new one goes on. */
const survive =
  ({ simulation }: World) =>
  (error: unknown): void => {
    if (!String(error).includes('after operation')) throw error;
    simulation.crashAt(Number.POSITIVE_INFINITY);
  };

describe('a job of steps', () => {
  it('runs at each moment without a model, and its history says so', async () => {
    const world = buildWorld();
    await world.make(sampleJob({ when: everyTen(world.start) }));
    await world.run(31);
    expect(world.simulation.sent.map(({ to, text }) => [to, text])).toStrictEqual([
      ['7', 'Good morning'],
      ['7', 'Good morning'],
      ['7', 'Good morning'],
    ]);
    expect(await world.history()).toStrictEqual(['fired 10', 'fired 20', 'fired 30']);
    expect(world.simulation.modelCalls()).toBe(0);
  });

  it('runs each minute: a run is closed when its turn ends', async () => {
    const world = buildWorld();
    await world.make(sampleJob({ when: { kind: 'every', minutes: 1, from: world.start + MINUTE } }));
    await world.run(6);
    const fired = [1, 2, 3, 4, 5].map((minute) => `fired ${minute}`);
    expect(await world.history()).toStrictEqual([...fired, 'fired 6']);
  });

  it('sends its result to every destination, and fails if one of them did not get it', async () => {
    const to = [
      { target: 'telegram', to: '7' },
      { target: 'webhook', to: 'deploy' },
    ] as const;
    const works: readonly (readonly [JobDefinition['work'], string])[] = [
      [{ kind: 'steps', steps: [{ say: 'Good morning' }] }, 'step 1'],
      [{ kind: 'prompt', text: 'Greet me' }, 'call-webhook'],
    ];
    for (const [work, name] of works)
      for (const [isUp, expected] of [
        [true, 'fired 10'],
        [false, `failed 10, ${name} was not done: it is away`],
      ] as const) {
        const world = buildWorld(undefined, ({ target }) =>
          isUp || target !== 'webhook'
            ? { state: 'done', output: '', origin: 'agent' }
            : { state: 'failed', reason: 'it is away' },
        );
        await world.make(sampleJob({ when: everyTen(world.start), work, to: [...to] }));
        await world.run(12);
        expect(await world.history()).toStrictEqual([expected]);
        expect(world.simulation.sent.map(({ target }) => target)).toStrictEqual(
          isUp ? ['telegram', 'webhook'] : ['telegram'],
        );
      }
  });

  it('runs once, wherever the process dies, and however many ticks there are', async () => {
    const whole = buildWorld();
    const story = async (world: World): Promise<void> => {
      await world.make(
        sampleJob({
          when: { kind: 'every', minutes: 60, from: world.start + 10 * MINUTE },
          to: [
            { target: 'telegram', to: '7' },
            { target: 'telegram', to: '8' },
          ],
        }),
      );
      for (let minute = 0; minute < 9; minute += 1) {
        world.simulation.advance(MINUTE);
        world.simulation.advance(MINUTE);
        for (const work of [world.tick, world.tick, world.simulation.sweep]) await work().catch(survive(world));
        await world.simulation.drain();
      }
    };
    await story(whole);
    const operations = whole.simulation.operations();
    expect(whole.simulation.sent.map(({ to }) => to)).toStrictEqual(['7', '8']);
    expect(await whole.history()).toStrictEqual(['fired 10']);
    for (const k of sampleSteps('a job of steps', 1, operations)) {
      const world = buildWorld();
      world.simulation.crashAt(k);
      await story(world);
      const states = (await world.history()).map((line) => line.split(' ')[0]);
      const effects = world.simulation.sent.map(({ effectId }) => effectId);
      expect(new Set(effects).size, `dies after operation ${k}`).toBe(effects.length);
      expect(
        states.every((state) => state === 'fired' || state === 'unknown'),
        `dies after operation ${k}`,
      ).toBe(true);
      expect(states.length, `dies after operation ${k}`).toBe(1);
      expect((await loadJob(dynamo.table, world.space, 'morning'))?.running, `dies after operation ${k}`).toBe(0);
    }
  });
});

describe('a job of steps that the release before stored', () => {
  it('runs', async () => {
    const world = buildWorld();
    const { pk, sk } = jobKeys.record(world.space, 'old');
    const definition = `{"name":"old","when":{"kind":"every","minutes":60,"from":${world.start}},"work":{"kind":"steps","steps":[{"tool":"recall","args":{"query":"bike"}},{"say":"{Hi}} there"}]},"to":[{"target":"telegram","to":"7"},{"target":"telegram","to":"8"}],"catchUp":{"mode":"once","minutes":360,"runs":1},"overlap":"skip","spreadSeconds":0,"pauseAfter":5,"promises":"reply"}`;
    const stored = {
      ...{ pk, sk, schemaVersion: 1, name: 'old', version: 1, state: 'active', definition },
      ...{ accountedTo: world.start - 1, running: 0, failures: 0 },
    };
    const due = { unfinishedSpace: indexPartitions.jobs(world.space), unfinishedAt: world.start };
    const version = {
      ...{ schemaVersion: 1, name: 'old', n: 1, state: 'active', definition, hash: '', from: world.start - 1 },
      ...{ by: 'telegram:7', why: 'made', signalId: 'tg-1-1', effectId: 'tg-1-1#0' },
    };
    await dynamo.table.put({ pk, sk }, { ...stored, ...due });
    await dynamo.table.put(jobKeys.version(world.space, 'old', 1), version);
    await world.run(2);
    expect(world.simulation.sent.map(({ to, text }) => [to, text])).toStrictEqual([
      ['7', '{Hi}} there'],
      ['8', '{Hi}} there'],
    ]);
    expect(await world.history('old')).toStrictEqual(['fired 0']);
  });
});

describe('a tick with nothing due', () => {
  it('asks the table for the settings and once for jobs, however many there are', async () => {
    const world = buildWorld();
    for (let n = 0; n < 30; n += 1)
      await world.make(sampleJob({ name: `job-${n}`, when: { kind: 'every', minutes: 60, from: world.start + HOUR } }));
    const before = world.simulation.operations();
    expect(await world.tick()).toBe(0);
    expect(world.simulation.operations() - before).toBe(2);
  });
});

describe('several heartbeats at once', () => {
  it('start each moment once', async () => {
    const world = buildWorld();
    const names = ['morning', 'noon', 'evening'];
    for (const name of names) await world.make(sampleJob({ name, when: everyTen(world.start) }));
    for (let minute = 0; minute < 22; minute += 1) {
      world.simulation.advance(MINUTE);
      await Promise.all([world.tick(), world.tick(), world.tick()]);
      await world.simulation.drain();
    }
    for (const name of names) expect(await world.history(name)).toStrictEqual(['fired 10', 'fired 20']);
    expect(world.simulation.sent.length).toBe(6);
  });
});

describe('a job with a prompt', () => {
  it('asks the model as the owner, and sends the answer to every destination', async () => {
    const world = buildWorld();
    const to = [
      { target: 'telegram', to: '7' },
      { target: 'webhook', to: 'deploy' },
    ] as const;
    await world.make(
      sampleJob({ when: everyTen(world.start), work: { kind: 'prompt', text: 'How are the deploys?' }, to: [...to] }),
    );
    await world.run(11);
    expect(world.simulation.sent.map(({ target, to: name, text }) => [target, name, text])).toStrictEqual([
      ['telegram', '7', 'Here it is'],
      ['webhook', 'deploy', ''],
    ]);
    expect(await world.history()).toStrictEqual(['fired 10']);
  });

  it('did nothing if it changes nothing though it promises a change, and says so', async () => {
    const world = buildWorld();
    await world.make(
      sampleJob({ when: everyTen(world.start), work: { kind: 'prompt', text: 'Keep it' }, promises: 'change', to: [] }),
    );
    await world.run(12);
    expect(await world.history()).toStrictEqual([
      'did-nothing 10, it ended and changed nothing, though it promises a change',
    ]);
    expect(world.simulation.sent.map(({ text }) => text).at(-1)).toMatch(
      /^The job morning ran at .* UTC, but it ended and changed nothing/,
    );
  });

  it('asks a person before it does more than read, remember and answer', async () => {
    let calls = 0;
    const world = buildWorld(() => {
      calls += 1;
      return calls === 1 ? callTool('call-webhook', { webhook: 'deploy', body: { ref: 'main' } }) : { content: 'done' };
    });
    await world.make(sampleJob({ when: everyTen(world.start), work: { kind: 'prompt', text: 'Deploy it' } }));
    await world.run(12);
    expect(world.simulation.sent.filter(({ target }) => target === 'webhook')).toStrictEqual([]);
    expect(await world.history()).toStrictEqual(['fired 10, open']);
  });
});

describe('moments that nothing ran at', () => {
  const missed = 'a newer run takes its place; this one was';
  it('are each accounted for, and the newest within the window runs once', async () => {
    const world = buildWorld();
    await world.make(sampleJob({ when: everyTen(world.start) }));
    world.simulation.advance(45 * MINUTE);
    await world.run(1);
    expect(await world.history()).toStrictEqual([
      `missed 10, ${missed} 36 min late`,
      `missed 20, ${missed} 26 min late`,
      `missed 30, ${missed} 16 min late`,
      'late 40',
    ]);
    expect(world.simulation.sent.map(({ text }) => text).sort()).toStrictEqual([
      'Good morning',
      expect.stringMatching(/^The job morning missed 3 runs, from .* to /),
    ]);
  });

  it('of many jobs do not all run at once', async () => {
    const world = buildWorld();
    const names = Array.from({ length: 25 }, (_, n) => `job-${n}`);
    for (const name of names)
      await world.make(
        sampleJob({
          name,
          when: { kind: 'every', minutes: 60, from: world.start + 10 * MINUTE },
          to: [],
          promises: 'nothing',
        }),
      );
    world.simulation.advance(20 * MINUTE);
    const started: number[] = [];
    for (let tick = 0; tick < 4; tick += 1) {
      started.push(await world.tick());
      await world.simulation.drain();
      world.simulation.advance(MINUTE);
    }
    expect(started).toStrictEqual([10, 10, 5, 0]);
    for (const name of names) expect((await world.history(name))[0]).toMatch(/^late 10/);
  });

  it('wait their turn, the newest first', async () => {
    const world = buildWorld();
    const names = Array.from({ length: 25 }, (_, n) => `job-${n}`);
    for (const [n, name] of names.entries()) {
      const when = { kind: 'every', minutes: 600, from: world.start + (10 + n) * MINUTE } as const;
      await world.make(sampleJob({ name, when, to: [], promises: 'nothing' }));
    }
    world.simulation.advance(HOUR);
    await world.tick();
    const started = await Promise.all(names.map(async (name) => (await world.history(name)).length));
    expect(started).toStrictEqual(names.map((_, n) => (n < 15 ? 0 : 1)));
  });

  it('are skipped, caught up with or missed as the job says', async () => {
    const cases: readonly (readonly [Partial<JobDefinition>, readonly string[]])[] = [
      [{ catchUp: { mode: 'skip', minutes: 60, runs: 1 } }, ['missed', 'missed', 'missed', 'missed']],
      [{ catchUp: { mode: 'once', minutes: 4, runs: 1 } }, ['missed', 'missed', 'missed', 'missed']],
      [{ catchUp: { mode: 'all', minutes: 60, runs: 2 } }, ['missed', 'missed', 'late', 'late']],
      [{ catchUp: { mode: 'all', minutes: 20, runs: 9 } }, ['missed', 'missed', 'late', 'late']],
    ];
    for (const [changes, expected] of cases) {
      const world = buildWorld();
      await world.make(sampleJob({ when: everyTen(world.start), ...changes }));
      world.simulation.advance(45 * MINUTE);
      await world.run(1);
      expect(
        (await world.history()).map((line) => line.split(' ')[0]),
        JSON.stringify(changes),
      ).toStrictEqual(expected);
    }
  });

  it('of a minutely job over a day are all accounted for over the next ticks', async () => {
    const world = buildWorld();
    await world.make(sampleJob({ when: { kind: 'every', minutes: 1, from: world.start } }));
    world.simulation.advance(24 * HOUR);
    await world.run(4);
    const history = await loadHistory(dynamo.table, world.space, 'morning', 2_000);
    const instants = history.map(({ occurrence }) => occurrence.instant);
    expect(new Set(instants).size).toBe(instants.length);
    expect(history.some(({ occurrence }) => occurrence.state === 'fired')).toBe(true);
    expect(Math.min(...instants)).toBe(world.start + MINUTE);
    expect(instants.length).toBe((Math.max(...instants) - Math.min(...instants)) / MINUTE + 1);
  });
});

describe('a run that has not ended', () => {
  it('makes the next be skipped, or queued', async () => {
    for (const [overlap, expected] of [
      ['skip', ['fired 10, open', 'skipped 20, the run before it has not ended']],
      ['queue', ['fired 10, open', 'fired 20, open']],
    ] as const) {
      const world = buildWorld();
      await world.make(sampleJob({ when: everyTen(world.start), overlap }));
      for (let minute = 0; minute < 21; minute += 1) {
        world.simulation.advance(MINUTE);
        await world.tick();
      }
      expect(await world.history()).toStrictEqual(expected);
    }
  });
});

describe('a job that keeps failing', () => {
  it('is paused after so many failures, and somebody hears it once', async () => {
    const world = buildWorld();
    const steps = [{ tool: 'forget', args: { id: 'nothing' } }];
    await world.make(
      sampleJob({ when: everyTen(world.start), pauseAfter: 2, work: { kind: 'steps', steps }, overlap: 'queue' }),
    );
    await world.run(60);
    const job = await loadJob(dynamo.table, world.space, 'morning');
    expect([job?.state, job?.failures, job?.unfinishedAt]).toStrictEqual(['paused', 0, undefined]);
    const told = world.simulation.sent.filter(({ text }) => text.startsWith('The job morning was paused'));
    expect(told.length).toBe(1);
  });
});

describe('the first job of a space', () => {
  it('raises the version of the data: the release before cannot read it', async () => {
    const world = buildWorld();
    const key = dataVersionKey(world.space);
    await raiseDataVersion(dynamo.table, world.space);
    const [before] = await dynamo.table.load([key], { isConsistent: true });
    await world.make(sampleJob({ when: everyTen(world.start) }));
    await raiseDataVersion(dynamo.table, world.space);
    const [after] = await dynamo.table.load([key], { isConsistent: true });
    expect([before?.version, after?.version]).toStrictEqual([START_DATA_VERSION, JOB_DATA_VERSION]);
  });
});

/** An event of a service comes in, and everything is delivered. */
const sendEvent = async (
  { simulation, space }: World,
  source: string,
  n: number,
  event: string,
  body: JsonObject,
  words: string,
  aheadMs = 0,
): Promise<void> => {
  const text = [{ text: words, origin: 'outside' as const }];
  const payload = { sensor: 'webhook', source, event, body, text } as const;
  await simulation.accept({
    ...signalWith(space, `wh-${source}:${n}`, payload, '7', simulation.now() + aheadMs),
    source: 'webhook',
    session: `webhook:${source}`,
    sender: { id: `webhook:${source}`, isApprover: false },
  });
  await simulation.drain();
};

const stateReasonOf = async ({ space }: World, id: string): Promise<unknown> =>
  (await dynamo.table.load([signalKeys.record(space, id)]))[0]?.stateReason;

describe('a job for an event', () => {
  it('runs in place of the event, whose words stay untrusted', async () => {
    const world = buildWorld();
    await world.make(
      sampleJob({
        when: { kind: 'event', source: 'ci', event: 'failed' },
        work: { kind: 'prompt', text: 'Tell me why' },
      }),
    );
    // The clock of the function that took the event is ahead.
    await sendEvent(world, 'ci', 1, 'failed', {}, 'build 7 failed', 500);
    await world.run(2);
    const [run] = await loadHistory(dynamo.table, world.space, 'morning', 1);
    expect(run?.occurrence).toMatchObject({ state: 'fired', at: run?.occurrence.instant });
    expect(world.simulation.sent.map(({ text }) => text)).toStrictEqual(['Here it is']);
  });

  it('is no job for it while it is paused: the event goes its usual way', async () => {
    const world = buildWorld();
    const definition = sampleJob({ when: { kind: 'event', source: 'ci' } });
    await world.make(definition);
    const { space, start: now } = world;
    const by = { space, signalId: 'con-1', effectId: `${space}/con-1#0`, by: 'telegram:7', now };
    await changeJob(dynamo.table, by, 'morning', () => ({ definition, state: 'paused', why: 'paused' }));
    await sendEvent(world, 'ci', 1, 'failed', {}, 'build 7 failed');
    expect([await world.history(), world.simulation.modelCalls()]).toStrictEqual([[], 1]);
  });

  it('runs for a source whose name has capitals', async () => {
    const world = buildWorld();
    await world.make(sampleJob({ when: { kind: 'event', source: 'github' } }));
    await sendEvent(world, 'GitHub', 1, 'push', {}, 'a push');
    await world.run(1);
    expect(world.simulation.sent.map(({ text }) => text)).toStrictEqual(['Good morning']);
  });

  it('runs for the events alone for which its condition holds', async () => {
    const world = buildWorld();
    const holds = 'event.body.pull_request.user.login !== "bot" && event.event.startsWith("pull_request")';
    await world.make(sampleJob({ when: { kind: 'event', source: 'github', holds }, overlap: 'queue' }));
    const by = (login: string) => ({ pull_request: { user: { login } } });
    await sendEvent(world, 'github', 1, 'pull_request.opened', by('bot'), 'of a bot');
    await sendEvent(world, 'github', 2, 'issues.opened', by('ada'), 'an issue');
    await sendEvent(world, 'github', 3, 'pull_request.opened', by('ada'), 'of ada');
    await sendEvent(world, 'github', 4, 'push', {}, 'without the member');
    await world.run(1);
    expect((await world.history()).toSorted()).toStrictEqual([
      'fired 0',
      'skipped 0, its condition ended with an error',
    ]);
    // In this world, the model is asked about an event that no job wants.
    expect(world.simulation.modelCalls()).toBe(2);
    expect(await stateReasonOf(world, 'wh-github:1')).toBeUndefined();
    expect(await stateReasonOf(world, 'wh-github:4')).toBe('handed to the job morning');
  });
});

describe('a job that tells so many events an hour', () => {
  const openPulls = async () => {
    const world = buildWorld();
    const found = await findRunbook(dynamo.table, world.space, 'tell');
    const inputs = { text: '{{event.text}}', hourly: '2' };
    await world.make(
      sampleJob({
        name: 'pulls',
        when: { kind: 'event', source: 'ci' },
        work: { kind: 'runbook', runbook: 'tell', hash: found?.hash ?? '', inputs },
        overlap: 'queue',
        promises: 'nothing',
      }),
    );
    world.simulation.advance(HOUR - (world.simulation.now() % HOUR));
    return world;
  };

  it('tells the further ones in its digest', async () => {
    const world = await openPulls();
    for (let n = 1; n <= 25; n += 1) await sendEvent(world, 'ci', n, `failed.${n}`, {}, `build ${n} failed`);
    const told = () => world.simulation.sent.map(({ text }) => text);
    expect(told()).toStrictEqual(['build 1 failed', 'build 2 failed']);
    await world.run(1);
    const lines = Array.from({ length: 23 }, (_, n) => `– build ${n + 3} failed`);
    expect(told().slice(2)).toStrictEqual([['pulls: 23 more this hour: 23 failed', ...lines].join('\n')]);
    expect(new Set((await world.history('pulls')).map((line) => line.split(' ')[0]))).toStrictEqual(new Set(['fired']));
    expect(world.simulation.modelCalls()).toBe(0);
  });

  it('tells what an earlier release held back until the end of the hour', async () => {
    const world = await openPulls();
    const { space, simulation } = world;
    const at = simulation.now();
    const hour = at / HOUR;
    const event = (id: string, words: readonly string[], body: JsonObject) => {
      const text = words.map((one) => ({ text: one, origin: 'outside' as const }));
      const signal = signalWith(space, id, { sensor: 'webhook', source: 'ci', event: 'failed', body, text }, '7', at);
      return { ...signal, source: 'webhook', session: 'webhook:ci', sender: { id: 'webhook:ci', isApprover: false } };
    };
    const ids = Array.from({ length: 25 }, (_, n) => `wh-ci:${n + 1}`);
    for (const [n, id] of ids.entries()) {
      const held = buildRecordItem(event(id, [`build ${n + 1} failed`], {}), 'dropped', at);
      await dynamo.table.put(signalKeys.record(space, id), { ...held });
    }
    await dynamo.table.put({ pk: `quota#${space}#digest#pulls`, sk: `${hour}` }, { schemaVersion: 1, ids });
    await simulation.accept(event(`digest-pulls-${hour}`, [], { job: 'pulls', hour, most: 2 }));
    await simulation.drain();
    const [text = '', ...more] = simulation.sent.map((one) => one.text);
    expect(more).toStrictEqual([]);
    expect(text.split('\n')).toHaveLength(22);
    expect(text).toMatch(/^23 further events of ci within that hour:\n– build 3 failed\n[\s\S]*\nand 3 more$/);
  });
});

describe('a job on a condition', () => {
  it('tells another system when it becomes true, without a model and without a card', async () => {
    const calls: Action[] = [];
    const world = buildWorld(undefined, (action) => {
      calls.push(action);
      return { state: 'done', output: '{"status":200}', origin: 'outside' };
    });
    const found = await findRunbook(dynamo.table, world.space, 'tell');
    const inputs = { text: 'A yes is waited for', hourly: '6' };
    await world.make(
      sampleJob({
        when: { kind: 'condition', holds: 'facts.usdToday >= 0', minutes: 1, from: world.start },
        work: { kind: 'runbook', runbook: 'tell', hash: found?.hash ?? '', inputs },
        to: [{ target: 'webhook', to: 'deploy' }],
        promises: 'nothing',
      }),
    );
    await world.run(5);
    expect(calls.map(({ target, to, args }) => [target, to, args])).toStrictEqual([
      ['webhook', 'deploy', { webhook: 'deploy', body: { job: 'morning', text: 'A yes is waited for' } }],
    ]);
    expect(world.simulation.modelCalls()).toBe(0);
    expect(world.simulation.sent.map(({ target }) => target)).toStrictEqual(['webhook']);
  });

  it('runs when the condition becomes true, and not again while it is', async () => {
    const world = buildWorld();
    const when = {
      kind: 'condition',
      holds: `facts.now >= ${world.start + 12 * MINUTE}`,
      minutes: 5,
      from: world.start,
    } as const;
    await world.make(sampleJob({ when }));
    await world.run(31);
    expect(await world.history()).toStrictEqual(['fired 15']);
  });

  it('that cannot be evaluated is paused, and somebody hears it', async () => {
    const world = buildWorld();
    await world.make(
      sampleJob({
        when: { kind: 'condition', holds: 'facts.nothing.here', minutes: 5, from: world.start },
        pauseAfter: 2,
      }),
    );
    await world.run(21);
    expect((await loadJob(dynamo.table, world.space, 'morning'))?.state).toBe('paused');
    expect(world.simulation.sent.length).toBe(1);
  });
});
