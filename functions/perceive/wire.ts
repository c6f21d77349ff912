/**
 * Puts Perceive together from its environment, for its handler and the simulation of the tests.
 * `Required`: a field that is left out here is an error of types.
 */
import { once } from '../../lib/core/base/once.ts';
import { buildLive, liveVariables, SETTINGS_VERSION } from '../../lib/core/ledger/live-settings.ts';
import { deriveNames } from '../../lib/core/ledger/provider-names.ts';
import { buildCaps } from '../../lib/core/money/caps.ts';
import type { PerceiveMessage } from '../../lib/core/signal/messages.ts';
import { loadLazy, type PerceiveDeps, perceive } from '../../lib/core/stages/perceive/perceive.ts';
import { type Around, inProcess } from '../../lib/core/stages/wiring.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import type { Environment, Variables } from '../../lib/core/store/settings.ts';
import { readWebhooks } from '../../lib/core/tools/webhooks.ts';
import { FEATURES } from '../../lib/features/features.ts';
import { PERCEIVE_HOOKS } from './features.ts';

type PerceiveWays = Pick<PerceiveDeps, 'table' | 'publishPerceive' | 'publishReason' | 'publishAct'>;

const configuredOf = (env: Environment<'perceive'>, source: Variables): Variables => ({
  ...liveVariables(source),
  PROVIDERS: env.PROVIDERS,
  PROVIDER_NAMES: env.PROVIDER_NAMES.join(','),
  SPEECH_MODEL: env.SPEECH_MODEL,
});

export const wirePerceive = (
  env: Environment<'perceive'>,
  around: Around & PerceiveWays & Partial<Pick<PerceiveDeps, 'features'>>,
) => {
  const { source, gateSet, ...given } = inProcess(around);
  const { table, now } = given;
  const loadGateSets = once(async () => (await loadLazy()).buildGateSets(table, env.SPACE, gateSet));
  const fixed = {
    features: FEATURES,
    ...given,
    hooks: PERCEIVE_HOOKS,
    loadMemory: once(async () => (await loadLazy()).buildReadMemory(table, env.SPACE)),
    loadGateSet: async () => (await loadGateSets()).load(),
    assistant: env.MEMEX_ASSISTANT,
    ...readWebhooks(env.WEBHOOK_URLS),
    isLoopbackAllowed: env.ALLOW_LOOPBACK_WEBHOOKS,
    configured: configuredOf(env, source),
  };
  const build = (variables: Variables) => {
    const set = readEnvironment('perceive', variables);
    return perceive({
      ...fixed,
      mandatorySkills: set.MANDATORY_SKILLS,
      providerNames: set.PROVIDER_NAMES,
      privacyTags: set.PRIVACY_FILTER_TAGS,
      eventsWithoutJob: set.EVENTS_WITHOUT_JOB,
      zone: set.TIME_ZONE,
      caps: buildCaps(set),
      settingsVersion: variables[SETTINGS_VERSION],
      homeChat: set.HOME_CHAT,
    } satisfies Required<PerceiveDeps>);
  };
  const live = buildLive({ table, space: env.SPACE, source, now, build, derive: deriveNames });
  return {
    start: () => live().catch(() => undefined),
    work: async (message: PerceiveMessage): Promise<void> => (await live())(message),
  };
};
