/**
 * The one maker of what gates are told. Every stage, step, handler and dry run begins here, so
 * none is judged without the owner's policy or by older facts than another. The caller adds only
 * what it alone knows, such as the origin of the words.
 */
import { defined } from '../base/defined.ts';
import type { GateSet } from '../gates/engine/verify.ts';
import { chatMemoryOf, type OwnerSettings, placesOf } from '../ledger/owner-settings.ts';
import type { ShownSkill } from '../signal/decision.ts';
import { whyNarrowed } from '../signal/narrow-tools.ts';
import { findTextTakers } from '../tools/webhooks.ts';
import type { FactSources, Setup, SpaceState } from './fact-sources.ts';
import { buildPolicyVersion } from './judge.ts';
import { broughtPlaces, broughtWebhooks, whyOff } from './rules-of-features.ts';
import type { SpacePolicy } from './space-policy.ts';

export interface KnownFacts
  extends Pick<FactSources, 'stage' | 'now' | 'zone' | 'space' | 'earlier'>,
    Pick<SpaceState, 'mcp' | 'records'> {
  readonly setup: Setup & { readonly gateSet: GateSet };
  readonly policy: SpacePolicy;
  /** Undefined if they cannot be read: then all skill tools are disabled. */
  readonly settings: OwnerSettings | undefined;
  readonly isStopped?: boolean;
  /** The skill that the model was shown; no tool is left out for it if absent. */
  readonly shown?: ShownSkill | undefined;
}

const without = (targets: Readonly<Record<string, string>>, configured: object = {}) =>
  Object.fromEntries(Object.entries(targets).filter(([name]) => !Object.hasOwn(configured, name)));

export const baseFacts = (
  { setup, policy, settings, shown, mcp, records, isStopped, ...moment }: KnownFacts,
  own: Omit<FactSources, keyof KnownFacts | 'state'>,
): FactSources => {
  const brought = without(broughtWebhooks(records, settings), setup.webhookUrls);
  const webhookUrls = { ...brought, ...setup.webhookUrls };
  return {
    ...moment,
    ...own,
    setup,
    state: {
      brought,
      policy,
      policyVersion: buildPolicyVersion(setup.gateSet, policy.hash),
      chatMemory: chatMemoryOf(own.reply, settings),
      // The owner's own names win.
      places: new Map([
        ...broughtPlaces(records, settings),
        ...placesOf(settings, findTextTakers({ ...setup, webhookUrls })),
      ]),
      whyOff: (tool) => whyOff(tool, settings) ?? whyNarrowed(tool, shown),
      ...defined({ mcp, records, isStopped }),
    },
  };
};
