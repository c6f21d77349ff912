/**
 * One tick of the embedding function: gives objects of memory that have none a vector, and removes
 * those of forgotten, gone or private ones. If nothing has changed it reads two items and asks
 * nobody (I12). Private objects and texts that may hold a secret are never sent (I11). Each batch
 * is paid from the day's budget before it is sent; what a cap or a failing endpoint leaves waits
 * for a later tick. A refused key is marked on the day's counter, where Reason reads it and tells
 * the owner.
 */
import { defined } from '../../base/defined.ts';
import { KeyRefusedError, ProtocolError, UnavailableError } from '../../base/errors.ts';
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
import type { VisibleMemory } from '../visible-memory.ts';
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

/** Texts of one request, and characters of each: every endpoint in use takes as much. */
const EMBEDDING_BATCH_TEXTS = 32;
const EMBEDDING_TEXT_CHARS_MAX = 4_000;
/** Objects of one tick: a large import is done within the hour, a tick within its minute. */
const EMBEDDING_TICK_OBJECTS_MAX = 256;
/** For one batch. */
const EMBEDDING_TIMEOUT_MS = 20_000;
/** Waits after the endpoint failed, doubling from the first to the last. */
const EMBEDDING_BACKOFF_MS_MIN = 60_000;
const EMBEDDING_BACKOFF_MS_MAX = 6 * 60 * 60_000;
/** Exceeds the pause before the next try, so that the mark lasts as long as the refusal. */
const EMBEDDINGS_REFUSED_MS = 2 * PROVIDER_UNWELL_MS;

export interface EmbedDeps {
  readonly table: Pick<Table, 'load' | 'put' | 'update'>;
  readonly space: string;
  readonly endpoint: EmbeddingEndpoint;
  readonly embed: EmbedTexts;
  /** Memory as of a head, without private objects. */
  readonly loadVisibleMemory: (head: Head) => Promise<VisibleMemory>;
  readonly loadSegments: (state: VectorState) => Promise<readonly NumberedSegment[]>;
  readonly caps: BudgetCaps;
  /** By name, as this function holds them. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly now: number;
}

export interface EmbedReport {
  readonly embedded: number;
  readonly removed: number;
  /** Objects that still wait. */
  readonly waiting: number;
  /** Why it stopped early. */
  readonly stopped?: 'budget' | 'endpoint' | 'key-refused' | 'backing-off' | 'older-copy';
}

const IDLE: EmbedReport = { embedded: 0, removed: 0, waiting: 0 };

/** The text that becomes an object's vector; may be empty. */
const embeddedText = ({ attributes, content }: LiveObject): string =>
  [attributes.title ?? '', attributes.tags.join(' '), content]
    .filter((part) => part !== '')
    .join('\n')
    .slice(0, EMBEDDING_TEXT_CHARS_MAX)
    .toWellFormed();

/** The first objects that may be sent, and the ids of those before them that may not. */
const chooseFit = (due: readonly LiveObject[], secrets: ReadonlyMap<string, string>) => {
  const fit: LiveObject[] = [];
  const unfit = new Set<string>();
  for (const object of due) {
    if (fit.length === EMBEDDING_TICK_OBJECTS_MAX) break;
    if (holdsSecret(embeddedText(object), secrets)) unfit.add(object.id);
    else fit.push(object);
  }
  return { fit, unfit };
};

/** The stored vectors, as this tick may keep them. */
interface Stored {
  readonly state: VectorState | undefined;
  readonly isSameModel: boolean;
  readonly segments: readonly NumberedSegment[];
  /** Versions of the objects that have a vector of this model. */
  readonly versions: ReadonlyMap<string, number>;
}

const loadStored = async (deps: EmbedDeps, state: VectorState | undefined, model: string): Promise<Stored> => {
  const isSameModel = state?.model === model;
  const segments = state === undefined ? [] : await deps.loadSegments(state);
  const versions = (isSameModel ? segments : []).flatMap(({ segment }) =>
    segment.ids.map((id, n) => [id, segment.versions[n] ?? 0] as const),
  );
  return { state, isSameModel, segments, versions: new Map(versions) };
};

/** Objects without a vector of their version, the newest first. */
const objectsDue = (visibleMemory: VisibleMemory, { versions }: Stored): readonly LiveObject[] =>
  [...visibleMemory.visible.values()]
    .filter((object) => versions.get(object.id) !== object.version && embeddedText(object) !== '')
    .sort((a, b) => b.updatedAt - a.updatedAt);

/** When the endpoint is asked again after it failed. */
const retryFields = ({ stopped }: Made, state: VectorState | undefined, now: number) => {
  if (stopped !== 'endpoint' && stopped !== 'key-refused') return {};
  const failures = (state?.failures ?? 0) + 1;
  const backoffMs = Math.min(EMBEDDING_BACKOFF_MS_MAX, EMBEDDING_BACKOFF_MS_MIN * 2 ** (failures - 1));
  // A refusal costs nothing, and the owner who mends the key wants to see that it works.
  return { failures, retryAt: now + (stopped === 'key-refused' ? PROVIDER_UNWELL_MS : backoffMs) };
};

/** A failing endpoint is in the report. @throws StoredItemError; UnavailableError of the table */
export const embedMemory = async (deps: EmbedDeps): Promise<EmbedReport> => {
  const { table, space, now } = deps;
  const model = modelIdOf(deps.endpoint.model);
  // 1. Read two items; stop if nothing has changed, or the endpoint is to be left alone.
  const items = await loadNamed(table, { head: commitKeys.head(space), state: vectorKeys.state(space) });
  const head = parseHead(items.head);
  const state = parseVectorState(items.state);
  if (state?.model === model ? state.commit === head.number : head.number === 0) return IDLE;
  if (state?.model === model && (state.retryAt ?? 0) > now) return { ...IDLE, stopped: 'backing-off' };
  // 2. Choose the objects that need a vector and may be sent.
  const visibleMemory = await deps.loadVisibleMemory(head);
  const stored = await loadStored(deps, state, model);
  const due = objectsDue(visibleMemory, stored);
  const { fit, unfit } = chooseFit(due, deps.secrets);
  // 3. Ask for their vectors.
  const made = await embedAll(deps, fit);
  // 4. Write the segments that change.
  const fresh = new Set(made.entries.map(({ id }) => id));
  const isKept = (id: string): boolean =>
    stored.versions.has(id) && visibleMemory.visible.has(id) && !fresh.has(id) && !unfit.has(id);
  const dimensions = made.entries[0]?.vector.length ?? stored.segments[0]?.segment.dimensions ?? 1;
  const isFitting = stored.isSameModel && stored.segments.every(({ segment }) => segment.dimensions === dimensions);
  const plan = planSegments(
    stored.segments,
    (id) => isFitting && isKept(id),
    made.entries,
    vectorsPerSegment(dimensions),
    (state?.revision ?? 0) + 1,
  );
  for (const { n, entries } of plan.writes)
    await saveSegment(table, space, { n, bytes: entries.length === 0 ? undefined : buildSegments(entries, model)[0] });
  // 5. Write the state. It stays behind the head while anything waits, so that the next tick goes
  //    on.
  const waiting = due.length - made.entries.length - unfit.size;
  const isBehind = waiting > 0 || (!isFitting && stored.isSameModel);
  const commit = isBehind ? Math.min(state?.commit ?? 0, head.number - 1) : head.number;
  const retry = retryFields(made, state, now);
  const hasFailed = retry.failures !== undefined;
  if (plan.writes.length > 0 || hasFailed || commit !== state?.commit || !stored.isSameModel)
    await saveVectorState(table, space, { model, commit, segments: plan.segments, ...retry }, state);
  const removed = [...stored.versions.keys()].filter((id) => !isKept(id) && !fresh.has(id)).length;
  return { embedded: made.entries.length, removed, waiting, ...defined({ stopped: made.stopped }) };
};

/** Without a configured model all vectors are erased, so that none outlives a forgotten note. */
export const clearVectors = async (table: Pick<Table, 'load' | 'put'>, space: string): Promise<EmbedReport> => {
  const item = await loadItem(table, vectorKeys.state(space));
  const seen = parseVectorState(item);
  if (seen === undefined || seen.segments.length === 0) return IDLE;
  for (const { n } of seen.segments) await saveSegment(table, space, { n });
  await saveVectorState(table, space, { model: seen.model, commit: 0, segments: [] }, seen);
  return { ...IDLE, removed: seen.segments.reduce((sum, { count }) => sum + count, 0) };
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

/** Each batch is reserved first. If a later one fails, the earlier ones are kept. */
const embedAll = async (deps: EmbedDeps, objects: readonly LiveObject[]): Promise<Made> => {
  const { table, space, endpoint, caps, now } = deps;
  const entries: VectorEntry[] = [];
  if (objects.length === 0) return { entries };
  const account = { session: 'embeddings', root: `embed-${now}`, turnUsd: 0 };
  let item = await loadItem(table, spendKey(space, now));
  for (let first = 0; first < objects.length; first += EMBEDDING_BATCH_TEXTS) {
    const batch = objects.slice(first, first + EMBEDDING_BATCH_TEXTS);
    const texts = batch.map(embeddedText);
    const estimate = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    const worst = chargeOf(deps, first, Math.ceil((estimate * PROMPT_ESTIMATE_PERCENT) / 100));
    // This function's role may not read conversations, so it releases no entries.
    const reserved = await reserveCall({ update: table.update }, space, now, item, { account, worst, caps });
    if (reserved.kind === 'over') return { entries, stopped: 'budget' };
    try {
      const { vectors, tokens } = await deps.embed(endpoint, texts, EMBEDDING_TIMEOUT_MS);
      const actual = tokens === undefined ? worst : chargeOf(deps, first, tokens);
      if (first === 0 && item?.[EMBEDDINGS_REFUSED] !== undefined) await mark(deps, false);
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
