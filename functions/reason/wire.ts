/** Puts Reason together from its environment, for its handler and the simulation of the tests. */
import { once } from '../../lib/core/base/once.ts';
import { buildLive } from '../../lib/core/ledger/live-settings.ts';
import { usableCascade } from '../../lib/core/llm/providers.ts';
import { clockText } from '../../lib/core/prompt/system-section.ts';
import type { ReasonMessage } from '../../lib/core/signal/messages.ts';
import { buildGateSets } from '../../lib/core/stages/gate-sets.ts';
import type { LookWithVector } from '../../lib/core/stages/reason/look-at-memory.ts';
import { reason } from '../../lib/core/stages/reason/reason.ts';
import {
  askToType,
  buildReasonDeps,
  loadLazy,
  type ReasonEnv,
  type ReasonParts,
  readReasonEnv,
} from '../../lib/core/stages/reason/reason-deps.ts';
import { type Around, inProcess } from '../../lib/core/stages/wiring.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { buildReadSecrets, type Secrets } from '../../lib/core/store/secrets.ts';
import { secretsOf } from '../../lib/core/store/settings.ts';
import { loadParts } from '../../lib/core/tools/tool.ts';

type ReasonWays = Pick<ReasonParts, 'table' | 'publishAct' | 'publishReason' | 'publishDraft' | 'ask'>;

/**
 * Loaded with the first turn of a space that remembers anything, and kept until a setting changes:
 * it holds memory's view.
 */
const lookLazy = (
  { table, log }: Pick<ReasonParts, 'table' | 'log'>,
  space: string,
  live: () => Promise<ReasonEnv>,
): LookWithVector => {
  let look: { readonly of: ReasonEnv; readonly at: LookWithVector } | undefined;
  return async (turn, ...rest) => {
    if (turn.memory.head === undefined) return undefined;
    const { buildLookAtMemory } = await loadLazy();
    const set = await live();
    if (look?.of !== set) {
      const at = buildLookAtMemory({
        table,
        space,
        privacyTags: set.PRIVACY_FILTER_TAGS,
        threshold: set.CONTEXT_SEMANTIC_THRESHOLD,
        log: (line) => log('error', 'memory-unreadable', { line }),
      });
      look = { of: set, at };
    }
    return look.at(turn, ...rest);
  };
};

/** In a cascade that was set while it runs, a provider without a key is left out. */
const depsOf = (env: ReasonEnv, set: ReasonEnv, secrets: Secrets, parts: ReasonParts) => {
  try {
    return buildReasonDeps(set, secrets, parts);
  } catch (error) {
    if (set.PROVIDER_CASCADE === env.PROVIDER_CASCADE) throw error;
    parts.log('error', 'cascade-not-usable', { problem: String(error) });
    const usable = usableCascade(set, secrets) || env.PROVIDER_CASCADE;
    return buildReasonDeps({ ...set, PROVIDER_CASCADE: usable }, secrets, parts);
  }
};

/**
 * Loads what judges calls of tools once the first decision of a process is published: a small share
 * of a processor takes half a second for it. A failure is left to the turn that needs it.
 */
const preload = once(() => Promise.allSettled([loadLazy(), loadParts()]));

export const wireReason = (env: ReasonEnv, around: Around & ReasonWays & Partial<Pick<ReasonParts, 'log'>>) => {
  const { source, gateSet, ...given } = inProcess({ log: buildLog(env.LOG_LEVEL), ...around });
  const { table, now } = given;
  const live = buildLive({ table, space: env.SPACE, source, now, build: readReasonEnv });
  const readSecrets = buildReadSecrets(secretsOf('reason'), source);
  const parts: ReasonParts = {
    ...given,
    gateSets: buildGateSets(table, env.SPACE, gateSet),
    lookAtMemory: lookLazy(given, env.SPACE, live),
  };
  /** After a pause Act is as fresh as this process: a sign of life wakes it meanwhile. */
  let woken: Promise<void> | undefined;
  return {
    /** Reads while the function starts, on more of a processor than later. */
    start: () => {
      // Loads the calendar of the zone, for which the first prompt would wait a fifth of a second.
      clockText(now(), env.TIME_ZONE);
      return Promise.allSettled([live(), readSecrets(now())]);
    },
    work: async (message: ReasonMessage, remainingMs: () => number): Promise<void> => {
      woken ??= askToType(parts.publishDraft, message, now()).catch(() => undefined);
      await reason(depsOf(env, await live(), await readSecrets(now()), parts))(message, remainingMs);
      await woken;
      await preload();
    },
  };
};
