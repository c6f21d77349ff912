/** A machine's journal against an export: what agrees, and each difference by its name. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ComparedJournal,
  compareJournal,
  type LoggedRunners,
} from '../../../lib/features/runner/compare-journal.ts';
import type { JournalLine } from '../../../lib/features/runner/journal-line.ts';
import { orderHashOf } from '../../../lib/features/runner/order.ts';
import { signResult } from '../../../lib/features/runner/result.ts';
import { runCli } from '../../cli/cli-world.ts';
import { buildExport, FIRST_KEY, textOf } from '../../core/evidence/export-world.ts';
import { type LogEvent, worldOf } from '../../core/evidence/job-world.ts';
import { buildRunnerWorld, EXPORTED_AT, FOREIGN, MACHINE } from '../../core/evidence/runner-world.ts';

const { events, journal } = buildRunnerWorld();
const DONE = 'con-done#0';

const loggedOf = (from: readonly LogEvent[]): LoggedRunners => {
  const logged: LoggedRunners = { jobs: new Map(), receipts: new Map(), results: new Map(), states: new Map() };
  for (const { record } of from) {
    const fixed = record.fixed as never;
    if (record.kind === 'runner-job') logged.jobs.set(record.id, fixed);
    if (record.kind === 'runner-receipt') logged.receipts.set(record.id, fixed);
    if (record.kind === 'runner-result') logged.results.set(record.id, fixed);
    if (record.kind === 'effect') logged.states.set(record.id, (record.fixed as { state: string }).state);
  }
  return logged;
};
const compare = (lines: readonly JournalLine[], from = events): ComparedJournal =>
  compareJournal(loggedOf(from), lines, EXPORTED_AT);
const without = (id: string) => events.filter(({ record }) => record.id !== id || !record.kind.startsWith('runner-'));
const hashOfJob = (id: string): string => {
  const line = journal.find((one) => one.kind === 'job' && one.signed.job.id === id);
  return line?.kind === 'job' ? orderHashOf(line.signed.job) : '';
};
const hashOfLine = (line: JournalLine): string => {
  if (line.kind === 'job') return orderHashOf(line.signed.job);
  return line.kind === 'receipt' ? line.signed.receipt.jobHash : line.signed.result.jobHash;
};
const isResultOf = (line: JournalLine, id: string): boolean => {
  const at = journal.findIndex((one) => one.kind === 'job' && one.signed.job.id === id);
  return line === journal[at + 2];
};

describe('compareJournal', () => {
  it('agrees with an honest log', () => {
    expect(compare(journal)).toStrictEqual({ differences: [], unsure: [], agreeing: 5, newer: 0, ofOthers: 0 });
  });

  it('names a job that ran and is not in the log', () => {
    expect(compare(journal, without(DONE)).differences).toStrictEqual([
      `${DONE}: it ended on the machine (done), and the log has no such job`,
    ]);
  });

  it('waits for a leaf that comes late, though the clock of the machine is slow', () => {
    const line = journal.find((one) => isResultOf(one, DONE));
    if (line?.kind !== 'result') throw new Error('it is a result');
    const signed = signResult(MACHINE, {
      ...line.signed.result,
      jobHash: '0'.repeat(64),
      endedAt: EXPORTED_AT - 360_000,
    });
    expect(compare([...journal, { ...line, signed }])).toMatchObject({ differences: [], newer: 1 });
  });

  it('names a result that the log lacks, unless it is under way or unknown', () => {
    const bare = events.filter(({ record }) => record.kind !== 'runner-result' || record.id !== DONE);
    const withState = (state: string) =>
      bare.map((event) =>
        event.record.kind === 'effect' && event.record.id === DONE
          ? { ...event, record: { ...event.record, fixed: { ...event.record.fixed, state } } }
          : event,
      );
    expect(compare(journal, withState('failed')).differences).toStrictEqual([
      `${DONE}: it ended on the machine (done), and the log has no result of it`,
    ]);
    expect(compare(journal, withState('suspended'))).toMatchObject({
      differences: [],
      unsure: [`${DONE}: the machine says done; the log says that it is still under way`],
    });
    expect(compare(journal, withState('unknown'))).toMatchObject({
      differences: [],
      unsure: [`${DONE}: the machine says done; its word came too late for the log`],
    });
  });

  it('names words in the log that the machine never signed', () => {
    const forged = buildRunnerWorld({ 'con-done': { machine: FOREIGN } }).events;
    expect(compare(journal, forged).differences).toStrictEqual([
      `${DONE}: the receipt in the log is not the one in the journal`,
      `${DONE}: the result in the log is not the one in the journal`,
    ]);
    const cut = journal.filter((line) => !isResultOf(line, DONE));
    expect(compare(cut).differences).toStrictEqual([`${DONE}: the machine never signed the result in the log`]);
  });

  it('names a second, other result in the journal', () => {
    const line = journal.find((one) => isResultOf(one, DONE));
    if (line?.kind !== 'result') throw new Error('it is a result');
    const signed = signResult(MACHINE, { ...line.signed.result, exitCode: 1 });
    expect(compare([...journal, { ...line, signed }]).differences).toContain(
      `${DONE}: the journal has two different lines of its result`,
    );
  });

  it('is sure of nothing about a job that the machine took when it was killed', () => {
    const LOST = 'con-lost#0';
    const none = journal.filter((line) => {
      const at = journal.findIndex((one) => one.kind === 'job' && one.signed.job.id === LOST);
      return line !== journal[at] && line !== journal[at + 1];
    });
    expect(compare(none)).toMatchObject({
      differences: [],
      unsure: [`${LOST}: the machine took it, and may have been ended before it wrote that down`],
    });
    // Its file had a fault when the message came again.
    const refused = journal.flatMap((line) =>
      line.kind === 'receipt' && line.signed.receipt.jobHash === hashOfJob(LOST) ? [] : [line],
    );
    expect(compare(refused).differences).toStrictEqual([]);
  });

  it('counts jobs of other machines, also of one that had its name, and names none that it did itself', () => {
    const { publicKey } = FOREIGN;
    const pairing = { publicKey, pairedAt: EXPORTED_AT, pairedBy: 'telegram:7' };
    const moved = buildRunnerWorld({ 'con-done': { machine: FOREIGN, pairing } }).events;
    const [job, receipt, result] = journal.filter((line) => hashOfLine(line) === hashOfJob(DONE));
    const others = journal.filter((line) => line !== job && line !== receipt && line !== result);
    expect(compare(others, moved)).toMatchObject({ differences: [], ofOthers: 1, agreeing: 4 });
    expect(compare(journal, moved).differences).toHaveLength(2);
  });
});

describe('passepartout verify --runner', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'passepartout-journal-'));
    writeFileSync(join(folder, 'export.jsonl'), `${buildExport(worldOf(events, EXPORTED_AT)).lines.join('\n')}\n`);
    const text = journal.map((line) => JSON.stringify(line)).join('\n');
    writeFileSync(join(folder, 'journal.jsonl'), `${text}\n{"kind":"res`);
    writeFileSync(join(folder, 'cut.jsonl'), `${text.split('\n').slice(3).join('\n')}\n`);
    writeFileSync(join(folder, 'new.jsonl'), '\n');
    writeFileSync(join(folder, 'other.jsonl'), '{"kind":"other"}\n');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['journal.jsonl', 0, /the machine's journal: 5 results as the log has them, 1 line cut off by a crash/],
    ['cut.jsonl', 1, /DIFFERENT: con-done#0: the machine never signed the receipt in the log/],
    ['new.jsonl', 3, /nothing in this journal is signed by its machine/],
    ['other.jsonl', 2, /line 1 is no line of a runner's journal/],
    ['none.jsonl', 2, /there is no file .*none\.jsonl/],
  ])('compares %s and exits with %i', async (file, code, expected) => {
    const [path, key] = [join(folder, 'export.jsonl'), textOf(FIRST_KEY)];
    const found = await runCli(['verify', path, '--key', key, '--runner', join(folder, file)], folder);
    expect(found.code).toBe(code);
    expect(`${found.out}${found.err}`).toMatch(expected);
  });
});
