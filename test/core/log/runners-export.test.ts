/**
 * A machine's work from the owner's message to a verified export, over the real stages, the real
 * requests of machines and a real table. The machine itself is a few lines here, so that it can
 * lie, fall silent, or be asked to forget.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareWithJournal } from '../../../infra/runner/journal-check.ts';
import { HOUR_MS, MINUTE_MS } from '../../../lib/core/base/limits.ts';
import { parseEffect, parseRecord } from '../../../lib/core/ledger/ledger.ts';
import { reopenEffect } from '../../../lib/core/ledger/reopen-effect.ts';
import { quickCheck } from '../../../lib/core/log/quick-check.ts';
import type { MachineDeps } from '../../../lib/core/operations/machine-door.ts';
import type { PerceiveMessage } from '../../../lib/core/signal/messages.ts';
import { runnerKeys, signalKeys } from '../../../lib/core/store/keys.ts';
import { loadItem } from '../../../lib/core/store/load-named.ts';
import { buildActSigner } from '../../../lib/features/runner/act-key.ts';
import { pairRunner } from '../../../lib/features/runner/edge/pair-runner.ts';
import { claimJob, keepResult } from '../../../lib/features/runner/edge/runner-ops.ts';
import { buildRunnerActuator } from '../../../lib/features/runner/hand-order.ts';
import type { JournalLine } from '../../../lib/features/runner/journal-line.ts';
import { orderHashOf, SignedOrder } from '../../../lib/features/runner/order.ts';
import { loadOrderRow } from '../../../lib/features/runner/order-row.ts';
import { fingerprintOf, hashOfSecret } from '../../../lib/features/runner/pairing-code.ts';
import { RUNNER_BODIES, type RunnerBody } from '../../../lib/features/runner/requests.ts';
import {
  buildShown,
  type RunnerReceipt,
  type RunnerResult,
  signReceipt,
  signResult,
} from '../../../lib/features/runner/result.ts';
import { loadRunners } from '../../../lib/features/runner/runner-powers.ts';
import { buildSigner } from '../../../lib/features/runner/sign.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { findWords } from '../../support/scan.ts';
import { signalWith } from '../../support/simulation.ts';
import { toolCall } from '../gates/samples.ts';
import { buildLogWorld, keyOf } from './log-world.ts';

const WORDS = 'the violet heron nests behind the mill';
const MACHINE = buildSigner(Buffer.alloc(32, 21));
const ALLOW = {
  hash: 'a'.repeat(64),
  home: '/home/a',
  read: ['/home/a/notes'],
  write: ['/home/a/work'],
  programs: [],
  hasNetwork: false,
};

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const pairedWorld = async () => {
  const { table } = dynamo;
  // Each question is answered by one call, and then by words.
  let isCalled = true;
  const world = buildLogWorld(dynamo, {
    answer: () => {
      const isAsked = isCalled;
      isCalled = true;
      return isAsked
        ? { content: 'That is what it says.' }
        : {
            toolCalls: [
              {
                id: 'call-1',
                name: 'shell',
                argumentsText: JSON.stringify({
                  cmd: `cat '/home/a/notes/${WORDS}.txt'`,
                  explanation: 'the owner asked',
                }),
              },
            ],
          };
    },
  });
  const { simulation, space } = world;
  const secret = randomBytes(16).toString('hex');
  const rest = `pair desk ${hashOfSecret(secret)}`;
  let commands = 9_000;
  const command = async (name: string, words: string): Promise<void> => {
    commands += 1;
    const payload = { sensor: 'command', name, rest: words } as const;
    await simulation.accept(signalWith(space, `tg-1-${commands}`, payload, '7', simulation.now()));
    await simulation.drain();
  };
  await command('runners', rest);
  const edge: MachineDeps = {
    table,
    space,
    publish: async (message) => void simulation.queue.push(message),
    queueUrls: [],
    openQueue: () => Promise.reject(new Error('nobody opens a queue here')),
    contents: undefined,
    now: simulation.now,
  };
  const code = await loadItem(table, runnerKeys.code(space, hashOfSecret(secret)));
  const fingerprint = fingerprintOf(String(code?.actKey));
  await pairRunner(edge, { secret, fingerprint, publicKey: MACHINE.publicKey, allow: ALLOW });
  const [runner] = (await loadRunners(table, space)).runners;
  if (runner === undefined) throw new Error('it is paired');
  const journal: JournalLine[] = [];

  interface Said {
    readonly text?: string;
    readonly receipt?: Partial<RunnerReceipt>;
    readonly result?: Partial<RunnerResult>;
  }
  /** What the machine signs of the job; its own journal is `journal`. */
  const signFor = async (signal: string, { text = '', receipt: taken = {}, result: told = {} }: Said) => {
    const id = `${signal}#0`;
    const row = await loadOrderRow(table, space, id);
    const signed = SignedOrder.parse(JSON.parse(row?.signed ?? 'null'));
    const common = { v: 1, jobHash: orderHashOf(signed.job), runner: 'desk' } as const;
    const claim = randomBytes(16).toString('hex');
    const at = simulation.now();
    const receipt = signReceipt(MACHINE, { ...common, takenAt: at, claim, runMsMax: 60_000, ...taken });
    const result = signResult(MACHINE, {
      ...common,
      claim,
      state: 'done',
      reason: '',
      endedAt: at,
      output: { sha256: 'b'.repeat(64), bytes: text.length },
      shown: buildShown(text, true),
      changed: [],
      moreChanged: 0,
      allowHash: ALLOW.hash,
      ...told,
    });
    return { signed, claim: { id, receipt }, result: { id, result, text, receipt } };
  };
  type Signed = Awaited<ReturnType<typeof signFor>>;
  const claim = ({ claim: body }: Pick<Signed, 'claim'>) => claimJob(edge, runner, RUNNER_BODIES.claim.parse(body));
  const end = ({ result: body }: { readonly result: RunnerBody<'result'> }) => keepResult(edge, runner, body);
  const write = ({ signed, claim: { receipt }, result: { result } }: Signed): void => {
    const at = simulation.now();
    journal.push({ kind: 'job', at, signed }, { kind: 'receipt', at, signed: receipt });
    journal.push({ kind: 'result', at, signed: result });
  };

  /** Takes the job, and says how it ended. */
  const work = async (signal: string, { text, ...result }: Partial<RunnerResult> & { readonly text: string }) => {
    const words = await signFor(signal, { text, result });
    expect(await claim(words)).toStrictEqual({ isYours: true, why: '' });
    write(words);
    expect(await end(words)).toStrictEqual({ isKept: true });
    await simulation.drain();
  };
  const effectOf = async (signal: string) => (await table.load([signalKeys.effect(space, signal, 0)]))[0];
  const ask = async (): Promise<string> => {
    isCalled = false;
    return world.say('What does the file of the violet heron say?');
  };
  /** A person has it performed again. */
  const retry = async (signal: string): Promise<void> => {
    const [item] = await table.load([signalKeys.record(space, signal)]);
    const effect = await effectOf(signal);
    if (item === undefined || effect === undefined) throw new Error('it is there');
    const publish = async (message: PerceiveMessage) => void simulation.queue.push(message);
    const deps = { table, publish, now: simulation.now() };
    await reopenEffect(deps, parseRecord(signal, item), parseEffect(signal, effect));
    await simulation.drain();
  };
  return { ...world, journal, command, signFor, claim, end, write, work, ask, effectOf, retry };
};

const withoutReceipt = ({ result: { receipt: _none, ...result } }: { readonly result: RunnerBody<'result'> }) => ({
  result,
});

async function* linesOf(lines: readonly string[]) {
  yield* lines;
}
const compare = (lines: readonly string[], journal: readonly JournalLine[], now: number) =>
  compareWithJournal(linesOf(lines), linesOf(journal.map((line) => JSON.stringify(line))), now);

describe('the work of a machine', () => {
  it('is exported and verified, whether it was done, refused, long, lost or never taken', async () => {
    const world = await pairedWorld();
    const { simulation, space, work, ask, effectOf, run, verify, exportLines, journal } = world;
    const done = await ask();
    expect(await effectOf(done)).toMatchObject({ state: 'suspended', handedTo: { runner: 'desk' } });
    await run();
    expect(await verify({ key: keyOf(space) })).toMatchObject({ status: 'verified', runnerJobs: 1 });
    await work(done, { text: 'all is well' });
    expect(await effectOf(done)).toMatchObject({ state: 'done', output: 'all is well' });
    const refused = await ask();
    await work(refused, { text: `the file ${WORDS} is odd`, state: 'failed', reason: `the file ${WORDS} is odd` });
    expect(await effectOf(refused)).toMatchObject({ state: 'failed', reason: 'desk ended it before it was done' });
    await work(await ask(), { text: 'a line of it\n'.repeat(5_000) });
    const expired = await ask();
    simulation.advance(HOUR_MS + 60_000);
    await simulation.tickJobs();
    await simulation.drain();
    expect(await effectOf(expired)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/did not take it/),
    });
    await run();
    const { lines, problems } = await exportLines();
    expect(problems).toStrictEqual([]);
    expect(await verify({ key: keyOf(space) })).toMatchObject({ status: 'verified', runnerJobs: 4, pending: 0 });
    expect(await compare(lines, journal, simulation.now())).toMatchObject({ differences: [], agreeing: 3 });
    expect((await quickCheck(dynamo.table, space))[0]).toMatch(/is in order/);
  });

  it.each([
    ['before it ends', true],
    ['after its end', false],
  ])('leaves no word in the table or an export if the owner forgets it %s', async (_name, isUnderWay) => {
    const { space, work, ask, run, verify, command, memory, effectOf } = await pairedWorld();
    await command('remember', WORDS);
    const note = (await memory.list({ limit: 1 })).objects[0]?.id ?? '';
    const id = await ask();
    const forget = (): Promise<void> => command('forget', note);
    const end = (): Promise<void> => work(id, { text: `${WORDS} is well`, state: 'failed', reason: `${WORDS} is odd` });
    await run();
    await (isUnderWay ? forget() : end());
    await (isUnderWay ? end() : forget());
    expect(await effectOf(id)).toMatchObject({ state: 'failed' });
    await run();
    expect(await findWords(dynamo, space, WORDS)).toStrictEqual([]);
    expect(await verify({ key: keyOf(space) })).toMatchObject({ status: 'verified', runnerJobs: 1 });
  });

  it('is asked of no machine that trusts another key of Act, and the export stays verified', async () => {
    const { space, work, ask, run, verify, effectOf } = await pairedWorld();
    await work(await ask(), { text: 'all is well' });
    const { runners } = await loadRunners(dynamo.table, space);
    const before = runners.map((one) => ({ ...one, actKey: MACHINE.publicKey }));
    await dynamo.table.update(runnerKeys.list(space), { set: { runners: before } });
    expect(await effectOf(await ask())).toMatchObject({
      state: 'failed',
      reason: 'my key is another since desk was paired; /runners remove desk, and pair it again',
    });
    await run();
    expect(await verify({ key: keyOf(space) })).toMatchObject({ status: 'verified', runnerJobs: 1 });
  });

  it('fails with what to do if the key of Act cannot be used', async () => {
    const { space } = await pairedWorld();
    const actuator = buildRunnerActuator({
      table: dynamo.table,
      space,
      loadSigner: async () => buildActSigner(space, 'short'),
      sendOrder: async () => {},
      keepOutput: () => Promise.reject(new Error('there is none')),
      newNonce: () => '0'.repeat(32),
    });
    const action = toolCall({ tool: 'shell', args: { cmd: 'ls', runner: 'desk' } });
    const context = {
      effectId: `${space}/con-1#0`,
      now: 1,
      addresses: [],
      origin: 'owner',
      signalId: 'con-1',
      actor: 'agent',
    } as const;
    expect(await actuator.deliver(action, context)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/RUNNER_SIGNING_KEY must have at least 20 characters/),
    });
  });

  it('is named if Act stores another output than the machine signed', async () => {
    const { space, work, ask, run, verify } = await pairedWorld();
    const id = await ask();
    await work(id, { text: 'all is well' });
    await dynamo.table.update(signalKeys.effect(space, id, 0), { set: { output: 'all is lost' } });
    await run();
    expect(await verify()).toMatchObject({
      status: 'wrong',
      wrong: { kind: 'effect', id: `${id}#0`, what: 'its output is not the text that the runner signed' },
    });
  });

  type World = Awaited<ReturnType<typeof pairedWorld>>;
  const unknown = { text: '', result: { state: 'unknown' } } as const;
  const LIES: readonly (readonly [string, (world: World, id: string) => Promise<unknown>])[] = [
    ['a claim in the future', async (at, id) => at.claim(await at.signFor(id, { receipt: { takenAt: 2e12 } }))],
    ['a claim before all time', async (at, id) => at.claim(await at.signFor(id, { receipt: { takenAt: -1 } }))],
    [
      'a receipt of another machine',
      async (at, id) => at.end(await at.signFor(id, { ...unknown, receipt: { runner: 'attic' } })),
    ],
    ['an end without a receipt', async (at, id) => at.end(withoutReceipt(await at.signFor(id, unknown)))],
    [
      'a refusal after a claim that nobody saw',
      async (at, id) => at.end(withoutReceipt(await at.signFor(id, { result: { state: 'refused' } }))),
    ],
  ];
  it.each(LIES)('leaves nothing that no log could show: %s', async (_name, lie) => {
    const world = await pairedWorld();
    await expect(lie(world, await world.ask())).rejects.toThrow(/receipt|takenAt/);
  });

  it.each(['unknown', 'failed'] as const)(
    'stays verified if it was %s and a person had it tried again',
    async (state) => {
      const { work, ask, effectOf, run, verify, retry, space } = await pairedWorld();
      const id = await ask();
      await work(id, { text: 'half of it', state });
      expect(await effectOf(id)).toMatchObject({ state });
      await run();
      await retry(id);
      expect(await effectOf(id)).toMatchObject({
        state: 'failed',
        reason: expect.stringMatching(/no job runs a second/),
      });
      await run();
      expect(await verify({ key: keyOf(space) })).toMatchObject({ status: 'verified', runnerJobs: 1 });
    },
  );

  it('misses no result that came too late, if a person had it tried again', async () => {
    const { simulation, signFor, claim, end, write, ask, run, retry, exportLines, journal, effectOf } =
      await pairedWorld();
    const id = await ask();
    const words = await signFor(id, { text: 'all is well' });
    await claim(words);
    simulation.advance(10 * MINUTE_MS);
    await simulation.tickJobs();
    await simulation.drain();
    write(words);
    expect(await end(words)).toStrictEqual({ isKept: false });
    await retry(id);
    expect(await effectOf(id)).toMatchObject({ state: 'failed' });
    await run();
    const { lines } = await exportLines();
    expect(await compare(lines, journal, simulation.now())).toMatchObject({
      differences: [],
      unsure: [`${id}#0: the machine says done; its word came too late for the log`],
    });
  });
});
