/**
 * Honest runs export and verify, whatever the clocks of the functions say: people talk, approve,
 * deny, allow again, forget and stop; a job runs, is edited, paused and resumed; processes die,
 * messages come twice, services fail, the log's writer is late, and every function has a clock of
 * its own that is seconds off. `HONEST_TURNS=10000` judges so many turns (`npm run soak` does). A
 * failure names the seed of its run.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyExport } from '../../../lib/core/evidence/verifier/verify-export.ts';
import { setKillSwitch } from '../../../lib/core/ledger/kill-switch.ts';
import { quickCheck } from '../../../lib/core/log/quick-check.ts';
import type { Prompt } from '../../../lib/core/prompt/build-prompt.ts';
import type { Payload } from '../../../lib/core/signal/signal.ts';
import { indexPartitions } from '../../../lib/core/store/keys.ts';
import { computeMoments } from '../../../lib/features/jobs/verifier-knowledge.ts';
import { callTool } from '../../flow/adversity-world.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { randomFrom } from '../../support/generated-decisions.ts';
import { SEED } from '../../support/seed.ts';
import { type Answer, Crash, ownerMessage, signalWith } from '../../support/simulation.ts';
import { buildLogWorld, keyOf } from './log-world.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const TURNS = Number(process.env.HONEST_TURNS ?? 30);
const MINUTE_MS = 60_000;
/** Ends a test that hangs, however many turns it judges on a busy machine. */
const TEST_MS = Math.max(300_000, 2_000 * TURNS);
/** Functions of one stack are this far apart at worst. */
const CLOCK_ERROR_MS_MAX = 5_000;
/** As `evidence export` waits for records to agree. */
const PAUSE_MS = 500;
const PAUSES_MAX = 240;

/** Messages of a person; the model below obeys them. */
const SAID = [
  'hello',
  'deploy main',
  'deploy main',
  'deploy other',
  'note it',
  'leak it',
  'note and deploy it',
] as const;
const DECISIONS = ['approve', 'approve', 'allow-similar', 'deny'] as const;

/** A step of a run, as often as it stands here. */
const STEPS = [
  ...Array<'say'>(8).fill('say'),
  ...Array<'decide'>(5).fill('decide'),
  ...Array<'command'>(2).fill('command'),
  ...Array<'deliver'>(10).fill('deliver'),
  ...Array<'crash'>(3).fill('crash'),
  ...Array<'wait'>(2).fill('wait'),
  ...Array<'log'>(3).fill('log'),
] as const;
const STEPS_PER_RUN = 80;
const STEPS_PER_EXPORT = 40;
const COMMANDS = ['remember', 'remember', 'forget', 'stop', 'resume', 'resume', 'jobs', 'jobs', 'jobs'] as const;
const MAKE_JOB = 'add report every 5m: hello';
/** What is said of the one job, beside making it again. */
const JOBS = [
  MAKE_JOB,
  'remove report',
  'edit report every 7m',
  'pause report',
  'resume report',
  'run report',
] as const;
const WAITS_MINUTES = [0, 1, 2, 7, 61] as const;

const answer = ({ messages }: Prompt): Answer => {
  const last = messages.at(-1);
  const text = last?.content ?? '';
  if (last?.role === 'tool' || text.includes('state: ')) return { content: 'Noted.' };
  const ref = /deploy (\w+)/.exec(text)?.[1];
  const deploy = callTool('call-webhook', { webhook: 'deploys', body: { ref } }).toolCalls ?? [];
  const note = callTool('remember', { text: 'the gate is green' }).toolCalls ?? [];
  if (text.includes('leak it')) return { content: 'It is AKIAIOSFODNN7EXQMPLA.' };
  if (text.includes('note and')) return { content: 'Both.', toolCalls: [...note, ...deploy] };
  if (text.includes('note it')) return { toolCalls: note };
  return ref === undefined ? { content: 'Hello.' } : { toolCalls: deploy };
};

const buildRun = (seed: number) => {
  const draw = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(draw() * list.length)];
    if (found === undefined) throw new Error('there is nothing to pick from');
    return found;
  };
  const clockErrorMs = () => Math.round((draw() * 2 - 1) * CLOCK_ERROR_MS_MAX);
  const world = buildLogWorld(dynamo, {
    answer,
    webhookUrls: { deploys: 'https://deploys.example/hook' },
    clockErrorMs,
    elapseMs: () => Math.floor(draw() * 4),
    outside: ({ target }) => {
      const luck = draw();
      if (luck < 0.08) return { state: 'retry', reason: 'the service is busy' };
      if (luck < 0.12) return { state: target === 'webhook' ? 'failed' : 'unknown', reason: 'the connection broke' };
      return target === 'webhook'
        ? { state: 'done', output: '{"status":200}', origin: 'outside' }
        : { state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' };
    },
  });
  const { simulation, space } = world;
  const forgotten = new Set<string>();
  let exports = 0;
  let occurrences = 0;
  let ids = 0;
  let turns = 0;
  const nextId = () => {
    ids += 1;
    return ids;
  };
  const runLog = async (): Promise<void> => {
    const errorMs = clockErrorMs();
    await world.run({ now: () => simulation.now() + errorMs });
  };
  const send = (payload: Payload, chat = '7') =>
    simulation.accept(signalWith(space, `tg-1-${nextId()}`, payload, chat, simulation.now() + clockErrorMs()));

  const decide = async (decision = pick(DECISIONS)): Promise<void> => {
    const partition = indexPartitions.pendingApprovals(space);
    const { items } = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 6 });
    const item = items[Math.floor(draw() * items.length)];
    if (item === undefined) return;
    const approvalId = String(item.pk).slice(`approval#${space}#`.length);
    await send({ sensor: 'approval-decision', approvalId, decision });
  };
  const command = async (): Promise<void> => {
    const name = pick(COMMANDS);
    if (name === 'stop')
      await setKillSwitch(dynamo.table, space, { isStopped: true, by: 'telegram:7', at: simulation.now() });
    if (name === 'remember') await send({ sensor: 'command', name, rest: `the gate ${nextId()} is green` });
    if (name === 'jobs') await send({ sensor: 'command', name, rest: pick(JOBS) });
    if (name === 'resume') await send({ sensor: 'command', name, rest: '' });
    if (name !== 'forget') return;
    const objects = await dynamo.table.query({ pk: `memory#${space}`, skPrefix: 'object#' });
    const note = objects.items
      .map(({ sk }) => String(sk).split('#')[1] ?? '')
      .find((id) => /^[0-9a-f]{32}$/.test(id) && !forgotten.has(id));
    if (note === undefined) return;
    forgotten.add(note);
    await send({ sensor: 'command', name, rest: note });
  };
  const makeJob = async (): Promise<void> => {
    await send({ sensor: 'command', name: 'jobs', rest: MAKE_JOB });
    await simulation.drain();
    await decide('approve');
    await simulation.drain();
  };
  const say = async (): Promise<void> => {
    const chat = pick(['7', '8']);
    const signal = ownerMessage(space, nextId(), pick(SAID), chat, simulation.now() + clockErrorMs());
    turns += 1;
    await simulation.accept(signal);
    if (draw() < 0.3) await simulation.accept(signal);
  };
  const deliver = async (): Promise<void> => {
    for (let count = Math.floor(draw() * 12); count >= 0; count -= 1) {
      const [message] = simulation.queue;
      // A consumer that died after its work and before it said so: the same message comes again.
      if (message !== undefined && draw() < 0.2) simulation.queue.unshift(message);
      await simulation.deliverNext();
    }
  };
  /** The heartbeat: what is unfinished, and the jobs. One that dies comes again. */
  const sweep = async (): Promise<void> => {
    for (const work of [simulation.sweep, simulation.tickJobs])
      try {
        await work();
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        await work();
      }
  };

  /** As the command exports: while it waits, everybody else goes on. */
  const check = async (): Promise<void> => {
    const errorMs = clockErrorMs();
    let pauses = 0;
    await sweep();
    const { lines, problems } = await world.exportLines({
      now: () => simulation.now() + errorMs,
      pause: async () => {
        simulation.advance(PAUSE_MS);
        await simulation.deliverNext();
        pauses += 1;
        if ((pauses * PAUSE_MS) % MINUTE_MS === 0) await sweep();
        await runLog();
        return pauses < PAUSES_MAX;
      },
    });
    expect({ seed, problems }).toStrictEqual({ seed, problems: [] });
    const found = await verifyExport(lines, {
      now: simulation.now() + clockErrorMs(),
      key: keyOf(space),
      momentsBetween: computeMoments,
    });
    const isEmpty = !('wrong' in found) && found.leaves === 0;
    expect({ seed, wrong: 'wrong' in found ? found.wrong : found.status }).toStrictEqual({
      seed,
      wrong: isEmpty ? 'incomplete' : 'verified',
    });
    exports += 1;
    if (!('wrong' in found)) occurrences = Math.max(occurrences, found.occurrences);
    expect((await quickCheck(dynamo.table, space))[0]).not.toMatch(/^WRONG/);
  };

  const step = async (): Promise<void> => {
    const kind = pick(STEPS);
    switch (kind) {
      case 'say':
        return say();
      case 'decide':
        return decide();
      case 'command':
        return command();
      case 'deliver':
        return deliver();
      case 'crash':
        return simulation.crashAt(Math.ceil(draw() * 25));
      case 'wait':
        simulation.advance(pick(WAITS_MINUTES) * MINUTE_MS);
        return sweep();
      case 'log':
        return runLog();
      default:
        return kind satisfies never;
    }
  };
  return {
    simulation,
    space,
    send,
    decide,
    makeJob,
    step,
    check,
    turns: () => turns,
    exports: () => exports,
    occurrences: () => occurrences,
  };
};

describe('an honest run', () => {
  it(
    `exports and verifies at any time, with clocks seconds apart: ${TURNS} turns`,
    async () => {
      let [runs, turns, exports, occurrences] = [0, 0, 0, 0];
      while (turns < TURNS) {
        const run = buildRun(SEED + runs);
        await run.makeJob();
        for (let count = 1; count <= STEPS_PER_RUN; count += 1) {
          await run.step();
          if (count % STEPS_PER_EXPORT === 0) await run.check();
        }
        run.simulation.crashAt(Number.POSITIVE_INFINITY);
        await run.simulation.drain(2_000);
        await run.check();
        runs += 1;
        turns += run.turns();
        exports += run.exports();
        occurrences += run.occurrences();
      }
      console.log(`${turns} turns in ${runs} runs: ${exports} exports verified, ${occurrences} occurrences`);
    },
    TEST_MS,
  );

  it('verifies wherever Act dies while it refuses what a person had approved', async () => {
    for (let k = 1, hasCrashed = true; hasCrashed; k += 1) {
      const { simulation, space, send, decide, check } = buildRun(SEED);
      await send({ sensor: 'chat-message', text: [{ text: 'deploy main', origin: 'owner' }] });
      await simulation.drain();
      await decide('approve');
      while (simulation.queue.length > 0 && simulation.queue[0]?.stage !== 'act') await simulation.deliverNext();
      await setKillSwitch(dynamo.table, space, { isStopped: true, by: 'telegram:7', at: simulation.now() + MINUTE_MS });
      simulation.crashAt(k);
      await simulation.deliverNext();
      hasCrashed = simulation.crashes.length > 0;
      await check();
    }
  });
});
