/**
 * The faults of the stack, in plain clauses, each with its remedy: read from the table by
 * `/status`, `/health`, `/doctor` and all that ask them, so that they agree. The room that owns a
 * fact says the clause. No clause quotes a secret or a message.
 */

import * as z from 'zod/mini';
import { NOT_STORED } from '../../base/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/limits.ts';
import { utcMinute } from '../../base/utc-minute.ts';
import { describeJobProblems } from '../../jobs/job-problems.ts';
import { describeBehind } from '../../jobs/read-jobs.ts';
import { killSwitchKey, readKillSwitch } from '../../ledger/kill-switch.ts';
import { describeOldBackup, lastBackupKey } from '../../ledger/last-backup.ts';
import { parseEffect } from '../../ledger/ledger.ts';
import { newerRelease, newestReleaseKey } from '../../ledger/newest-release.ts';
import { codeOfEffect } from '../../ledger/old-sentences.ts';
import { describeRefusedSources } from '../../ledger/quota.ts';
import { SignalRecord } from '../../ledger/record.ts';
import {
  anchorProblemKey,
  describeAnchorProblem,
  describeWitnessProblems,
  loadLogProblem,
  witnessProblemsKey,
} from '../../log/log-problem.ts';
import { BUDGET_SPENT, describeNearCap, isEmbeddingRefused, loadLatestSpend } from '../../money/day-spend.ts';
import { describeFailingSkills, skillUseKey } from '../../skills/skill-use.ts';
import { indexPartitions, mcpKey, runnerKeys, settingKey, skillKeys } from '../../store/keys.ts';
import { loadIndexed, loadNamed } from '../../store/load-named.ts';
import { parseStored, readOrSkip } from '../../store/parse-stored.ts';
import type { Item, Table } from '../../store/table.ts';
import { countWords } from '../../text/quoted.ts';

/** Signals under way that are looked at: one batch read. */
const UNFINISHED_MAX = 50;
/** The sweep published it twice, within six minutes, and no stage has finished it. */
const STUCK_SWEEPS_MIN = 2;

const UNDER_WAY: readonly SignalRecord['state'][] = ['received', 'perceived', 'reasoned'];

const isWaiting = ({ state, modelWait }: SignalRecord): boolean => state === 'perceived' && modelWait !== undefined;

interface UnderWay {
  /** Conversations that wait for a model. */
  readonly waiting: number;
  readonly stuck: readonly string[];
}

const loadUnderWay = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
  now: number,
): Promise<UnderWay> => {
  const partition = indexPartitions.unfinishedSignals(space);
  const { items } = await loadIndexed(table, { index: 'unfinished', partition, limit: UNFINISHED_MAX });
  const records = items.flatMap((item) => SignalRecord.safeParse(item).data ?? []);
  const stuck = records
    .filter((one) => one.sweeps >= STUCK_SWEEPS_MIN && UNDER_WAY.includes(one.state) && !isWaiting(one))
    .map(({ signal }) => signal)
    .sort((a, b) => a.receivedAt - b.receivedAt);
  const [oldest] = stuck;
  const minutes = Math.floor((now - (oldest?.receivedAt ?? now)) / MINUTE_MS);
  const many = `${countWords(stuck.length, 'signal')} still under way, the oldest for ${countWords(minutes, 'minute')}`;
  return {
    waiting: new Set(records.filter(isWaiting).map(({ signal }) => signal.session)).size,
    stuck: oldest === undefined ? [] : [`${many}: /why ${oldest.id}`],
  };
};

/** Texts that are counted; of more than these it says "or more". */
const WAITING_TEXTS_COUNTED = 25;

/** Says that Telegram takes no messages, and since when; none if no text waits. */
const describeWaitingTexts = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
): Promise<readonly string[]> => {
  const partition = indexPartitions.waitingEffects(space);
  const { items, cursor } = await table.queryIndex({ index: 'unfinished', partition, limit: WAITING_TEXTS_COUNTED });
  const [oldest] = items;
  if (oldest === undefined) return [];
  const since = utcMinute(Number(oldest.unfinishedAt));
  const [effect] = await table.load([{ pk: String(oldest.pk), sk: String(oldest.sk) }]);
  const many = `${items.length}${cursor === undefined ? '' : ' or more'} ${items.length === 1 ? 'text waits' : 'texts wait'}`;
  const isRefused = readOrSkip(effect, (item) => codeOfEffect(parseEffect('', item))?.code) === 'token-refused';
  return isRefused
    ? [
        `Telegram refuses the token in TELEGRAM_BOT_TOKEN since ${since}: ${many} for a valid one (npx passepartout setup --only telegram)`,
      ]
    : [`Telegram takes no messages since ${since}: ${many} and will be sent (infra/troubleshooting.md#telegram)`];
};

/** Without a heartbeat, or with a job that waits, for so long the stack counts as degraded. */
const HEARTBEAT_STALE_MS = 3 * MINUTE_MS;
/** Newest signals searched for dead letters and sources, and how far back: one batch read. */
const NEWEST_MAX = 25;
const DEAD_LETTER_WINDOW_MS = HOUR_MS;

/** Setting `heartbeat`: when the last sweep ran. */
const Heartbeat = z.object({ schemaVersion: z.literal(1), at: z.int() });

type FindingTable = Pick<Table, 'load' | 'query' | 'queryIndex'>;

/** The records that entries of an index stand for, without those that are gone. */
const loadRecords = async (table: Pick<Table, 'load'>, entries: readonly Item[]): Promise<readonly SignalRecord[]> => {
  const items = await table.load(entries.map((entry) => ({ pk: String(entry.pk), sk: String(entry.sk) })));
  return items.flatMap((item) =>
    item === undefined ? [] : [parseStored(item, SignalRecord, `signal ${String(item.pk)}`)],
  );
};

export interface FindingInput {
  readonly table: FindingTable;
  readonly space: string;
  readonly now: number;
  /** Micro-dollars and tokens of a day. */
  readonly caps: { readonly day: number; readonly dayTokens: number };
}

export interface Found {
  readonly findings: readonly string[];
  readonly isStopped: boolean;
  /** Epoch milliseconds; undefined before the first one. */
  readonly heartbeatAt: number | undefined;
  /** Among the newest signals, in the last hour. */
  readonly deadLetters: number;
  /** A newer release, if one is known: nothing is wrong for that. */
  readonly newer?: string | undefined;
  /** A line for each model whose server differs from the interface it follows. */
  readonly oddities: readonly string[];
}

export const loadLate = () => import('./late.ts');

/** Most stacks have no machine and no server of tools: then their code is not loaded. */
const describeSkillsAndMachines = async (
  { table, space, now }: FindingInput,
  items: Readonly<Record<'mcp' | 'runners' | 'skills' | 'use', Item | undefined>>,
): Promise<readonly string[]> => {
  const { mcp, runners, skills, use } = items;
  const found: string[] = [];
  if (runners !== undefined) {
    const { describeRunnerProblems } = await loadLate();
    found.push(...(await describeRunnerProblems(table, space, runners, now)));
  }
  if (mcp !== undefined) found.push(...(await loadLate()).describeMcpProblems(mcp));
  if (skills !== undefined) {
    const { readActiveSkills } = await loadLate();
    const names = readActiveSkills(skills)?.skills.map(({ name }) => name) ?? [];
    found.push(...describeFailingSkills(use, names));
  }
  return found;
};

const MODEL_MARK = /^(f|auth|billing|away)_/;

/** On most days every question is answered: then the words are not loaded. */
const describeModels = async (spend: Item | undefined, now: number, waits: string): Promise<readonly string[]> => {
  if (!Object.keys(spend ?? {}).some((name) => MODEL_MARK.test(name))) return [];
  const { describeAway, describeFaults } = await loadLate();
  const away = describeAway(spend, now).map((one) => `${one}; ${waits} (infra/troubleshooting.md#the-model)`);
  return [...describeFaults(spend, now), ...away];
};

const findOddities = async (spend: Item | undefined): Promise<readonly string[]> =>
  Object.keys(spend ?? {}).some((name) => name.startsWith('o_')) ? (await loadLate()).describeOddities(spend) : [];

/** The newest signals, of all conversations. */
const loadNewest = async ({
  table,
  space,
}: Pick<FindingInput, 'table' | 'space'>): Promise<readonly SignalRecord[]> => {
  const partition = indexPartitions.feed(space);
  const page = await table.queryIndex({ index: 'feed', partition, isDescending: true, limit: NEWEST_MAX });
  return loadRecords(table, page.items);
};

const describeDead = (count: number): readonly string[] =>
  count === 0
    ? []
    : [
        `${count} of the newest signals could not be handled in the last hour (npx passepartout signals --state dead-lettered)`,
      ];

const describeHeartbeat = (at: number | undefined, now: number): readonly string[] =>
  at === undefined || now - at <= HEARTBEAT_STALE_MS
    ? []
    : [
        `the last heartbeat was ${Math.round((now - at) / 1000)} seconds ago: if it stays away, "npm start" or "npm run deploy" again`,
      ];

/** @throws UnavailableError if the table does not answer */
export const loadFindings = async (input: FindingInput): Promise<Found> => {
  const { table, space, now, caps } = input;
  const [stored, spend, log, behind, underWay, texts, jobs, newestSignals] = await Promise.all([
    loadNamed(table, {
      heartbeat: settingKey(space, 'heartbeat'),
      killSwitch: killSwitchKey(space),
      backup: lastBackupKey(space),
      anchors: anchorProblemKey(space),
      witnesses: witnessProblemsKey(space),
      mcp: mcpKey(space),
      runners: runnerKeys.list(space),
      skills: skillKeys.active(space),
      use: skillUseKey(space),
      newest: newestReleaseKey(space),
    }),
    loadLatestSpend(table, space, now),
    loadLogProblem(table, space),
    // After a pause the jobs catch up over several ticks.
    describeBehind(table, space, now - HEARTBEAT_STALE_MS),
    loadUnderWay(table, space, now),
    describeWaitingTexts(table, space),
    describeJobProblems(table, space),
    loadNewest(input),
  ]);
  const { heartbeat, killSwitch, backup, anchors, witnesses, newest, ...items } = stored;
  const heartbeatAt = heartbeat && parseStored(heartbeat, Heartbeat, 'setting heartbeat').at;
  const deadLetters = newestSignals.filter(
    ({ state, signal }) => state === 'dead-lettered' && signal.receivedAt > now - DEAD_LETTER_WINDOW_MS,
  ).length;
  const senders = newestSignals.flatMap(({ signal }) => (signal.source === 'webhook' ? [signal.sender.id] : []));
  const waits = `${countWords(underWay.waiting, 'conversation')} ${underWay.waiting === 1 ? 'waits' : 'wait'}`;
  return {
    findings: [
      ...describeHeartbeat(heartbeatAt, now),
      ...describeDead(deadLetters),
      ...[log, behind].filter((one) => one !== undefined),
      ...describeAnchorProblem(anchors, now),
      ...describeWitnessProblems(witnesses),
      ...underWay.stuck,
      ...(await describeModels(spend, now, waits)),
      ...texts,
      ...(isEmbeddingRefused(spend, now) ? [EMBEDDING_REFUSED] : []),
      ...describeNearCap(spend, caps, now),
      ...jobs,
      ...(await describeSkillsAndMachines(input, items)),
      ...(await describeRefusedSources(table, space, senders, now)),
      ...describeOldBackup(backup, now),
    ],
    isStopped: readKillSwitch(killSwitch)?.isStopped === true,
    heartbeatAt,
    deadLetters,
    newer: newerRelease(newest),
    oddities: await findOddities(spend),
  };
};

export const isHeartbeatDue = (startedAt: number, now: number): boolean => now - startedAt > HEARTBEAT_STALE_MS;

const EMBEDDING_REFUSED =
  'the embeddings endpoint refuses its key: npx passepartout setup --only keys (infra/operating.md#rotate-a-secret)';
const STOPPED = 'stopped: nothing is done until an approver resumes it: /resume';
/** While nothing can be read, nothing else is known. */
export const NO_TABLE = 'the table is not reachable (infra/troubleshooting.md#no-answer)';
const NO_MODEL = 'no language model is configured: npx passepartout setup --only model, then start again';

/** All findings. @param models in the order they are asked; undefined if that is not known */
export const allFindings = (
  { findings, isStopped }: Found,
  models: readonly string[] | undefined,
): readonly string[] => [...(isStopped ? [STOPPED] : []), ...findings, ...(models?.length === 0 ? [NO_MODEL] : [])];

/** Why nothing is answered, of the findings; undefined if it can answer. Pure. */
export const findSilence = (findings: readonly string[], models: readonly string[] | undefined): string | undefined => {
  const begins = ['stopped: ', NO_TABLE, NOT_STORED, NO_MODEL, 'no language model has', BUDGET_SPENT];
  const alone = findings.find((finding) => begins.some((words) => finding.startsWith(words)));
  // A provider may list its models, and answer no question.
  const refusals = (models ?? []).map((model) =>
    findings.find((finding) => finding.startsWith(`the model provider ${model.split(/[/:]/)[0]} `)),
  );
  return alone ?? (refusals.includes(undefined) ? undefined : refusals[0]);
};
