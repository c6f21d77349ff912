/**
 * What the gates are told about an action that code judges before Act. Commands, steps, handlers
 * and dry runs all begin here, so none is judged without the owner's policy or by older facts than
 * another. The caller adds what only it knows, such as the origin of the words.
 */
import { loadJob } from '../../jobs/read-jobs.ts';
import type { FactSources } from '../../judge/gather-facts.ts';
import { buildPolicyVersion } from '../../judge/judge.ts';
import { policyKey, policyTextOf } from '../../judge/policy/policy-setting.ts';
import { buildLoadPolicy, importCedar } from '../../judge/policy/space-policy.ts';
import { isStoppedFor, KillSwitch, killSwitchKey } from '../../ledger/kill-switch.ts';
import { chatMemoryOf, ownerSettingsKey, readOwnerSettings } from '../../ledger/owner-settings.ts';
import { type CodeContext, notesOf } from '../../operations/code-context.ts';
import { readRunners } from '../../runner/runners.ts';
import { whyOff } from '../../skills/skill-settings.ts';
import { mcpKey, runnerKeys } from '../../store/keys.ts';
import { loadNamed } from '../../store/load-named.ts';
import { parseStored } from '../../store/parse-stored.ts';
import { readMcpCatalogue } from '../../tools/mcp/catalogue.ts';

/** Keeps the last policy for as long as the process lives. */
const loadPolicy = buildLoadPolicy(importCedar);

/** What each caller says of its own actions. */
type OwnFacts = Pick<FactSources, 'reply' | 'origin' | 'session' | 'sensor' | 'askedBy' | 'copies' | 'chosenScope'>;

/**
 * @param since a stop at or after this moment counts; epoch milliseconds
 * @throws StoredItemError if the policy or the kill switch cannot be read: nothing is judged then
 */
export const baseFacts = async (context: CodeContext, own: OwnFacts, since = context.now): Promise<FactSources> => {
  const { table, gateSet, signal, now, zone, privacyTags, webhookUrls, isLoopbackAllowed, resolveAddresses } = context;
  const { space } = signal;
  const items = await loadNamed(table, {
    killSwitch: killSwitchKey(space),
    policy: policyKey(space),
    owner: ownerSettingsKey(space),
    mcp: mcpKey(space),
    runners: runnerKeys.list(space),
  });
  const stop = items.killSwitch && parseStored(items.killSwitch, KillSwitch, 'setting kill-switch');
  const policy = await loadPolicy(policyTextOf(items.policy));
  const settings = readOwnerSettings(items.owner);
  return {
    stage: 'reason',
    now,
    space,
    zone,
    privacyTags,
    webhookUrls,
    isLoopbackAllowed,
    resolveAddresses,
    isStopped: isStoppedFor(stop, since),
    policyVersion: buildPolicyVersion(gateSet, policy.hash),
    policy,
    chatMemory: chatMemoryOf(own.reply, settings),
    whyOff: (tool) => whyOff(tool, settings),
    mcp: readMcpCatalogue(items.mcp),
    runners: readRunners(items.runners),
    loadNotes: notesOf(context),
    loadJob: (name) => loadJob(table, space, name),
    ...own,
  };
};
