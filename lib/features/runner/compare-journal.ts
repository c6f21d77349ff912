/**
 * Compares the journal that a machine kept with a verified export. A line that the log lacks, or
 * that the machine never signed, or signed otherwise, is named; the rest is only counted. Pure.
 */
import { canonicalJson, hashOf } from '../../core/base/canonical.ts';
import { MINUTE_MS } from '../../core/base/limits.ts';
import type { FixedOrder, FixedRunnerReceipt, FixedRunnerResult } from '../../core/evidence/runner-records.ts';
import type { JournalLine } from './journal-line.ts';
import { orderHashOf, signedFormOfOrder } from './order.ts';
import { isReceiptOf, isResultOf, signedFormOfResult } from './result.ts';

/** The records of runners in an export, by the ids of their effects. */
export interface LoggedRunners {
  readonly jobs: Map<string, FixedOrder>;
  readonly receipts: Map<string, FixedRunnerReceipt>;
  readonly results: Map<string, FixedRunnerResult>;
  /** States of the effects that runners performed; `unknown` if a later word took their place. */
  readonly states: Map<string, string>;
}

export interface ComparedJournal {
  /** One sentence for each difference, the effect's id first. */
  readonly differences: readonly string[];
  /** Jobs of which the log says that nobody knows the end, and what the machine knows of them. */
  readonly unsure: readonly string[];
  /** Results that both have. */
  readonly agreeing: number;
  /** Results of the machine that are newer than the export. */
  readonly newer: number;
  /** Jobs of the log that other runners had. */
  readonly ofOthers: number;
}

/** A signed part as both sides hold it. */
interface Signed {
  readonly form: object;
  readonly signature: string;
}

/** All that one side knows of an order. */
interface Story {
  readonly job?: Signed;
  readonly receipt?: Signed;
  readonly result?: Signed;
  /** How the order ended, and when the machine's clock said so. */
  readonly state?: string;
  readonly endedAt?: number;
}

type Stories = ReadonlyMap<string, Story>;

/** Clocks of machine and stack may differ by half of it, and leaves come minutes late. */
const CLOCKS_MS = 10 * MINUTE_MS;
/** Effects that wait for a result. */
const UNDER_WAY: readonly string[] = ['suspended', 'claimed'];
/** Nothing ran, or nobody knows: the log may have ended such an order by its own rules. */
const DID_NOT_RUN: readonly string[] = ['refused', 'unknown'];

const isSame = (one: Signed, other: Signed): boolean =>
  one.signature === other.signature && canonicalJson(one.form) === canonicalJson(other.form);

const readLog = ({ jobs, receipts, results }: LoggedRunners): Stories =>
  new Map(
    [...jobs].map(([id, { job, signature }]): [string, Story] => {
      const [receipt, result] = [receipts.get(id), results.get(id)];
      return [
        id,
        {
          job: { form: job, signature },
          ...(receipt === undefined ? {} : { receipt: { form: receipt.receipt, signature: receipt.signature } }),
          ...(result === undefined ? {} : { result: { form: result.result, signature: result.signature } }),
        },
      ];
    }),
  );

/** The content of a line, and the hash of its order. */
const readLine = (line: JournalLine): readonly [jobHash: string, story: Story] => {
  switch (line.kind) {
    case 'job': {
      const { job, signature } = line.signed;
      return [orderHashOf(job), { job: { form: signedFormOfOrder(job), signature } }];
    }
    case 'receipt': {
      const { receipt, signature } = line.signed;
      return [receipt.jobHash, { receipt: { form: receipt, signature } }];
    }
    case 'result': {
      const { result, signature } = line.signed;
      const { state, endedAt } = result;
      const signed = { form: signedFormOfResult(result), signature };
      return [result.jobHash, { result: signed, state, endedAt }];
    }
    default:
      return line satisfies never;
  }
};

/** @param ids of orders by their hashes: one that the machine refused has no line of its own */
const readJournal = (
  lines: readonly JournalLine[],
  ids: ReadonlyMap<string, string>,
  differences: string[],
): Stories => {
  const known = new Map(ids);
  for (const line of lines) if (line.kind === 'job') known.set(orderHashOf(line.signed.job), line.signed.job.id);
  const stories = new Map<string, Story>();
  for (const line of lines) {
    const [jobHash, story] = readLine(line);
    const id = known.get(jobHash) ?? `job ${jobHash.slice(0, 12)}`;
    const before = stories.get(id);
    const other = before?.[line.kind];
    const own = story[line.kind];
    if (other !== undefined && own !== undefined && !isSame(other, own))
      differences.push(`${id}: the journal has two different lines of its ${line.kind}`);
    stories.set(id, { ...before, ...story });
  }
  return stories;
};

const PARTS = ['job', 'receipt', 'result'] as const;

/** Parts of the log that the machine never had or signed, or had otherwise. */
const compareLogged = (id: string, logged: Story, own: Story | undefined): readonly string[] =>
  PARTS.flatMap((part) => {
    const [said, kept] = [logged[part], own?.[part]];
    // An order that never reached the machine has no line there.
    if (said === undefined || (kept === undefined && part === 'job')) return [];
    if (kept === undefined) return [`${id}: the machine never signed the ${part} in the log`];
    return isSame(said, kept) ? [] : [`${id}: the ${part} in the log is not the one in the journal`];
  });

/** The runner takes an order, then writes it down; killed in between, it may refuse it later. */
const isKilledBetween = ({ receipt, result }: Story, own: Story | undefined, effect: string): boolean =>
  receipt !== undefined && result === undefined && own?.receipt === undefined && effect === 'unknown';

const isSignedBy = (key: string, line: JournalLine): boolean =>
  line.kind === 'receipt' ? isReceiptOf(key, line.signed) : line.kind === 'result' && isResultOf(key, line.signed);

/** Keys of the log that signed nothing in the journal. */
const keysOfOthers = ({ jobs }: LoggedRunners, lines: readonly JournalLine[]): ReadonlySet<string> => {
  const keys = new Set([...jobs.values()].map(({ pairing }) => pairing.publicKey));
  return new Set([...keys].filter((key) => !lines.some((line) => isSignedBy(key, line))));
};

/** @param newestAt time of the newest leaf, epoch milliseconds */
export const compareJournal = (
  logged: LoggedRunners,
  lines: readonly JournalLine[],
  newestAt: number,
): ComparedJournal => {
  const [differences, unsure]: [string[], string[]] = [[], []];
  let [agreeing, newer, ofOthers] = [0, 0, 0];
  const log = readLog(logged);
  const ids = new Map([...logged.jobs].map(([id, { job }]) => [hashOf('runner-job', job), id]));
  const journal = readJournal(lines, ids, differences);
  const others = keysOfOthers(logged, lines);
  for (const [id, story] of log) {
    const own = journal.get(id);
    if (own === undefined && others.has(logged.jobs.get(id)?.pairing.publicKey ?? '')) ofOthers += 1;
    else if (isKilledBetween(story, own, logged.states.get(id) ?? ''))
      unsure.push(`${id}: the machine took it, and may have been ended before it wrote that down`);
    else differences.push(...compareLogged(id, story, own));
  }
  for (const [id, { result, state = '', endedAt = 0 }] of journal) {
    if (result === undefined) continue;
    const known = log.get(id);
    const effect = logged.states.get(id) ?? '';
    if (known?.result !== undefined) agreeing += isSame(known.result, result) ? 1 : 0;
    else if (endedAt > newestAt - CLOCKS_MS) newer += 1;
    else if (known !== undefined && UNDER_WAY.includes(effect))
      unsure.push(`${id}: the machine says ${state}; the log says that it is still under way`);
    else if (known === undefined)
      differences.push(`${id}: it ended on the machine (${state}), and the log has no such job`);
    else if (effect === 'unknown') unsure.push(`${id}: the machine says ${state}; its word came too late for the log`);
    else if (!DID_NOT_RUN.includes(state))
      differences.push(`${id}: it ended on the machine (${state}), and the log has no result of it`);
  }
  return { differences, unsure, agreeing, newer, ofOthers };
};
