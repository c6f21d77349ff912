/**
 * GET /health → {"status", "reasons", "checks", "release"}: whether the stack can do its work, and
 * why not, in plain sentences. Without a token the answer is the status alone; with one it holds no
 * secret either. 503 only if the store does not answer.
 */
import * as z from 'zod/mini';
import { DATA_VERSION } from '../../base/data-version.ts';
import { HOUR_MS, SECOND_MS } from '../../base/limits.ts';
import { VERSION } from '../../base/version.ts';
import { type HttpResponse, respondJson } from '../../http/function-url.ts';
import { type KillSwitch, loadKillSwitch } from '../../ledger/kill-switch.ts';
import { indexPartitions, settingKey } from '../../store/keys.ts';
import { parseStored } from '../../store/parse-stored.ts';
import { HEARTBEAT_STALE_MS, loadFindings, loadRecords } from '../../wings/signals/findings.ts';
import type { ConsoleDeps, ConsoleSettings, Route } from './router.ts';
import { findCaller } from './tokens.ts';
import type { Health, HealthStatus } from './views.ts';

/**
 * Newest signals searched for dead letters, and how far back: cheap enough to ask without a token.
 */
const HEALTH_SIGNALS_MAX = 25;
const HEALTH_WINDOW_MS = HOUR_MS;
/** Everybody without a token gets the same answer for so long. */
export const HEALTH_SHARED_MS = 2 * SECOND_MS;

/** Setting `heartbeat`: when the last sweep ran. */
const Heartbeat = z.object({ schemaVersion: z.literal(1), at: z.int() });
type Heartbeat = z.infer<typeof Heartbeat>;

/** `store` is undefined if it did not answer. */
interface HealthFacts {
  readonly now: number;
  readonly startedAt: number;
  readonly settings: ConsoleSettings;
  readonly store:
    | {
        readonly heartbeat: Heartbeat | undefined;
        readonly killSwitch: KillSwitch | undefined;
        readonly deadLetters: number;
        readonly findings: readonly string[];
      }
    | undefined;
}

interface Finding {
  readonly status: Exclude<HealthStatus, 'healthy'>;
  readonly reason: string;
}

const storeFindings = ({ store, now, startedAt }: HealthFacts): readonly Finding[] => {
  if (store === undefined) return [{ status: 'unhealthy', reason: 'the table is not reachable' }];
  const findings: Finding[] = [];
  const { heartbeat, killSwitch, deadLetters } = store;
  if (heartbeat === undefined && now - startedAt > HEARTBEAT_STALE_MS)
    findings.push({ status: 'unknown', reason: 'there has been no heartbeat yet' });
  if (heartbeat !== undefined && now - heartbeat.at > HEARTBEAT_STALE_MS)
    findings.push({
      status: 'degraded',
      reason: `the last heartbeat was ${Math.round((now - heartbeat.at) / 1000)} seconds ago`,
    });
  if (killSwitch?.isStopped === true)
    findings.push({
      status: 'degraded',
      reason: 'stopped: nothing is done until an approver types /resume, or runs npx passepartout resume',
    });
  if (deadLetters > 0)
    findings.push({
      status: 'degraded',
      reason: `${deadLetters} of the newest signals could not be handled in the last hour (npx passepartout signals --state dead-lettered)`,
    });
  return [...findings, ...store.findings.map((reason) => ({ status: 'degraded' as const, reason }))];
};

const buildHealth = (facts: HealthFacts): Health => {
  const { store, settings, now } = facts;
  const findings = [
    ...storeFindings(facts),
    ...(settings.providerNames.length === 0
      ? [{ status: 'degraded', reason: 'no language model is configured' } as const]
      : []),
  ];
  const has = (status: HealthStatus) => findings.some((finding) => finding.status === status);
  const worst = (['unhealthy', 'degraded', 'unknown'] as const).find(has);
  return {
    status: worst ?? 'healthy',
    reasons: findings.map((finding) => finding.reason),
    checks: {
      table: store === undefined ? 'unreachable' : 'ok',
      heartbeatAgeSeconds:
        store?.heartbeat === undefined ? null : Math.max(0, Math.round((now - store.heartbeat.at) / 1000)),
      isStopped: store === undefined ? null : (store.killSwitch?.isStopped ?? false),
      models: settings.providerNames,
      telegram: settings.telegramState,
      deadLetters: store?.deadLetters ?? null,
    },
    assistant: settings.assistant,
    release: { version: VERSION, data: DATA_VERSION },
  };
};

const countDeadLetters = async (deps: ConsoleDeps, now: number): Promise<number> => {
  const page = await deps.table.queryIndex({
    index: 'feed',
    partition: indexPartitions.feed(deps.space),
    isDescending: true,
    limit: HEALTH_SIGNALS_MAX,
  });
  const records = await loadRecords(deps.table, page.items);
  return records.filter(
    (record) => record.state === 'dead-lettered' && record.signal.receivedAt > now - HEALTH_WINDOW_MS,
  ).length;
};

const loadStoreFacts = async (deps: ConsoleDeps, now: number): Promise<HealthFacts['store']> => {
  try {
    const [[heartbeat], killSwitch, deadLetters, findings] = await Promise.all([
      deps.table.load([settingKey(deps.space, 'heartbeat')]),
      loadKillSwitch(deps.table, deps.space),
      countDeadLetters(deps, now),
      loadFindings(deps.table, deps.space, now),
    ]);
    return {
      heartbeat: heartbeat === undefined ? undefined : parseStored(heartbeat, Heartbeat, 'setting heartbeat'),
      killSwitch,
      deadLetters,
      findings,
    };
  } catch (error) {
    deps.report(error);
    return undefined;
  }
};

const loadHealth = async (deps: ConsoleDeps): Promise<Health> => {
  const now = deps.now();
  const { settings, startedAt } = deps;
  return buildHealth({ now, startedAt, settings, store: await loadStoreFacts(deps, now) });
};

const statusCode = ({ status }: Health): number => (status === 'unhealthy' ? 503 : 200);

export const answerHealth = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  const health = await loadHealth(deps);
  return respondJson(statusCode(health), health);
};

/** Without a token: one word. Reasons and models are nobody else's business. */
const answerStatus = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  const health = await loadHealth(deps);
  return respondJson(statusCode(health), { status: health.status });
};

/**
 * Gives one result to everybody who asks while it is being made, or within `ms` after it was asked
 * for. A failure goes to those who waited for it; the next call tries again.
 */
const share = <T>(ms: number, now: () => number, work: () => Promise<T>): (() => Promise<T>) => {
  let shared: { readonly at: number; readonly result: Promise<T> } | undefined;
  let isRunning = false;
  return () => {
    if (shared !== undefined && (isRunning || now() - shared.at < ms)) return shared.result;
    isRunning = true;
    const result = work().finally(() => {
      isRunning = false;
    });
    shared = { at: now(), result };
    result.catch(() => {
      shared = undefined;
    });
    return result;
  };
};

/** A known token gets a health answer of its own; all other requests share one status. */
export const buildSharedHealth = (deps: ConsoleDeps): Route<ConsoleDeps>['answer'] => {
  const answerAll = share(HEALTH_SHARED_MS, deps.now, () => answerStatus(deps));
  return async (
    _,
    {
      request: {
        headers: { authorization },
      },
    },
  ) => {
    const isKnown =
      authorization !== undefined && findCaller(authorization, await deps.tokens(deps.now())) !== undefined;
    return isKnown ? answerHealth(deps) : answerAll();
  };
};
