/**
 * GET /health → {"status", "reasons", "checks", "release"}: whether the stack can do its work, and
 * why not, in plain sentences. Without a token the answer is the status alone; with one it holds no
 * secret either. 503 only if the store does not answer.
 */
import { DATA_VERSION } from '../../base/data-version.ts';
import { defined } from '../../base/defined.ts';
import { languageFor } from '../../base/language.ts';
import { SECOND_MS } from '../../base/limits.ts';
import { API_VERSION, VERSION } from '../../base/version.ts';
import { type HttpResponse, respondJson } from '../../http/function-url.ts';
import { type Finding, finding, sayFinding } from '../../language/finding.ts';
import { nounsIn, operationsIn } from '../../operations/feature.ts';
import {
  allFindings,
  findSilence,
  isHeartbeatDue,
  loadFindings,
  NO_TABLE,
  type SpaceFindings,
} from '../../verbs/signals/findings.ts';
import { chooseLanguage, loadLazy } from './operations.ts';
import type { ConsoleDeps, Route } from './router.ts';
import { findCaller } from './tokens.ts';
import type { Health, HealthStatus } from './views.ts';

/** Everybody without a token gets the same answer for so long. */
export const HEALTH_SHARED_MS = 2 * SECOND_MS;

/** Only Act may store a set; here nobody judges by it. */
const loadGateSet = async ({ table, space }: ConsoleDeps): Promise<string> => {
  const { buildGateSets } = await import('../../stages/gate-sets.ts');
  const sets = buildGateSets({ load: table.load, put: async () => undefined }, space);
  return (await sets.load()).version;
};

const releaseOf = async (deps: ConsoleDeps): Promise<Health['release']> => ({
  version: VERSION,
  data: DATA_VERSION,
  api: API_VERSION,
  gateSet: await loadGateSet(deps).catch(() => null),
  capabilities: nounsIn(operationsIn(deps.features)),
});

/** The release itself is added for those with a token. */
type JudgedHealth = Omit<Health, 'release' | 'reasons' | 'codes' | 'because'> & {
  readonly newer: string | undefined;
  readonly findings: readonly Finding[];
  readonly silence: Finding | undefined;
};

const buildHealth = (deps: ConsoleDeps, found: SpaceFindings | undefined, now: number): JudgedHealth => {
  const { settings, startedAt } = deps;
  const isUnknown = found !== undefined && found.heartbeatAt === undefined && isHeartbeatDue(startedAt, now);
  const findings = found === undefined ? [NO_TABLE] : allFindings(found, settings.providerNames);
  const worst = (): HealthStatus => {
    if (found === undefined) return 'unhealthy';
    if (findings.length > 0) return 'degraded';
    return isUnknown ? 'unknown' : 'healthy';
  };
  const heartbeatAt = found?.heartbeatAt;
  return {
    status: worst(),
    findings: [...(isUnknown ? [finding('noHeartbeat')] : []), ...findings],
    silence: findSilence(findings, settings.providerNames),
    checks: {
      table: found === undefined ? 'unreachable' : 'ok',
      heartbeatAgeSeconds: heartbeatAt === undefined ? null : Math.max(0, Math.round((now - heartbeatAt) / 1000)),
      isStopped: found?.isStopped ?? null,
      models: settings.providerNames,
      oddities: found?.oddities ?? [],
      ...settings.channelStates,
      deadLetters: found?.deadLetters ?? null,
    },
    assistant: settings.assistant,
    newer: found?.newer,
  };
};

const loadHealth = async (deps: ConsoleDeps): Promise<JudgedHealth> => {
  const now = deps.now();
  const { table, space, settings } = deps;
  try {
    return buildHealth(deps, await loadFindings({ table, space, now, caps: settings.caps }), now);
  } catch (error) {
    deps.report(error);
    return buildHealth(deps, undefined, now);
  }
};

const statusCode = ({ status }: Pick<Health, 'status'>): number => (status === 'unhealthy' ? 503 : 200);

export const answerHealth: Route<ConsoleDeps>['answer'] = async (deps, { request }) => {
  const [{ newer, findings, silence, ...health }, release] = await Promise.all([loadHealth(deps), releaseOf(deps)]);
  const accepted = request.headers['accept-language'];
  // The command line leaves the choice to the console; a table that is away knows none.
  const chosen = accepted === '*' ? await chooseLanguage(deps).catch(() => undefined) : undefined;
  const language = chosen ?? languageFor(accepted);
  const texts = await (await loadLazy()).findingTexts.in(language);
  const answer: Health = {
    ...health,
    reasons: findings.map((one) => sayFinding(texts, one)),
    codes: findings.map(({ code }) => code),
    ...(silence === undefined ? {} : { because: sayFinding(texts, silence) }),
    release: { ...release, ...defined({ newer }) },
  };
  return respondJson(statusCode(health), answer, { 'content-language': language });
};

/** Without a token: one word. Reasons and models are nobody else's business. */
const answerStatus = async (deps: ConsoleDeps): Promise<HttpResponse> => {
  const health = await loadHealth(deps);
  return respondJson(statusCode(health), { status: health.status });
};

/** One result for all who ask meanwhile or within `ms`. After a failure the next tries again. */
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
  return async (_, call) => {
    const { authorization } = call.request.headers;
    const isKnown =
      authorization !== undefined && findCaller(authorization, await deps.tokens(deps.now())) !== undefined;
    return isKnown ? answerHealth(deps, call) : answerAll();
  };
};
