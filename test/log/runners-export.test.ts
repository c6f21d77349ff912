/**
 * A machine's work from the owner's message to a verified export, over the real stages, the real
 * requests of machines and a real table. The machine itself is a few lines here, so that it can
 * lie, fall silent, or be asked to forget.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../lib/base/limits.ts';
import { pairRunner } from '../../lib/edge/runner/pair-runner.ts';
import { claimJob, keepResult, type RunnerEdgeDeps } from '../../lib/edge/runner/runner-ops.ts';
import { readFixed } from '../../lib/evidence/verifier/record-forms.ts';
import { quickCheck } from '../../lib/log/quick-check.ts';
import { compareJournal, type LoggedRunners } from '../../lib/runner/compare-journal.ts';
import { jobHashOf, SignedJob } from '../../lib/runner/job.ts';
import { loadJobRow } from '../../lib/runner/job-row.ts';
import type { JournalLine } from '../../lib/runner/journal-line.ts';
import { fingerprintOf, hashOfSecret } from '../../lib/runner/pairing-code.ts';
import { buildShown, type RunnerResult, signReceipt, signResult } from '../../lib/runner/result.ts';
import { loadRunners } from '../../lib/runner/runner-powers.ts';
import { buildSigner } from '../../lib/runner/sign.ts';
import { runnerKeys, signalKeys } from '../../lib/store/keys.ts';
import { loadItem } from '../../lib/store/load-named.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { findWords } from '../support/scan.ts';
import { signalWith } from '../support/simulation.ts';
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
  const edge: RunnerEdgeDeps = {
    table,
    space,
    publish: async (message) => void simulation.queue.push(message),
    queueUrls: [],
    openQueue: () => Promise.reject(new Error('nobody opens a queue here')),
    now: simulation.now,
  };
  const code = await loadItem(table, runnerKeys.code(space, hashOfSecret(secret)));
  const fingerprint = fingerprintOf(String(code?.actKey));
  await pairRunner(edge, { secret, fingerprint, publicKey: MACHINE.publicKey, allow: ALLOW });
  const [runner] = (await loadRunners(table, space)).runners;
  if (runner === undefined) throw new Error('it is paired');
  const journal: JournalLine[] = [];

  /** Takes the job, and says how it ended. */
  const work = async (signal: string, end: Partial<RunnerResult> & { readonly text: string }): Promise<void> => {
    const id = `${signal}#0`;
    const row = await loadJobRow(table, space, id);
    const signed = SignedJob.parse(JSON.parse(row?.signed ?? 'null'));
    const common = { v: 1, jobHash: jobHashOf(signed.job), runner: 'desk' } as const;
    const claim = randomBytes(16).toString('hex');
    const at = simulation.now();
    const receipt = signReceipt(MACHINE, { ...common, takenAt: at, claim, runMsMax: 60_000 });
    expect(await claimJob(edge, runner, { id, receipt })).toStrictEqual({ isYours: true, why: '' });
    journal.push({ kind: 'job', at, signed }, { kind: 'receipt', at, signed: receipt });
    const { text, ...told } = end;
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
    journal.push({ kind: 'result', at, signed: result });
    expect(await keepResult(edge, runner, { id, result, text })).toStrictEqual({ isKept: true });
    await simulation.drain();
  };
  const effectOf = async (signal: string) => (await table.load([signalKeys.effect(space, signal, 0)]))[0];
  const ask = async (): Promise<string> => {
    isCalled = false;
    return world.say('What does the file of the violet heron say?');
  };
  return { ...world, journal, command, work, ask, effectOf };
};

const loggedOf = (lines: readonly string[]): LoggedRunners => {
  const logged: LoggedRunners = { jobs: new Map(), receipts: new Map(), results: new Map(), states: new Map() };
  for (const text of lines) {
    const { kind = '', id = '', fixed = {} } = JSON.parse(text);
    const found = readFixed(kind, fixed);
    if (found?.kind === 'runner-job') logged.jobs.set(id, found.record);
    if (found?.kind === 'runner-receipt') logged.receipts.set(id, found.record);
    if (found?.kind === 'runner-result') logged.results.set(id, found.record);
    if (found?.kind === 'effect') logged.states.set(id, found.record.state);
  }
  return logged;
};

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
    expect(compareJournal(loggedOf(lines), journal, simulation.now())).toMatchObject({ differences: [], agreeing: 3 });
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
});
