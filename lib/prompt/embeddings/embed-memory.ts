/**
 * One tick of the embedding function: gives the objects of memory that have none a vector, and takes away those of objects that
 * are forgotten, gone or private now. With nothing changed it reads two items and asks nobody (I12). Private objects, and texts
 * that look like they hold a secret, are never sent (I11). Paid from the day's budget before anything is sent; a cap that is
 * met, or an endpoint that fails, leaves the rest for a later tick; one that refuses the key is marked on the day's counter, where
 * Reason reads it and tells the owner. Writes vectors and the day's spending, nothing else.
 */

import { defined } from '../../base/defined.ts';
import { ConditionError, KeyRefusedError, ProtocolError, UnavailableError } from '../../base/errors.ts';
import { estimateTokens } from '../../base/estimate-tokens.ts';
import { PROMPT_ESTIMATE_PERCENT, PROVIDER_UNWELL_MS } from '../../base/limits.ts';
import { holdsSecret } from '../../gates/rules/find-secrets.ts';
import { type Head, parseHead } from '../../memory/commit.ts';
import { commitKeys } from '../../memory/keys.ts';
import type { LiveObject } from '../../memory/object.ts';
import { buildSegments, modelIdOf, type VectorEntry, vectorsPerSegment } from '../../memory/search/vector-segment.ts';
import type { BudgetCaps } from '../../money/caps.ts';
import type { Charge } from '../../money/day-spend.ts';
import { EMBEDDINGS_REFUSED, spendKey } from '../../money/day-spend.ts';
import { reserveCall, settleCall } from '../../money/reserve.ts';
import { loadItem, loadNamed } from '../../store/load-named.ts';
import type { Table } from '../../store/table.ts';
import type { MemorySight } from '../memory-sight.ts';
import type { EmbeddingEndpoint, EmbedTexts } from './embed-texts.ts';
import { embeddingCost } from './embed-texts.ts';
import {
  type NumberedSegment,
  parseVectorState,
  planSegments,
  saveSegment,
  saveVectorState,
  type VectorState,
  vectorKeys,
} from './vector-store.ts';

/** Texts of one request to an embeddings endpoint, and characters of each: every endpoint in use takes as much. */
const EMBEDDING_BATCH_TEXTS = 32;
const EMBEDDING_TEXT_CHARS_MAX = 4_000;
/** Objects embedded by one tick: a large import is done within the hour, and a tick within its minute. */
const EMBEDDING_TICK_OBJECTS_MAX = 256;
/** One batch; and the question of a turn, which goes on without a vector after this. */
const EMBEDDING_TIMEOUT_MS = 20_000;
/** Waits after an endpoint failed, doubling from the first to the last. */
const EMBEDDING_BACKOFF_MS_MIN = 60_000;
const EMBEDDING_BACKOFF_MS_MAX = 6 * 60 * 60_000;
/** How long a refused embeddings key counts as refused: longer than until it is tried again, so that the mark stands as long as the refusal. */
const EMBEDDINGS_REFUSED_MS = 2 * PROVIDER_UNWELL_MS;

export interface EmbedDeps {
  readonly table: Pick<Table, 'load' | 'put' | 'update'>;
  readonly space: string;
  readonly endpoint: EmbeddingEndpoint;
  readonly embed: EmbedTexts;
  /** Memory as of a head, without what is private. */
  readonly loadSight: (head: Head) => Promise<MemorySight>;
  readonly loadSegments: (state: VectorState) => Promise<readonly NumberedSegment[]>;
  readonly caps: BudgetCaps;
  /** Values this function holds, by name. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface EmbedReport {
  readonly embedded: number;
  readonly removed: number;
  /** Objects that still wait. */
  readonly waiting: number;
  /** Why it stopped before all was done. */
  readonly stopped?: 'budget' | 'endpoint' | 'key-refused' | 'backing-off' | 'older-copy';
}

const IDLE: EmbedReport = { embedded: 0, removed: 0, waiting: 0 };

/** What of an object its vector is made from; empty for one that says nothing. */
const textOf = ({ attributes, content }: LiveObject): string =>
  [attributes.title ?? '', attributes.tags.join(' '), content]
    .filter((part) => part !== '')
    .join('\n')
    .slice(0, EMBEDDING_TEXT_CHARS_MAX)
    .toWellFormed();

/** The first that may be sent, and the ids of those before them that may not. */
const chooseFit = (due: readonly LiveObject[], secrets: ReadonlyMap<string, string>) => {
  const fit: LiveObject[] = [];
  const unfit = new Set<string>();
  for (const object of due) {
    if (fit.length === EMBEDDING_TICK_OBJECTS_MAX) break;
    if (holdsSecret(textOf(object), secrets)) unfit.add(object.id);
    else fit.push(object);
  }
  return { fit, unfit };
};

/** @throws StoredItemError; a store that does not answer is an UnavailableError. An endpoint that fails is in the report. */
export const embedMemory = async (deps: EmbedDeps): Promise<EmbedReport> => {
  const { table, space, endpoint, now } = deps;
  const items = await loadNamed(table, { head: commitKeys.head(space), state: vectorKeys.state(space) });
  const head = parseHead(items.head);
  const seen = parseVectorState(items.state);
  const model = modelIdOf(endpoint.model);
  const isSameModel = seen?.model === model;
  if (isSameModel ? seen.commit === head.number : head.number === 0) return IDLE;
  if (isSameModel && (seen.retryAt ?? 0) > now) return { ...IDLE, stopped: 'backing-off' };

  const sight = await deps.loadSight(head);
  const current = seen === undefined ? [] : await deps.loadSegments(seen);
  const stored = new Map(
    (isSameModel ? current : []).flatMap(({ segment }) => segment.ids.map((id, n) => [id, segment.versions[n] ?? 0])),
  );
  const due = [...sight.visible.values()]
    .filter((object) => stored.get(object.id) !== object.version && textOf(object) !== '')
    .sort((a, b) => b.updatedAt - a.updatedAt);
  const { fit, unfit } = chooseFit(due, deps.secrets);
  const made = await embedAll(deps, fit);

  const fresh = new Set(made.entries.map(({ id }) => id));
  const isKept = (id: string): boolean =>
    isSameModel && stored.has(id) && sight.visible.has(id) && !fresh.has(id) && !unfit.has(id);
  const dimensions = made.entries[0]?.vector.length ?? current[0]?.segment.dimensions ?? 1;
  const isFitting = isSameModel && current.every(({ segment }) => segment.dimensions === dimensions);
  const plan = planSegments(
    current,
    (id) => isFitting && isKept(id),
    made.entries,
    vectorsPerSegment(dimensions),
    (seen?.revision ?? 0) + 1,
  );
  for (const { n, entries } of plan.writes)
    await saveSegment(table, space, { n, bytes: entries.length === 0 ? undefined : buildSegments(entries, model)[0] });
  const waiting = due.length - made.entries.length - unfit.size;
  const isRefused = made.stopped === 'key-refused';
  const failures = made.stopped === 'endpoint' || isRefused ? (seen?.failures ?? 0) + 1 : 0;
  const backoff = Math.min(EMBEDDING_BACKOFF_MS_MAX, EMBEDDING_BACKOFF_MS_MIN * 2 ** (failures - 1));
  // A refusal costs nothing, and whoever mends the key wants to see that it works.
  const wait = isRefused ? PROVIDER_UNWELL_MS : backoff;
  const state = {
    model,
    // Behind the head as long as anything waits, so that the next tick goes on.
    commit: waiting > 0 || (!isFitting && isSameModel) ? Math.min(seen?.commit ?? 0, head.number - 1) : head.number,
    segments: plan.segments,
    ...(failures === 0 ? {} : { failures, retryAt: now + wait }),
  };
  const isChanged = plan.writes.length > 0 || failures > 0 || state.commit !== seen?.commit || !isSameModel;
  if (isChanged) await saveState(deps, state, seen);
  const report = { embedded: made.entries.length, removed: 0, waiting };
  return {
    ...report,
    removed: [...stored.keys()].filter((id) => !isKept(id) && !fresh.has(id)).length,
    ...defined({ stopped: made.stopped }),
  };
};

/** Where no model is configured any more: nothing is left of any vector, so that none outlives what is forgotten later. */
export const clearVectors = async (table: Pick<Table, 'load' | 'put'>, space: string): Promise<EmbedReport> => {
  const item = await loadItem(table, vectorKeys.state(space));
  const seen = parseVectorState(item);
  if (seen === undefined || seen.segments.length === 0) return IDLE;
  for (const { n } of seen.segments) await saveSegment(table, space, { n });
  await saveState({ table, space }, { model: seen.model, commit: 0, segments: [] }, seen);
  return { ...IDLE, removed: seen.segments.reduce((sum, { count }) => sum + count, 0) };
};

/** A tick that ran at the same time did the same work: its state stands. */
const saveState = async (
  { table, space }: { readonly table: Pick<Table, 'put'>; readonly space: string },
  state: Omit<VectorState, 'schemaVersion' | 'revision'>,
  seen: VectorState | undefined,
): Promise<void> => {
  try {
    await saveVectorState(table, space, state, seen);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
  }
};

interface Made {
  readonly entries: readonly VectorEntry[];
  readonly stopped?: 'budget' | 'endpoint' | 'key-refused';
}

const mark = async ({ table, space, now }: EmbedDeps, isRefused: boolean): Promise<void> => {
  await table.update(
    spendKey(space, now),
    isRefused
      ? { set: { schemaVersion: 1, [EMBEDDINGS_REFUSED]: now + EMBEDDINGS_REFUSED_MS } }
      : { set: { schemaVersion: 1 }, remove: [EMBEDDINGS_REFUSED] },
  );
};

/** Batch by batch, each reserved at its worst before it is sent; what is done is kept when a later one fails. */
const embedAll = async (deps: EmbedDeps, objects: readonly LiveObject[]): Promise<Made> => {
  const { table, space, endpoint, caps, now } = deps;
  const entries: VectorEntry[] = [];
  if (objects.length === 0) return { entries };
  const account = { session: 'embeddings', root: `embed-${now}`, turnUsd: 0 };
  let item = await loadItem(table, spendKey(space, now));
  const known: Charge[] = [];
  for (let first = 0; first < objects.length; first += EMBEDDING_BATCH_TEXTS) {
    const batch = objects.slice(first, first + EMBEDDING_BATCH_TEXTS);
    const texts = batch.map(textOf);
    const estimate = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    const worst = chargeOf(deps, first, Math.ceil((estimate * PROMPT_ESTIMATE_PERCENT) / 100));
    // Its role may not read conversations: it releases no entries.
    const reserved = await reserveCall({ update: table.update }, space, now, item, { account, worst, caps, known });
    if (reserved.kind === 'over') return { entries, stopped: 'budget' };
    try {
      const { vectors, tokens } = await deps.embed(endpoint, texts, EMBEDDING_TIMEOUT_MS);
      const actual = tokens === undefined ? worst : chargeOf(deps, first, tokens);
      if (first === 0 && item?.[EMBEDDINGS_REFUSED] !== undefined) await mark(deps, false);
      known.push(actual);
      item = (await settleCall(table, space, now, reserved.item, account, actual)) ?? reserved.item;
      if (entries[0] !== undefined && entries[0].vector.length !== vectors[0]?.length)
        throw new ProtocolError('the embeddings endpoint gave vectors of several lengths');
      entries.push(...batch.map(({ id, version }, n) => ({ id, version, vector: vectors[n] ?? [] })));
    } catch (error) {
      if (!(error instanceof UnavailableError || error instanceof ProtocolError)) throw error;
      if (!(error instanceof KeyRefusedError)) return { entries, stopped: 'endpoint' };
      await settleCall(table, space, now, reserved.item, account, chargeOf(deps, first, 0));
      await mark(deps, true);
      return { entries, stopped: 'key-refused' };
    }
  }
  return { entries };
};

const chargeOf = ({ endpoint, now }: EmbedDeps, n: number, tokens: number): Charge => ({
  id: `embed-${now}/${n}`,
  usd: embeddingCost(endpoint, tokens),
  tokens,
});
