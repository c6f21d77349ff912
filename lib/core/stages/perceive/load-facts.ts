/** Loads what the gates are told about an action that code judges before Act. */

import { baseFacts } from '../../judge/base-facts.ts';
import type { FactSources, FormReads } from '../../judge/fact-sources.ts';
import { loadPolicy } from '../../judge/load-policy.ts';
import { policyKey, policyTextOf } from '../../judge/policy-setting.ts';
import { isStoppedFor, killSwitchKey, readKillSwitch } from '../../ledger/kill-switch.ts';
import { ownerSettingsKey, readOwnerSettings } from '../../ledger/owner-settings.ts';
import { type CodeContext, notesOf } from '../../operations/code-context.ts';
import { mcpKey } from '../../store/keys.ts';
import { loadItem, loadNamed } from '../../store/load-named.ts';
import { readMcpCatalogue } from '../../tools/mcp-catalogue.ts';
import { FOR_CALLS, STANDING } from '../turn-records.ts';

/** The facts that each caller knows about its own actions. */
type OwnFacts = Pick<FactSources, 'reply' | 'origin' | 'session' | 'sensor' | 'turn' | 'copies'> &
  Pick<FormReads, 'chosenScope'>;

/** @param since a stop from then on counts @throws StoredItemError: nothing is judged then */
export const loadFacts = async (
  context: CodeContext,
  { chosenScope, ...own }: OwnFacts,
  since = context.now,
): Promise<FactSources> => {
  const { table, signal, now, zone } = context;
  const { space } = signal;
  const items = await loadNamed(table, {
    killSwitch: killSwitchKey(space),
    policy: policyKey(space),
    owner: ownerSettingsKey(space),
    mcp: mcpKey(space),
    standing: STANDING.keys(space),
    records: FOR_CALLS.keys(space),
  });
  const stop = readKillSwitch(items.killSwitch);
  const known = {
    stage: 'reason',
    now,
    zone,
    space,
    setup: context,
    policy: await loadPolicy(policyTextOf(items.policy)),
    settings: readOwnerSettings(items.owner),
    mcp: readMcpCatalogue(items.mcp),
    records: { ...FOR_CALLS.read(items.records), ...STANDING.read(items.standing) },
    isStopped: isStoppedFor(stop, since),
    earlier: { table, before: { signalId: signal.id } },
  } as const;
  const loadNotes = notesOf(context);
  return baseFacts(known, {
    ...own,
    reads: { loadNotes, readRow: (keyIn) => loadItem(table, keyIn(space)), chosenScope },
  });
};
