/**
 * Puts Act together from its environment, for its handler and the simulation of the tests.
 * `Required`: a field that is left out here is an error of types.
 */

import { randomBytes } from 'node:crypto';
import { type ActuatorParts, buildActuators, loadLazy } from '../../lib/core/actuators/actuators.ts';
import type { ToolSet } from '../../lib/core/actuators/tool-set.ts';
import { SECOND_MS } from '../../lib/core/base/limits.ts';
import { once } from '../../lib/core/base/once.ts';
import { showDraft } from '../../lib/core/channels/show-draft.ts';
import type { Setup } from '../../lib/core/judge/fact-sources.ts';
import { loadPolicy } from '../../lib/core/judge/load-policy.ts';
import { buildLive } from '../../lib/core/ledger/live-settings.ts';
import { buildActCosts, buildCaps } from '../../lib/core/money/caps.ts';
import { chatsServed } from '../../lib/core/signal/channels.ts';
import type { ActMessage, DraftMessage, ForgetAgainMessage } from '../../lib/core/signal/messages.ts';
import type { Signal } from '../../lib/core/signal/signal.ts';
import { act } from '../../lib/core/stages/act/act.ts';
import { type ActStageDeps, type ForgetLate, loadLazy as loadActLazy } from '../../lib/core/stages/act/act-context.ts';
import { buildGateSets } from '../../lib/core/stages/gate-sets.ts';
import { type Around, inProcess } from '../../lib/core/stages/wiring.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildReadSecrets } from '../../lib/core/store/secrets.ts';
import { type Environment, secretsOf, type Variables } from '../../lib/core/store/settings.ts';
import { servicesOf } from '../../lib/core/tools/services.ts';
import { loadParts } from '../../lib/core/tools/tool.ts';
import { readWebhooks } from '../../lib/core/tools/webhooks.ts';
import { AFTERS, buildGuards, loadLazy as loadHooks, toolCosts } from './features.ts';

type ActStageWays = Pick<ActStageDeps, 'table' | 'publishPerceive'> & Pick<ActuatorParts, 'sendOrder' | 'world'>;
type Message = ActMessage | ForgetAgainMessage | DraftMessage;

const fixedOf = (env: Environment<'act'>) => ({
  loadPolicy,
  afters: AFTERS,
  page: env.CONSOLE_URL,
  stackRun: env.STACK_RUN,
});

const liveOf = (variables: Variables) => {
  const set = readEnvironment('act', variables);
  return {
    env: set,
    settings: {
      allowedChats: chatsServed(set),
      guards: buildGuards({
        caps: buildCaps(set),
        webhookCosts: new Map([...buildActCosts(set), ...toolCosts(set)]),
      }),
      homeChat: set.HOME_CHAT,
      zone: set.TIME_ZONE,
    },
  };
};

/**
 * Loads the code of tools once the first answer of a process is on its way: a small share of a
 * processor takes half a second for it, and the next message may call a tool. A failure is left to
 * that call.
 */
const preload = once(() => Promise.allSettled([loadLazy(), loadActLazy(), loadHooks(), loadParts()]));

export const wireAct = (
  env: Environment<'act'>,
  around: Around & ActStageWays & Partial<Pick<ActStageDeps, 'newId'>>,
) => {
  const { source, gateSet, resolveAddresses, ...given } = inProcess({
    newId: () => randomBytes(16).toString('hex'),
    ...around,
  });
  const { table, now } = given;
  const isLoopbackAllowed = env.ALLOW_LOOPBACK_WEBHOOKS;
  const addresses = { ...readWebhooks(env.WEBHOOK_URLS), isLoopbackAllowed, resolveAddresses };
  const live = buildLive({ table, space: env.SPACE, source, now, build: liveOf });
  const readSecrets = buildReadSecrets(secretsOf('act'), source);
  const gateSets = buildGateSets(table, env.SPACE, gateSet);
  let last: { readonly of: object; readonly tools: ToolSet } | undefined;
  /** The same until a setting changes. */
  const loadToolSet = async (): Promise<ToolSet> => {
    const { ACT_FEATURES, buildToolSet } = await loadLazy();
    const set = await live();
    if (last?.of !== set)
      last = { of: set, tools: buildToolSet(table, given.publishPerceive, env, set.env, addresses, ACT_FEATURES) };
    return last.tools;
  };
  const tools = async () => ({ ...given, space: env.SPACE, ...(await loadToolSet()) });
  const fixed = {
    ...given,
    gateSets,
    ...fixedOf(env),
    loadPowers: async () => (await loadToolSet()).powers,
    loadFeatures: async () => (await loadToolSet()).features,
    forgetLate: async (...turn: Parameters<ForgetLate>) => (await loadLazy()).forgetLate(await tools(), ...turn),
  };
  return {
    /** Reads while the function starts, on more of a processor than later. */
    start: () => Promise.allSettled([live(), readSecrets(now())]),
    work: async (message: Message, remainingMs: () => number): Promise<void> => {
      if (message.stage === 'forget-again') return (await loadLazy()).forgetAgain(await tools(), remainingMs);
      const secrets = await readSecrets(now());
      const { env, settings } = await live();
      const registry = buildActuators({ ...given, env, secrets, loadToolSet });
      const type = async ({ reply }: Signal) => (await registry.senders.get(reply.target)?.())?.sendTyping(reply);
      if (message.stage === 'draft') return showDraft({ ...registry, table, isInForce: gateSets.isInForce })(message);
      const atWork = { type, afterMs: env.AT_WORK_SECONDS * SECOND_MS };
      const setup = {
        ...addresses,
        privacyTags: env.PRIVACY_FILTER_TAGS,
        services: servicesOf(env),
        secrets: registry.secrets,
        documentText: registry.documentText,
      } satisfies Required<Setup>;
      const deps = { ...fixed, ...settings, ...registry, setup, atWork, remainingMs } satisfies Required<ActStageDeps>;
      await act(deps)(message);
      await preload();
    },
  };
};
