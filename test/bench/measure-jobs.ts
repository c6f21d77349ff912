/**
 * What jobs cost: an idle tick with 10 and with 100,000 stored jobs; how fast 1,000 due jobs are
 * dispatched beside bare loops that only enqueue, in the same queue; the tick after a night; the
 * requests of a run.
 */

import { SQSClient } from '@aws-sdk/client-sqs';
import { HEARTBEAT_HOOKS } from '../../functions/heartbeat/features.ts';
import { startQueueServer } from '../../infra/local/queues.ts';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { perceiveMessage } from '../../lib/core/ledger/accept.ts';
import type { TickDeps } from '../../lib/core/operations/hooks.ts';
import type { PerceiveMessage } from '../../lib/core/signal/messages.ts';
import { sweepDue } from '../../lib/core/stages/upkeep/sweep-due.ts';
import { indexPartitions, jobKeys } from '../../lib/core/store/keys.ts';
import { buildPublish, buildPublishMany } from '../../lib/core/store/queue.ts';
import type { Table } from '../../lib/core/store/table.ts';
import type { Job, JobDefinition } from '../../lib/features/jobs/job.ts';
import { planDue, startOf } from '../../lib/features/jobs/plan-due.ts';
import { loadJob } from '../../lib/features/jobs/read-jobs.ts';
import { countingTable, type RequestCounts } from '../core/memory/counting-table.ts';
import { makeJob, sampleJob } from '../features/jobs/sample-job.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { buildSimulation, signalWith } from '../support/simulation.ts';
import { quantile } from './drive.ts';
import type { Measure } from './measure.ts';
import type { Row } from './report.ts';

const FEW = 10;
const MANY = 100_000;
const TICKS = 100;
const DUE = 1_000;
const ROUNDS = 3;
/** Most that one tick takes (`sweep-due.ts`), in twenty pages and sixty transactions. */
const FULL = 2_000;
const FULL_REQUESTS_MAX = 110;
/** Fifty seconds of the heartbeat's share: 192 MB of the 1,769 that make one processor. */
const FULL_MS_MAX = 5_400;
const SPREAD_S = 300;
const DISPATCH_RATIO_MIN = 0.8;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.UTC(2026, 5, 1, 9);
const WRITES_PER_BATCH = 100;
/** As many as the heartbeat sends at once. */
const SENDS_AT_ONCE = 8;

type Send = (messages: readonly PerceiveMessage[]) => Promise<void>;

const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

const definitionOf = (name: string, spreadSeconds = 0): JobDefinition =>
  sampleJob({ name, when: { kind: 'every', minutes: 60, from: NOW }, spreadSeconds });

/** @param nextAt when it is due next, without its spread */
const jobItem = (space: string, n: number, nextAt: number, spreadSeconds: number) => {
  const definition = definitionOf(`job-${n}`, spreadSeconds);
  const job: Omit<Job, 'definition'> = {
    schemaVersion: 1,
    name: definition.name,
    version: 1,
    state: 'active',
    accountedTo: nextAt - HOUR_MS,
    running: 0,
    failures: 0,
    unfinishedSpace: indexPartitions.jobs(space),
    unfinishedAt: startOf(definition, nextAt),
  };
  return { ...job, definition: JSON.stringify(definition) };
};

/** Stores jobs in bulk, behind their own back. */
const fill = async (table: Table, space: string, count: number, nextAt: number, spreadSeconds = 0): Promise<void> => {
  const put = async (first: number): Promise<void> => {
    const some = Array.from({ length: Math.min(WRITES_PER_BATCH, count - first) }, (_, n) => first + n);
    const writes = some.map((n) => ({
      kind: 'put' as const,
      key: jobKeys.record(space, `job-${n}`),
      item: jobItem(space, n, nextAt, spreadSeconds),
    }));
    if (writes.length > 0) await table.transact(writes);
  };
  for (let first = 0; first < count; first += WRITES_PER_BATCH * SENDS_AT_ONCE)
    await Promise.all(Array.from({ length: SENDS_AT_ONCE }, (_, n) => put(first + n * WRITES_PER_BATCH)));
};

const nowhere = async (): Promise<void> => undefined;

const depsOf = (table: Table, space: string, now: number): TickDeps => ({
  table,
  space,
  now,
  publishPerceive: nowhere,
  publishManyPerceive: nowhere,
  sendOrderOf: nowhere,
  loadGateSet: async () => GATE_SET,
  hooks: HEARTBEAT_HOOKS,
});

const measureIdle = async ({ table }: TestDynamo, count: number): Promise<{ counts: RequestCounts; ms: number }> => {
  const space = `idle-${count}`;
  await fill(table, space, count, NOW + HOUR_MS);
  const { counting, during } = countingTable(table);
  const deps = depsOf(counting, space, NOW);
  const counts = await during(() => sweepDue(deps));
  const times: number[] = [];
  for (let n = 0; n < TICKS; n += 1) {
    const startedAt = performance.now();
    await sweepDue(deps);
    times.push(performance.now() - startedAt);
  }
  return { counts, ms: median(times) };
};

const idleRows = async (dynamo: TestDynamo): Promise<readonly Row[]> => {
  const group = 'an idle tick of jobs, none due';
  const few = await measureIdle(dynamo, FEW);
  const many = await measureIdle(dynamo, MANY);
  const note = `${many.counts.bytes} bytes written, no token`;
  return [
    {
      group,
      name: `requests with ${MANY} jobs`,
      value: many.counts.reads + many.counts.writes,
      unit: '',
      goal: { is: '≤', value: 1 },
      note,
    },
    {
      group,
      name: `requests with ${FEW} jobs`,
      value: few.counts.reads + few.counts.writes,
      unit: '',
      goal: { is: '≤', value: 1 },
    },
    {
      group,
      name: `time with ${MANY} jobs, p50`,
      value: many.ms,
      unit: 'ms',
      note: `${few.ms.toFixed(2)} ms with ${FEW}`,
    },
  ];
};

/** A tick with as many due jobs as it takes. The function has about a ninth of a processor. */
const fullRows = async ({ table }: TestDynamo): Promise<readonly Row[]> => {
  const group = `${FULL} jobs due in one tick`;
  await fill(table, 'full', FULL, NOW);
  const { counting, during } = countingTable(table);
  let sent = 0;
  const publishManyPerceive = async (messages: readonly unknown[]) => {
    sent += messages.length;
  };
  const before = processorMs();
  const counts = await during(() => sweepDue({ ...depsOf(counting, 'full', NOW), publishManyPerceive }));
  const ms = processorMs() - before;
  const note = `${counts.reads} reads, ${counts.writes} writes of ${counts.bytes} bytes`;
  return [
    { group, name: 'runs started', value: sent, unit: '', goal: { is: '≥', value: FULL } },
    {
      group,
      name: 'requests',
      value: counts.reads + counts.writes,
      unit: '',
      goal: { is: '≤', value: FULL_REQUESTS_MAX },
      note,
    },
    {
      group,
      name: 'processor time, the table in the same process',
      value: ms,
      unit: 'ms',
      goal: { is: '≤', value: FULL_MS_MAX },
    },
  ];
};

const perSecond = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return DUE / ((performance.now() - startedAt) / 1000);
};

const messagesOf = (round: string): readonly PerceiveMessage[] =>
  Array.from({ length: DUE }, (_, n) =>
    perceiveMessage({ space: 'bare', session: `job:job-${n}`, id: `job-job-${n}-${round}` }),
  );

interface Rates {
  readonly one: number;
  readonly batch: number;
  readonly dispatch: number;
}

const dispatchRates = async ({ table }: TestDynamo): Promise<readonly Rates[]> => {
  const queues = await startQueueServer('us-east-1');
  const url = `${queues.origin}/000000000000/perceive.fifo`;
  const arn = 'arn:aws:sqs:us-east-1:000000000000:perceive.fifo';
  await queues.create({ name: 'perceive.fifo', url, arn, attributes: { FifoQueue: 'true', VisibilityTimeout: '60' } });
  const { origin: endpoint, credentials } = queues;
  const client = new SQSClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 3 });
  const [publish, publishMany] = [
    buildPublish<PerceiveMessage>(client, url),
    buildPublishMany<PerceiveMessage>(client, url),
  ];
  const sendOne: Send = async (messages) => {
    for (const message of messages) await publish(message, 'bare');
  };
  const sendBatch: Send = (messages) => publishMany(messages.map((message) => ({ message, step: 'bare' })));
  const rates: Rates[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const space = `due-${round}`;
    await fill(table, space, DUE, NOW);
    const deps = { ...depsOf(table, space, NOW), publishPerceive: publish, publishManyPerceive: publishMany };
    rates.push({
      one: await perSecond(() => sendOne(messagesOf(`one${round}`))),
      batch: await perSecond(() => sendBatch(messagesOf(`batch${round}`))),
      dispatch: await perSecond(() => sweepDue(deps)),
    });
  }
  client.destroy();
  await queues.close();
  return rates;
};

const dispatchRows = async (dynamo: TestDynamo): Promise<readonly Row[]> => {
  const group = `${DUE} jobs due at once`;
  const rates = await dispatchRates(dynamo);
  const of = (pick: (rates: Rates) => number): number => median(rates.map(pick));
  const least: Row['goal'] = { is: '≥', value: DISPATCH_RATIO_MIN };
  return [
    {
      group,
      name: 'dispatched: occurrences stored, jobs moved on, signals sent',
      value: of(({ dispatch }) => dispatch),
      unit: '/s',
    },
    {
      group,
      name: 'against a loop that sends one message after the other',
      value: of(({ dispatch, one }) => dispatch / one),
      unit: '×',
      goal: least,
      note: `${of(({ one }) => one).toFixed(0)} a second`,
    },
    {
      group,
      name: 'against batches of ten, eight at a time, which store nothing',
      value: of(({ dispatch, batch }) => dispatch / batch),
      unit: '×',
      note: `${of(({ batch }) => batch).toFixed(0)} a second`,
    },
  ];
};

/** Starts by tick of jobs with a spread, all due at one moment. */
const spreadRows = async ({ table }: TestDynamo): Promise<readonly Row[]> => {
  const space = 'spread';
  await fill(table, space, DUE, NOW, SPREAD_S);
  const started: number[] = [];
  for (let minute = 0; minute * MINUTE_MS <= SPREAD_S * 1000; minute += 1)
    started.push(await sweepDue(depsOf(table, space, NOW + minute * MINUTE_MS)));
  const group = `${DUE} jobs with a spread of ${SPREAD_S} s`;
  return [
    { group, name: 'most that one tick starts', value: Math.max(...started), unit: '', note: started.join(', ') },
    {
      group,
      name: 'started in all',
      value: started.reduce((sum, one) => sum + one, 0),
      unit: '',
      goal: { is: '≥', value: DUE },
    },
  ];
};

/** From the tick that starts it to the one that closes it. */
const runCosts = async (
  dynamo: TestDynamo,
  space: string,
  work: JobDefinition['work'] | undefined,
): Promise<RequestCounts> => {
  const { counting, during } = countingTable(dynamo.table);
  const simulation = buildSimulation({ table: counting, space, answer: () => ({ content: 'Here it is' }) });
  const start = simulation.now();
  if (work === undefined)
    return during(async () => {
      const payload = { sensor: 'chat-message', text: [{ text: 'Hello', origin: 'owner' }] } as const;
      await simulation.accept(signalWith(space, 'con-1', { ...payload, text: [...payload.text] }, '7', start));
      await simulation.drain();
    });
  const when = { kind: 'every', minutes: 60, from: start + MINUTE_MS } as const;
  await makeJob(dynamo.table, space, sampleJob({ when, work }), start);
  return during(async () => {
    for (let minute = 0; minute < 3; minute += 1) {
      simulation.advance(MINUTE_MS);
      await simulation.tickJobs();
      await simulation.drain();
    }
  });
};

const runRows = async (dynamo: TestDynamo): Promise<readonly Row[]> => {
  const group = 'table requests of a run, with the three ticks around it';
  const works = [
    ['an ordinary turn, without ticks', undefined],
    ['a job of steps', { kind: 'steps', steps: [{ say: 'Good morning' }] }],
    ['a job with a prompt', { kind: 'prompt', text: 'How are the deploys?' }],
  ] as const;
  const rows: Row[] = [];
  for (const [n, [name, work]] of works.entries()) {
    const given = work === undefined ? undefined : work.kind === 'steps' ? { ...work, steps: [...work.steps] } : work;
    const { reads, writes, bytes } = await runCosts(dynamo, `run-${n}`, given);
    rows.push({ group, name, value: reads + writes, unit: '', note: `${writes} writes, ${bytes} bytes of them` });
  }
  return rows;
};

/** One rule of each kind: single hours, lists and ranges of hours, steps, days, rhythms. */
const NIGHT_RULES = [
  '0 8 * * *',
  '*/5 8-18 * * 1-5',
  '0 9,13,17 * * *',
  '15 1-3 * * *',
  '0 * * * *',
  '0 */2 * * *',
  '0 8 1 * *',
  '30 2 * * 0',
  '*/10 * * * *',
  '*/15 22-23,0-6 * * *',
  '* 0-23 * * *',
];
const NIGHT_ZONES = ['Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC'];
const NIGHT_JOBS = 200;
/** A night in which Berlin's clock is set back. */
const EVENING = Date.UTC(2026, 9, 24, 21);
const MORNING = Date.UTC(2026, 9, 25, 7);
const PLAN_MS_MAX = 200;

const nightJob = (n: number): JobDefinition => {
  const [rule, zone = 'UTC'] = [NIGHT_RULES[n % (NIGHT_RULES.length + 1)], NIGHT_ZONES[n % NIGHT_ZONES.length]];
  const when: JobDefinition['when'] =
    rule === undefined ? { kind: 'every', minutes: 45, from: EVENING } : { kind: 'cron', cron: rule, zone };
  return sampleJob({ name: `job-${n}`, when });
};

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** A machine that slept: the tick that finds what the jobs missed. */
const nightRows = async ({ table }: TestDynamo): Promise<readonly Row[]> => {
  const space = 'night';
  const jobs: Job[] = [];
  for (let n = 0; n < NIGHT_JOBS; n += 1) {
    const { name } = nightJob(n);
    await makeJob(table, space, nightJob(n), EVENING);
    const job = await loadJob(table, space, name);
    if (job !== undefined) jobs.push(job);
  }
  const beforePlans = processorMs();
  const moments = jobs.reduce((sum, job) => sum + planDue(job, MORNING, undefined).planned.length, 0);
  const planMs = processorMs() - beforePlans;
  const { counting, during } = countingTable(table);
  const beforeTick = processorMs();
  const counts = await during(() => sweepDue(depsOf(counting, space, MORNING)));
  const tickMs = processorMs() - beforeTick;
  const group = `${NIGHT_JOBS} jobs of every kind of rule after a night`;
  return [
    {
      group,
      name: 'processor time to plan what a transaction of each takes',
      value: planMs,
      unit: 'ms',
      goal: { is: '≤', value: PLAN_MS_MAX },
      note: `${moments} moments`,
    },
    {
      group,
      name: 'processor time of the whole tick, the table in the same process',
      value: tickMs,
      unit: 'ms',
      note: `${counts.writes} requests write ${counts.bytes} bytes`,
    },
  ];
};

export const measureJobs: Measure = async ({ progress }) => {
  await using dynamo = await startDynamo();
  progress(`jobs: an idle tick with ${MANY} jobs`);
  const idle = await idleRows(dynamo);
  progress(`jobs: ${DUE} due at once`);
  const dispatch = await dispatchRows(dynamo);
  return [
    ...idle,
    ...(await fullRows(dynamo)),
    ...dispatch,
    ...(await nightRows(dynamo)),
    ...(await spreadRows(dynamo)),
    ...(await runRows(dynamo)),
  ];
};
