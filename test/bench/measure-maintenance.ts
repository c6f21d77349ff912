/**
 * What maintenance costs: the Gardener and the Scribe on a space of 10,000 notes, an idle day with
 * everything on, and a day with 50 messages, where background work stands beside the conversations.
 * Requests to the table are counted, tokens are estimated as for a provider that says nothing.
 */
import { createHash } from 'node:crypto';
import { estimateTokens } from '../../lib/core/base/estimate-tokens.ts';
import { buildMemory } from '../../lib/core/memory/memory.ts';
import { buildSegments } from '../../lib/core/memory/search/vector-segment.ts';
import { saveSegment, saveVectorState } from '../../lib/core/prompt/embeddings/vector-store.ts';
import type { Table } from '../../lib/core/store/table.ts';
import { BUILT_IN_FILES } from '../../lib/features/skills/built-in-files.ts';
import { keepBuiltInJobs } from '../../lib/features/skills/maintenance.ts';
import { countingTable, type RequestCounts } from '../core/memory/counting-table.ts';
import { NONCE, NOW } from '../core/memory/notes.ts';
import { makeJob, sampleJob } from '../features/jobs/sample-job.ts';
import { BECAUSE } from '../flow/adversity-world.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { buildSimulation, type SimulationOptions, signalWith } from '../support/simulation.ts';
import { fillMemory } from './fill-memory.ts';
import type { Measure } from './measure.ts';
import { PRICES } from './prices.ts';
import type { Row } from './report.ts';

const NOTES = 10_000;
const DIMENSIONS = 256;
const VECTORS_PER_SEGMENT = 1_000;
const MESSAGES = 50;
const TURNS = 40;
const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
/** Dollars for a million tokens, as small models cost. */
const PRICE = { prompt: 0.15, completion: 0.6 } as const;
/** DynamoDB charges a transaction twice, by the kilobyte. */
const WRITE_FACTOR = 2;
const GARDENER_MS_MAX = 5_000;
const GARDENER_REQUESTS_MAX = 100;

interface Tokens {
  calls: number;
  prompt: number;
  completion: number;
}

const dollarsOf = ({ prompt, completion }: Tokens): number =>
  (prompt * PRICE.prompt + completion * PRICE.completion) / 1e6;

const awsDollarsOf = ({ reads, writes, bytes }: RequestCounts): number =>
  reads * PRICES.dynamoReadUnit + Math.max(writes, bytes / 1_024) * WRITE_FACTOR * PRICES.dynamoWriteUnit;

const noTokens = (): Tokens => ({ calls: 0, prompt: 0, completion: 0 });

/** One note for each turn, a thought, or an answer of a few lines. */
const answerTo = (text: string, isAsked: boolean): string => {
  if (!isAsked) return 'That is a good question. Here is what I would do, in two or three sentences.';
  if (text.includes('Say one thought')) return `A thought: ${createHash('sha256').update(text).digest('hex')}`;
  const turns = [...text.matchAll(/Turn (\d+)\n/g)].slice(0, 12);
  return JSON.stringify(
    turns.map(([, n]) => ({ text: `The owner said something worth a note (${n})`, from: [Number(n)] })),
  );
};

/** Runbooks ask with a tool of their own, and so do summaries of conversations. */
const toolOf = (names: readonly string[]): 'give-answer' | 'summarise-session' | undefined =>
  names.includes('give-answer') ? 'give-answer' : names.includes('summarise-session') ? 'summarise-session' : undefined;

const buildWorld = (table: Table, space: string, startAt: number) => {
  const spent = { background: noTokens(), summaries: noTokens(), conversations: noTokens() };
  const answer: SimulationOptions['answer'] = ({ messages, tools, tokens }) => {
    const tool = toolOf(tools.map(({ function: { name } }) => name));
    const text = answerTo(messages.map(({ content }) => content).join('\n'), tool === 'give-answer');
    const own = tool === 'give-answer' ? spent.background : tool === undefined ? spent.conversations : spent.summaries;
    own.calls += 1;
    own.prompt += tokens;
    own.completion += estimateTokens(text);
    if (tool === undefined) return { content: text };
    return { toolCalls: [{ id: 'c1', name: tool, argumentsText: JSON.stringify({ text, explanation: BECAUSE }) }] };
  };
  const simulation = buildSimulation({ table, space, answer, startAt });
  let said = 0;
  const send = async (payload: Parameters<typeof signalWith>[2]): Promise<void> => {
    said += 1;
    await simulation.accept(signalWith(space, `tg-1-${said}`, payload, '7', simulation.now()));
    await simulation.drain();
  };
  return {
    simulation,
    spent,
    say: (text: string) => send({ sensor: 'chat-message', text: [{ text, origin: 'owner' }] }),
    command: (name: string, rest: string) => send({ sensor: 'command', name, rest }),
    minute: async () => {
      simulation.advance(MINUTE_MS);
      await simulation.tickJobs();
      await simulation.drain();
    },
  };
};

type World = ReturnType<typeof buildWorld>;

/** The skills' own jobs, whose rhythm starts when the measurement does. */
const JOBS = { gardener: 'gardener-daily', scribe: 'scribe-hourly' } as const;

const makeRunbookJob = async (table: Table, space: string, world: World, name: keyof typeof JOBS) => {
  const text = BUILT_IN_FILES[name]?.find(({ path }) => path === 'runbook.yaml')?.text ?? '';
  const hash = createHash('sha256').update(text).digest('hex');
  const from = world.simulation.now() + HOUR_MINUTES * MINUTE_MS;
  const when = { kind: 'every', minutes: HOUR_MINUTES, from } as const;
  const work = { kind: 'runbook', runbook: name, hash, inputs: {} } as const;
  await makeJob(table, space, sampleJob({ name: JOBS[name], when, work, promises: 'nothing' }), world.simulation.now());
  await world.command('skill', `on ${name}`);
};

/** As the heartbeat makes them, and the owner switches on those that are off at first. */
const switchAllOn = async (table: Table, space: string, world: World): Promise<void> => {
  const home = { target: 'telegram', to: '7' } as const;
  for (const name of ['scribe', 'reflection']) await world.command('skill', `on ${name}`);
  await keepBuiltInJobs({ table, space, now: world.simulation.now(), zone: 'UTC', home });
};

/** A vector for each note, so that near duplicates are looked for. */
const fillVectors = async ({ table }: TestDynamo, space: string): Promise<void> => {
  const { objects } = await buildMemory(table, space).view();
  const entries = [...objects.values()].map(({ id, version }, n) => ({
    id,
    version,
    vector: Float64Array.from({ length: DIMENSIONS }, (_, k) => Math.sin((n + 1) * (k + 1))),
  }));
  const segments: { readonly n: number; readonly revision: number; readonly count: number }[] = [];
  for (let first = 0; first < entries.length; first += VECTORS_PER_SEGMENT) {
    const some = entries.slice(first, first + VECTORS_PER_SEGMENT);
    const n: number = segments.length;
    await saveSegment(table, space, { n, bytes: buildSegments(some, NONCE)[0] });
    segments.push({ n, revision: 1, count: some.length });
  }
  await saveVectorState(table, space, { model: NONCE, commit: 1, segments }, undefined);
};

interface Run {
  readonly counts: RequestCounts;
  readonly ms: number;
}

const timed = async (
  during: (work: () => Promise<unknown>) => Promise<RequestCounts>,
  work: () => Promise<unknown>,
): Promise<Run> => {
  const startedAt = performance.now();
  const counts = await during(work);
  return { counts, ms: performance.now() - startedAt };
};

const requestsOf = ({ reads, writes }: RequestCounts): number => reads + writes;

const gardenerRows = async (dynamo: TestDynamo): Promise<readonly Row[]> => {
  const group = `the Gardener on ${NOTES} notes with vectors, a whole run`;
  const space = 'gardener';
  await fillMemory(dynamo, space, NOTES);
  await fillVectors(dynamo, space);
  const { counting, during } = countingTable(dynamo.table);
  const world = buildWorld(counting, space, NOW + NOTES);
  await makeRunbookJob(counting, space, world, 'gardener');
  const outputs = () => world.simulation.sent.filter(({ text }) => text.startsWith('Memory could be tidier'));
  world.simulation.advance((HOUR_MINUTES - 1) * MINUTE_MS);
  const cold = await timed(during, world.minute);
  const first = outputs().length;
  await world.minute();
  world.simulation.advance((HOUR_MINUTES - 2) * MINUTE_MS);
  const warm = await timed(during, world.minute);
  return [
    {
      group,
      name: 'table requests, cold',
      value: requestsOf(cold.counts),
      unit: '',
      goal: { is: '≤', value: GARDENER_REQUESTS_MAX },
    },
    { group, name: 'table requests, warm', value: requestsOf(warm.counts), unit: '' },
    { group, name: 'time, cold', value: cold.ms, unit: 'ms', goal: { is: '≤', value: GARDENER_MS_MAX } },
    { group, name: 'time, warm', value: warm.ms, unit: 'ms' },
    {
      group,
      name: 'reports of the same memory, looked at twice',
      value: outputs().length,
      unit: '',
      goal: { is: '≤', value: 1 },
      note: `${first} after the first`,
    },
    { group, name: 'tokens', value: world.spent.background.prompt, unit: '', goal: { is: '≤', value: 0 } },
  ];
};

const scribeRows = async (dynamo: TestDynamo): Promise<readonly Row[]> => {
  const group = `the Scribe on ${NOTES} notes, ${TURNS} turns in its hour`;
  const space = 'scribe';
  await fillMemory(dynamo, space, NOTES);
  const { counting, during } = countingTable(dynamo.table);
  const world = buildWorld(counting, space, NOW + NOTES);
  await makeRunbookJob(counting, space, world, 'scribe');
  for (let n = 0; n < TURNS; n += 1) {
    world.simulation.advance(MINUTE_MS);
    await world.say(`Fact number ${n}: my ${n}th bike is blue, and it stands in the garage beside the others.`);
  }
  world.simulation.advance((HOUR_MINUTES - TURNS - 1) * MINUTE_MS);
  const run = await timed(during, world.minute);
  const { background } = world.spent;
  const kept = await buildMemory(dynamo.table, space).view();
  const notes = [...kept.objects.values()].filter(
    (one) => one.state === 'live' && one.attributes.tags.includes('scribe'),
  );
  const tokens = background.prompt + background.completion;
  await world.minute();
  world.simulation.advance((HOUR_MINUTES - 2) * MINUTE_MS);
  const idle = await timed(during, world.minute);
  return [
    { group, name: 'table requests', value: requestsOf(run.counts), unit: '', note: `${notes.length} notes kept` },
    { group, name: 'time', value: run.ms, unit: 'ms' },
    {
      group,
      name: 'tokens',
      value: tokens,
      unit: '',
      note: `$${dollarsOf(background).toFixed(6)}, ${background.calls} call`,
    },
    { group, name: 'table requests of an hour without a new word', value: requestsOf(idle.counts), unit: '' },
    {
      group,
      name: 'tokens of an hour without a new word',
      value: background.prompt + background.completion - tokens,
      unit: '',
      goal: { is: '≤', value: 0 },
    },
  ];
};

interface Day {
  readonly counts: RequestCounts;
  readonly world: World;
}

/** A day of ticks; the messages come spread over it. */
const runDay = async (dynamo: TestDynamo, space: string, messages: number, isOn: boolean): Promise<Day> => {
  const { counting, during } = countingTable(dynamo.table);
  const world = buildWorld(counting, space, NOW);
  if (isOn) await switchAllOn(counting, space, world);
  // The jobs' first periods, so that the day itself is idle.
  if (messages === 0) for (let minute = 0; minute < 2; minute += 1) await world.minute();
  const every = messages === 0 ? Number.POSITIVE_INFINITY : Math.floor(DAY_MINUTES / messages);
  const counts = await during(async () => {
    for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
      await world.minute();
      if (minute % every === 0 && minute / every < messages)
        await world.say(`Message ${minute}: what do you think of the bike number ${minute}, which is blue?`);
    }
  });
  return { counts, world };
};

const dayRows = async (dynamo: TestDynamo): Promise<readonly Row[]> => {
  const bare = await runDay(dynamo, 'idle-off', 0, false);
  const idle = await runDay(dynamo, 'idle-on', 0, true);
  const talk = await runDay(dynamo, 'talk-off', MESSAGES, false);
  const both = await runDay(dynamo, 'talk-on', MESSAGES, true);
  const idleTokens = idle.world.spent.background.prompt + idle.world.spent.conversations.prompt;
  const { background, summaries, conversations } = both.world.spent;
  const money = (counts: RequestCounts): string => `about $${awsDollarsOf(counts).toFixed(5)} for the table on AWS`;
  const group = 'an idle day with everything on: gardener, scribe, reflection, learning and auto-save';
  const busy = `a day with ${MESSAGES} messages and everything on`;
  return [
    { group, name: 'tokens', value: idleTokens, unit: '', goal: { is: '≤', value: 0 } },
    { group, name: 'table requests', value: requestsOf(idle.counts), unit: '', note: money(idle.counts) },
    { group, name: 'of these the ticks alone', value: requestsOf(bare.counts), unit: '', note: money(bare.counts) },
    {
      group: busy,
      name: 'tokens of the conversations',
      value: conversations.prompt + conversations.completion,
      unit: '',
      note: `$${dollarsOf(conversations).toFixed(6)}, ${conversations.calls} calls`,
    },
    {
      group: busy,
      name: 'tokens of their summaries',
      value: summaries.prompt + summaries.completion,
      unit: '',
      note: `$${dollarsOf(summaries).toFixed(6)}, ${summaries.calls} calls`,
    },
    {
      group: busy,
      name: 'tokens of the Scribe and Reflection',
      value: background.prompt + background.completion,
      unit: '',
      note: `$${dollarsOf(background).toFixed(6)}, ${background.calls} calls`,
    },
    {
      group: busy,
      name: 'table requests with background work',
      value: requestsOf(both.counts),
      unit: '',
      note: money(both.counts),
    },
    {
      group: busy,
      name: 'table requests of the conversations alone',
      value: requestsOf(talk.counts),
      unit: '',
      note: money(talk.counts),
    },
  ];
};

export const measureMaintenance: Measure = async ({ progress }) => {
  await using dynamo = await startDynamo();
  progress(`maintenance: the Gardener on ${NOTES} notes`);
  const gardener = await gardenerRows(dynamo);
  progress(`maintenance: the Scribe on ${NOTES} notes`);
  const scribe = await scribeRows(dynamo);
  progress('maintenance: days');
  return [...gardener, ...scribe, ...(await dayRows(dynamo))];
};
