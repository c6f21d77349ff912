/**
 * The gates in force, as data: which ones run, in which order, and what each stops. The room's
 * README says how to add one. Raise `version` with every change of a gate's verdicts: a test pins
 * each version to its code.
 */

import { canonicalJson } from '../../base/canonical.ts';
import type { Gate } from '../../signal/gate.ts';
import { checkAccess } from '../rules/access.ts';
import { checkBudget } from '../rules/budget.ts';
import { checkCodeValidity } from '../rules/code-validity.ts';
import { checkCommandClass } from '../rules/command-class.ts';
import { checkConfiguredSecrets } from '../rules/configured-secrets.ts';
import { checkConfinement } from '../rules/confinement.ts';
import { checkExplanation } from '../rules/explanation.ts';
import { checkFlood } from '../rules/flood.ts';
import { checkHiddenCharacters } from '../rules/hidden-characters.ts';
import { checkHighImpact } from '../rules/high-impact.ts';
import { checkKillSwitch } from '../rules/kill-switch.ts';
import { checkNetwork } from '../rules/network.ts';
import { checkPermissions } from '../rules/permissions.ts';
import { checkPrivacy } from '../rules/privacy.ts';
import { checkProtocolSchema } from '../rules/protocol-schema.ts';
import { checkProvenance } from '../rules/provenance.ts';
import { checkRepeat } from '../rules/repeat.ts';
import { checkSecretFormats } from '../rules/secret-formats.ts';
import { checkSecretPaths } from '../rules/secret-paths.ts';
import { checkShellSafety } from '../rules/shell-safety.ts';
import { checkStandingInvariants } from '../rules/standing-invariants.ts';
import { checkToolArguments } from '../rules/tool-arguments.ts';
import { buildGateSet, ENGINE_VERSION, type GateSet, gateEntry } from './build-gate-set.ts';
import type { GateSetContent } from './gate-set-content.ts';

export interface ListedGate extends Gate {
  /** One line for people (`gates list`) that says what the gate stops. */
  readonly stops: string;
}

// biome-ignore format: one line per gate, so that the order and the versions can be read down the columns
export const GATES: readonly ListedGate[] = [
  { priority: 1000, name: 'kill-switch',        version: 1, check: checkKillSwitch,        stops: 'everything but fixed notices while the space is stopped' },
  { priority:  990, name: 'flood',              version: 1, check: checkFlood,             stops: 'everything but fixed notices in a conversation with too many blocked actions or approvals' },
  { priority:  600, name: 'permissions',        version: 2, check: checkPermissions,       stops: 'unknown and denied tools and targets; asks where the tier says so' },
  { priority:  590, name: 'access',             version: 6, check: checkAccess,            stops: 'tools that are not for whoever began the turn; memory in chats not named for it; asks before a group reads it' },
  { priority:  500, name: 'explanation',        version: 2, check: checkExplanation,       stops: 'actions the model gives no reason of its own for' },
  { priority:  500, name: 'standing-invariants', version: 11, check: checkStandingInvariants, stops: 'nothing; asks about changes to the agent itself, notes large calls and empty explanations' },
  { priority:  400, name: 'budget',             version: 1, check: checkBudget,            stops: 'effects that cost more than a cap has left' },
  { priority:  150, name: 'code-validity',      version: 2, check: checkCodeValidity,      stops: 'files and declared code (JSON, YAML, JavaScript, TypeScript, Cedar) that do not parse' },
  { priority:  150, name: 'configured-secrets', version: 1, check: checkConfiguredSecrets, stops: 'values of the secrets this deployment holds' },
  { priority:  150, name: 'high-impact',        version: 5, check: checkHighImpact,        stops: 'changes of rights made from outside text; asks before data or rights are changed, and if models do not agree' },
  { priority:  150, name: 'network',            version: 6, check: checkNetwork,           stops: 'webhooks to unconfigured, unencrypted or non-public addresses; URLs of disguised or inside hosts' },
  { priority:  150, name: 'privacy',            version: 6, check: checkPrivacy,           stops: 'what is marked private from leaving the space' },
  { priority:  150, name: 'secret-formats',     version: 8, check: checkSecretFormats,     stops: 'whatever has the form of a key, token or password' },
  { priority:  150, name: 'secret-paths',       version: 7, check: checkSecretPaths,       stops: 'reading and writing files that hold secrets, however their path is spelled' },
  { priority:  145, name: 'confinement',        version: 7, check: checkConfinement,       stops: 'paths outside the folders that a runner names; unknown or paused runners; asks to change files that programs run' },
  { priority:  140, name: 'hidden-characters',  version: 1, check: checkHiddenCharacters,  stops: 'characters that nobody sees, in texts and arguments' },
  { priority:  120, name: 'provenance',         version: 4, check: checkProvenance,        stops: 'links in texts made from outside text, but the one listed; asks before such text leaves the space' },
  { priority:   95, name: 'protocol-schema',    version: 8, check: checkProtocolSchema,    stops: 'malformed, ambiguous and oversized actions' },
  { priority:   60, name: 'command-class',      version: 3, check: checkCommandClass,      stops: 'commands that leave a machine without network; asks about those that destroy, leave or run unseen code' },
  { priority:   50, name: 'shell-safety',       version: 2, check: checkShellSafety,       stops: 'shell commands that nobody looked into' },
  { priority:   20, name: 'tool-arguments',     version: 1, check: checkToolArguments,     stops: 'arguments that do not fit the tool' },
  { priority:   10, name: 'repeat',             version: 2, check: checkRepeat,            stops: 'what the gates refused or a person denied before, proposed again' },
];

export const GATE_SET: GateSet = buildGateSet(GATES);

/**
 * The set that an earlier release ran, if all its gates are here as they were: today's gates
 * without those that came later. Undefined if one has changed since.
 */
export const earlierGateSet = ({ engine, gates, problem }: GateSetContent): GateSet | undefined => {
  const here = new Map(GATES.map((gate) => [canonicalJson(gateEntry(gate)), gate]));
  const found = gates.flatMap((entry) => here.get(canonicalJson(entry)) ?? []);
  if (engine !== ENGINE_VERSION || problem !== '' || found.length < gates.length) return undefined;
  return buildGateSet(found, []);
};
