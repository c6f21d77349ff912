/**
 * The faults of the stack: read from the table by `/status`, `/health`, `/doctor` and all that ask
 * them, so that they agree. `language/finding-texts.ts` says each, with its remedy.
 */

import * as z from 'zod/mini';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/limits.ts';
import { utcMinute } from '../../base/utc-minute.ts';
import { type Finding, finding } from '../../language/finding.ts';
import { killSwitchKey, readKillSwitch } from '../../ledger/kill-switch.ts';
import { parseDecision } from '../../ledger/ledger.ts';
import { newerRelease, newestReleaseKey } from '../../ledger/newest-release.ts';
import { codeOfEffect } from '../../ledger/old-sentences.ts';
import { findRefusedSources } from '../../ledger/quota.ts';
import { SignalRecord } from '../../ledger/record.ts';
import { anchorProblemKey, findAnchorProblem, loadLogProblem } from '../../log/log-problem.ts';
import { isEmbeddingRefused, loadLatestSpend, percentUsed } from '../../money/day-spend.ts';
import type { FeatureViews, FindingDeps, NotedFaults } from '../../operations/feature-views.ts';
import { Because } from '../../signal/because.ts';
import { ChannelId, findChannel, sendsMessages } from '../../signal/channels.ts';
import { indexPartitions, settingKey } from '../../store/keys.ts';
import { loadIndexed, loadNamed } from '../../store/load-named.ts';
import { parseStored, readOrSkip } from '../../store/parse-stored.ts';
import type { Item, Table } from '../../store/table.ts';

/** Signals under way that are looked at: one batch read. */
const UNFINISHED_MAX = 50;
/** The sweep published it twice, within six minutes, and no stage has finished it. */
const STUCK_SWEEPS_MIN = 2;

const UNDER_WAY: readonly SignalRecord['state'][] = ['received', 'perceived', 'reasoned'];

const isWaiting = ({ state, modelWait }: SignalRecord): boolean => state === 'perceived' && modelWait !== undefined;

interface UnderWay {
  /** Conversations that wait for a model. */
  readonly waiting: number;
  readonly stuck: readonly Finding[];
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
  return {
    waiting: new Set(records.filter(isWaiting).map(({ signal }) => signal.session)).size,
    stuck: oldest === undefined ? [] : [finding('stuck', stuck.length, minutes, oldest.id)],
  };
};

/** Texts that are counted; of more than these it says "or more". */
const WAITING_TEXTS_COUNTED = 25;

const WaitingText = z.object({ reason: z.optional(z.string()), because: z.optional(Because) });

/** @param target absent if the text's decision is gone: the first channel that sends messages */
const waitedFor = (target: string = ChannelId.options.find(sendsMessages) ?? '') => {
  const { name = target, tokenSetting: token = '' } = findChannel(target) ?? {};
  return { name, id: target, token };
};

/** Says that a channel takes no messages, and since when; none if no text waits. */
const findWaitingTexts = async (
  table: Pick<Table, 'load' | 'queryIndex'>,
  space: string,
): Promise<readonly Finding[]> => {
  const partition = indexPartitions.waitingEffects(space);
  const { items, cursor } = await table.queryIndex({ index: 'unfinished', partition, limit: WAITING_TEXTS_COUNTED });
  const [oldest] = items;
  if (oldest === undefined) return [];
  const since = utcMinute(Number(oldest.unfinishedAt));
  const [pk, sk] = [String(oldest.pk), String(oldest.sk)];
  const [effect, decision] = await table.load([
    { pk, sk },
    { pk, sk: 'decision' },
  ]);
  const n = Number(sk.split('#')[1]);
  const target = decision && parseDecision(pk, decision).actions[n]?.action.target;
  const because = codeOfEffect({ state: 'claimed', ...WaitingText.safeParse(effect).data });
  const name = because?.code === 'token-refused' ? 'channelRefused' : 'channelAway';
  return [finding(name, waitedFor(target), since, items.length, cursor !== undefined)];
};

/** Without a heartbeat, or with work that waits for it, so long the stack counts as degraded. */
const HEARTBEAT_STALE_MS = 3 * MINUTE_MS;
/** Newest signals searched for dead letters and sources, and how far back: one batch read. */
const NEWEST_MAX = 25;
const DEAD_LETTER_WINDOW_MS = HOUR_MS;

/** Setting `heartbeat`: when the last sweep ran. */
const Heartbeat = z.object({ schemaVersion: z.literal(1), at: z.int() });

/** The records that entries of an index stand for. One of a later release tells of nothing. */
const loadRecords = async (table: Pick<Table, 'load'>, entries: readonly Item[]): Promise<readonly SignalRecord[]> => {
  const items = await table.load(entries.map((entry) => ({ pk: String(entry.pk), sk: String(entry.sk) })));
  return items.flatMap((item) => readOrSkip(item, (known) => parseStored(known, SignalRecord)) ?? []);
};

export interface FindingInput extends FindingDeps {
  /** Micro-dollars and tokens of a day. */
  readonly caps: { readonly day: number; readonly dayTokens: number };
}

export interface SpaceFindings {
  readonly findings: readonly Finding[];
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

export const loadLazy = () => import('./lazy.ts');

const findBehind = async (deps: FindingDeps, upTo: number): Promise<readonly Finding[]> => {
  const { FEATURE_VIEWS } = await loadLazy();
  return (await Promise.all(FEATURE_VIEWS.map((one) => one.findBehind?.(deps, upTo) ?? []))).flat();
};

const notedIn = (features: readonly FeatureViews[]): readonly NotedFaults[] =>
  features.flatMap(({ noted }) => noted ?? []);

/** Features read their own records. */
const findInFeatures = async (
  input: FindingInput,
  noted: readonly (Item | undefined)[],
): Promise<readonly Finding[]> => {
  const { FEATURE_VIEWS } = await loadLazy();
  const left = [...noted];
  const found: Finding[] = [];
  for (const { noted: one, findProblems } of FEATURE_VIEWS) {
    if (one !== undefined) found.push(...one.find(left.shift(), input.now));
    found.push(...((await findProblems?.(input)) ?? []));
  }
  return found;
};

const MODEL_MARK = /^(f|auth|billing|away)_/;

/** On most days every question is answered: then the words are not loaded. */
const findInModels = async (spend: Item | undefined, now: number, waiting: number): Promise<readonly Finding[]> => {
  if (!Object.keys(spend ?? {}).some((name) => MODEL_MARK.test(name))) return [];
  const { findAway, findFaults } = await loadLazy();
  return [...findFaults(spend, now), ...findAway(spend, now, waiting)];
};

const findOddities = async (spend: Item | undefined): Promise<readonly string[]> =>
  Object.keys(spend ?? {}).some((name) => name.startsWith('o_')) ? (await loadLazy()).describeOddities(spend) : [];

/** The newest signals, of all conversations. */
const loadNewest = async ({
  table,
  space,
}: Pick<FindingInput, 'table' | 'space'>): Promise<readonly SignalRecord[]> => {
  const partition = indexPartitions.feed(space);
  const page = await table.queryIndex({ index: 'feed', partition, isDescending: true, limit: NEWEST_MAX });
  return loadRecords(table, page.items);
};

const findInHeartbeat = (at: number | undefined, now: number): readonly Finding[] =>
  at === undefined || now - at <= HEARTBEAT_STALE_MS ? [] : [finding('heartbeat', Math.round((now - at) / SECOND_MS))];

const findNearCap = (percent: number | undefined): readonly Finding[] => {
  if (percent === undefined) return [];
  return [percent >= 100 ? finding('budgetSpent') : finding('budgetNear', percent)];
};

/** @throws UnavailableError if the table does not answer */
export const loadFindings = async (input: FindingInput): Promise<SpaceFindings> => {
  const { table, space, now, caps } = input;
  const { FEATURE_VIEWS } = await loadLazy();
  const [stored, spend, log, behind, underWay, texts, newestSignals] = await Promise.all([
    loadNamed(table, {
      heartbeat: settingKey(space, 'heartbeat'),
      killSwitch: killSwitchKey(space),
      anchors: anchorProblemKey(space),
      newest: newestReleaseKey(space),
      noted: notedIn(FEATURE_VIEWS).map(({ key }) => key(space)),
    }),
    loadLatestSpend(table, space, now),
    loadLogProblem(table, space),
    // After a pause the ticks catch up one after the other.
    findBehind(input, now - HEARTBEAT_STALE_MS),
    loadUnderWay(table, space, now),
    findWaitingTexts(table, space),
    loadNewest(input),
  ]);
  const { heartbeat, killSwitch, anchors, newest, noted } = stored;
  const heartbeatAt = heartbeat && parseStored(heartbeat, Heartbeat, 'setting heartbeat').at;
  const deadLetters = newestSignals.filter(
    ({ state, signal }) => state === 'dead-lettered' && signal.receivedAt > now - DEAD_LETTER_WINDOW_MS,
  ).length;
  const senders = newestSignals.flatMap(({ signal }) => (signal.source === 'webhook' ? [signal.sender.id] : []));
  return {
    findings: [
      ...findInHeartbeat(heartbeatAt, now),
      ...(deadLetters === 0 ? [] : [finding('dead', deadLetters)]),
      ...[...(log === undefined ? [] : [finding('log', log)]), ...behind],
      ...findAnchorProblem(anchors, now),
      ...underWay.stuck,
      ...(await findInModels(spend, now, underWay.waiting)),
      ...texts,
      ...(isEmbeddingRefused(spend, now) ? [finding('embeddings')] : []),
      ...findNearCap(percentUsed(spend, caps, now)),
      ...(await findInFeatures(input, noted)),
      ...(await findRefusedSources(table, space, senders, now)),
    ],
    isStopped: readKillSwitch(killSwitch)?.isStopped === true,
    heartbeatAt,
    deadLetters,
    newer: newerRelease(newest),
    oddities: await findOddities(spend),
  };
};

export const isHeartbeatDue = (startedAt: number, now: number): boolean => now - startedAt > HEARTBEAT_STALE_MS;

/** While nothing can be read, nothing else is known. */
export const NO_TABLE = finding('noTable');

/** All findings. @param models in the order they are asked; undefined if that is not known */
export const allFindings = (
  { findings, isStopped }: SpaceFindings,
  models: readonly string[] | undefined,
): readonly Finding[] => [
  ...(isStopped ? [finding('stopped')] : []),
  ...findings,
  ...(models?.length === 0 ? [finding('noModel')] : []),
];

const SILENCING: readonly Finding['code'][] = ['stopped', 'noTable', 'noModel', 'modelsAway', 'budgetSpent'];

/** Why nothing is answered, of the findings; undefined if it can answer. Pure. */
export const findSilence = (
  findings: readonly Finding[],
  models: readonly string[] | undefined,
): Finding | undefined => {
  const alone = findings.find(({ code }) => SILENCING.includes(code));
  // A provider may list its models, and answer no question.
  const refusals = (models ?? []).map((model) =>
    findings.find((one) => one.code === 'modelProvider' && one.values[1] === model.split(/[/:]/)[0]),
  );
  return alone ?? (refusals.includes(undefined) ? undefined : refusals[0]);
};
