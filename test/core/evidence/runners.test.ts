/**
 * Runners in an export. Where the log is honest about a dishonest machine, or about a dishonest
 * agent, every hash and signature of the log holds, and the rules of runners name what is wrong.
 * Whoever lacks the log's key is named by the hashes.
 */
import { describe, expect, it } from 'vitest';
import { verifyExport } from '../../../lib/core/evidence/verifier/verify-export.ts';
import { buildShown } from '../../../lib/features/runner/result.ts';
import { randomFrom } from '../../support/generated-decisions.ts';
import { TAKES_MORE } from '../../support/sample.ts';
import { SEED } from '../../support/seed.ts';
import { NOW, toolCall } from '../gates/samples.ts';
import { buildExport, FIRST_KEY, textOf } from './export-world.ts';
import { type LogEvent, withFixed, worldOf } from './job-world.ts';
import { mutateExport } from './mutate-export.ts';
import {
  buildRunnerWorld,
  command,
  EXPORTED_AT,
  FOREIGN,
  type Lies,
  MACHINE,
  PLANS,
  SECRET_WORDS,
} from './runner-world.ts';

const verify = (events: readonly LogEvent[]) =>
  verifyExport(buildExport(worldOf(events, EXPORTED_AT)).lines, { now: EXPORTED_AT, key: textOf(FIRST_KEY) });
const wrongOf = async (events: readonly LogEvent[]) => {
  const found = await verify(events);
  return found.status === 'wrong' ? [found.wrong.kind, found.wrong.id, found.wrong.what] : [found.status];
};

const MUTATIONS = TAKES_MORE ? 1_000 : 300;
const honest = buildRunnerWorld().events;
const without = (kind: string, id: string) => honest.filter(({ record }) => record.kind !== kind || record.id !== id);
const ofSignal = (event: LogEvent, signal: string): boolean => event.leaf.signal === signal;

describe('the verifier, on runners', () => {
  it('accepts jobs that ended in every way, and forgotten ones', async () => {
    expect(await verify(honest)).toMatchObject({ status: 'verified', runnerJobs: PLANS.length, forgotten: 2 });
  });

  const hex = (digit: string): string => digit.repeat(64);
  const DONE = 'con-done#0';
  const LIES: readonly (readonly [string, string, Lies, readonly [string, string, string]])[] = [
    [
      'a job is of another action',
      'con-done',
      { job: (job) => ({ ...job, actionHash: hex('1') }) },
      ['runner-job', DONE, 'its action is not the one of its effect'],
    ],
    [
      'a job names another decision',
      'con-done',
      { job: (job) => ({ ...job, decisionHash: hex('1') }) },
      ['runner-job', DONE, 'its decision is not the one of its effect'],
    ],
    [
      'a forgotten job names another decision',
      'con-gone',
      { job: (job) => ({ ...job, decisionHash: hex('1') }) },
      ['runner-job', 'con-gone#0', 'its decision is not the one of its effect'],
    ],
    [
      'a job names another trace',
      'con-done',
      { job: (job) => ({ ...job, traceHash: hex('1') }) },
      ['runner-job', DONE, 'its trace is not the one of its effect'],
    ],
    [
      'a job names another consent',
      'con-done',
      { job: ({ consent: _none, ...job }) => job },
      ['runner-job', DONE, 'its approval or grant is not the one of its effect'],
    ],
    [
      'a job is of another space',
      'con-done',
      { job: (job) => ({ ...job, space: 'other' }) },
      ['runner-job', DONE, 'it is of another space'],
    ],
    [
      "a job is signed by another key than Act's",
      'con-failed',
      { act: FOREIGN },
      [
        'runner-job',
        'con-failed#0',
        'it names another key of desk than a job before it, and the runner was not paired anew',
      ],
    ],
    [
      'a result is signed by a foreign key',
      'con-done',
      { machine: FOREIGN },
      ['runner-receipt', DONE, 'it is not signed by the key that was paired as desk'],
    ],
    [
      'a runner nobody paired',
      'con-done',
      { pairing: { publicKey: MACHINE.publicKey, pairedAt: NOW + 3_600_000, pairedBy: 'telegram:7' } },
      ['runner-job', DONE, 'no effect of the log let desk pair with the key that it names'],
    ],
    [
      'a result for a job that was never sent',
      'con-done',
      { result: (result) => ({ ...result, jobHash: hex('2') }) },
      ['runner-result', DONE, 'it is of another job'],
    ],
    [
      'a receipt by another runner',
      'con-done',
      { receipt: (receipt) => ({ ...receipt, runner: 'other' }) },
      ['runner-receipt', DONE, 'it is of the runner other, and the job was for desk'],
    ],
    [
      'a receipt long after the job had expired',
      'con-done',
      { receipt: (receipt) => ({ ...receipt, takenAt: EXPORTED_AT }) },
      ['runner-receipt', DONE, 'the runner took the job after it had expired'],
    ],
    [
      'a result of another claim',
      'con-done',
      { result: (result) => ({ ...result, claim: 'f'.repeat(32) }) },
      ['runner-result', DONE, 'it names another claim than the receipt'],
    ],
    [
      'a result with another output than it signed',
      'con-done',
      { result: (result) => ({ ...result, shown: buildShown('all is lost', true) }) },
      ['effect', DONE, 'its output is not the text that the runner signed'],
    ],
    [
      'a forgotten output that is not the one it signed',
      'con-gone',
      { result: (result) => ({ ...result, shown: buildShown('all is lost', true) }) },
      ['effect', 'con-gone#0', 'its output is not the text that the runner signed'],
    ],
    [
      'the beginning of a long output is not the one it signed',
      'con-long',
      { stored: '(65536 characters; read on)\nanother line of the log' },
      ['effect', 'con-long#0', 'its output is not the text that the runner signed'],
    ],
    [
      'a failure that is told as a success',
      'con-failed',
      { effect: (effect) => ({ ...effect, state: 'done' }) },
      ['effect', 'con-failed#0', 'it says done, and the runner signed failed'],
    ],
    [
      'a result without a receipt, after the job expired',
      'con-refused',
      { result: (result) => ({ ...result, state: 'done' }), effect: (effect) => ({ ...effect, state: 'done' }) },
      ['runner-result', 'con-refused#0', 'the runner signed no receipt before it'],
    ],
    [
      'a lost job that is told as a success',
      'con-lost',
      { effect: (effect) => ({ ...effect, state: 'done', output: 'all is well' }) },
      ['effect', 'con-lost#0', 'a runner did it, and its result is missing'],
    ],
  ];

  it.each(LIES)('names it if %s', async (_name, signal, lies, expected) => {
    expect(await wrongOf(buildRunnerWorld({ [signal]: lies }).events)).toStrictEqual([...expected]);
  });

  it.each([
    ['runner-job', DONE, ['runner-receipt', DONE, 'Act never handed on a job of this effect']],
    ['runner-receipt', DONE, ['runner-result', DONE, 'the runner signed no receipt before it']],
    ['runner-result', DONE, ['effect', DONE, 'a runner did it, and its result is missing']],
    ['runner-job', 'con-handed#0', ['effect', 'con-handed#0', 'it was handed to a runner, and there is no signed job']],
  ])('names an effect whose %s %s is left out', async (kind, id, expected) => {
    expect(await wrongOf(without(kind, id))).toStrictEqual(expected);
  });

  it('names a job whose effect is left out', async () => {
    expect(await wrongOf(without('effect', DONE))).toStrictEqual([
      'runner-job',
      DONE,
      'no effect of the log handed it on',
    ]);
  });

  it('names a second result of one job, under the same id or another', async () => {
    const result = honest.find(({ record }) => record.kind === 'runner-result' && record.id === DONE) as LogEvent;
    const [same] = await wrongOf([...honest, withFixed(result, { at: NOW })]);
    expect(same).toBe('runner-result');
    const other = { ...withFixed(result, { effect: 'con-lost#0' }) };
    const moved = { ...other, record: { ...other.record, id: 'con-lost#0' } };
    expect(await wrongOf([...honest, moved])).toStrictEqual(['runner-result', 'con-lost#0', 'it is of another job']);
  });

  it('names a tool of runners that something else performed', async () => {
    const lies: Lies = { effect: (effect) => ({ ...effect, actuator: 'tool' }) };
    const events = buildRunnerWorld({ 'con-done': lies }).events.filter(
      ({ record }) => !record.kind.startsWith('runner'),
    );
    expect(await wrongOf(events.filter((event) => !ofSignal(event, 'con-long')))).toStrictEqual([
      'effect',
      DONE,
      'shell was performed, and by no runner',
    ]);
  });

  it('names a job for a runner that had been removed', async () => {
    const at = NOW + 10 * 60_000;
    const events = [
      ...command('con-remove', at, toolCall({ tool: 'remove-runner', args: { name: 'desk' } })),
      ...honest,
    ];
    expect(await wrongOf(events)).toStrictEqual([
      'runner-job',
      DONE,
      'its runner had been removed, and the key of desk counted no more',
    ]);
  });

  it(`names the record after each of ${MUTATIONS} changes of a runner's record`, async () => {
    const { lines } = buildExport(worldOf(honest, EXPORTED_AT));
    const draw = randomFrom(SEED);
    const unnoticed: string[] = [];
    for (let done = 0; done < MUTATIONS; ) {
      const { record, what, lines: changed } = mutateExport(draw, lines) ?? { record: undefined, what: '', lines };
      if (!String(record?.kind).startsWith('runner-')) continue;
      done += 1;
      const found = await verifyExport(changed, { now: EXPORTED_AT, key: textOf(FIRST_KEY) });
      const isNamed = found.status === 'wrong' && found.wrong.kind === record?.kind && found.wrong.id === record.id;
      if (!isNamed) unnoticed.push(what);
    }
    expect(unnoticed).toStrictEqual([]);
  });

  it('has no word of a forgotten command in any line', () => {
    const lines = buildExport(worldOf(honest, EXPORTED_AT)).lines;
    const [gone, kept] = ['con-gone', 'con-done'].map((signal) => lines.filter((line) => line.includes(signal)));
    expect(kept?.some((line) => line.includes(SECRET_WORDS))).toBe(true);
    expect(gone?.length).toBeGreaterThan(5);
    expect(gone?.filter((line) => line.includes(SECRET_WORDS))).toStrictEqual([]);
  });
});
