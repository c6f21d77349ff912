/**
 * Judges actions by the gates with freshly gathered facts, and gives judgements and decisions as
 * they are stored. Decides nothing by itself: a gate set is asked about each action.
 */

import { hashOf } from '../base/canonical.ts';
import { defined } from '../base/defined.ts';
import { type GateSet, verifyFully } from '../gates/engine/verify.ts';
import { type Action, actionHash, normaliseName } from '../signal/action.ts';
import type { Attempt, Decision, JudgedAction, Proposal } from '../signal/decision.ts';
import type { Table } from '../store/table.ts';
import { TOOLS } from '../tools/catalogue.ts';
import { mcpUrls, NO_MCP } from '../tools/mcp-catalogue.ts';
import { sendFile } from '../tools/send-file.ts';
import { loadParts } from '../tools/tool.ts';
import { buildActions, type Routes } from './build-actions.ts';
import { completeAction } from './complete-action.ts';
import type { FactSources } from './fact-sources.ts';
import { gatherFacts } from './gather-facts.ts';
import { loadPolicyHash } from './policy-setting.ts';

export const judgeAction = async (gateSet: GateSet, action: Action, sources: FactSources): Promise<JudgedAction> => {
  const verification = await verifyFully(gateSet, action, (current) => gatherFacts(current, sources));
  return {
    action: verification.action,
    hash: actionHash(verification.action),
    outcome: verification.outcome,
    trace: [...verification.trace],
    facts: [...verification.facts],
  };
};

const judgeActions = async (
  gateSet: GateSet,
  actions: readonly Action[],
  sources: FactSources,
): Promise<JudgedAction[]> => {
  const judged: JudgedAction[] = [];
  for (const action of actions) judged.push(await judgeAction(gateSet, await completeAction(action, sources), sources));
  return judged;
};

/** Judges every action of a proposal by itself, in order. */
export const judgeProposal = async (
  gateSet: GateSet,
  proposal: Proposal,
  sources: FactSources,
): Promise<JudgedAction[]> => {
  const files = proposal.calls.filter(({ tool }) => normaliseName(tool) === sendFile.name);
  const args = files.map((file) => file.args);
  const outputs = args.length === 0 ? new Map() : await (await loadParts()).loadOutputs(args, sources.reads);
  return judgeActions(gateSet, buildActions(proposal, { ...routesOf(sources), outputs }), sources);
};

/** The places that an action may go to, MCP servers among them. */
export const routesOf = ({ reply, setup, state, copies = [], session = '' }: FactSources): Routes => ({
  reply,
  copies,
  session,
  ...defined({ places: state.places }),
  webhookUrls: { ...state.brought, ...setup?.webhookUrls, ...mcpUrls(state.mcp ?? NO_MCP) },
});

/** Whether the attempt has at least one action and none is blocked. */
export const isAccepted = ({ judged }: Attempt): boolean =>
  judged.length > 0 && judged.every(({ outcome }) => outcome !== 'block');

/** Hashes of the blocked actions: the model must not propose these again. */
export const blockedHashes = (attempts: readonly Attempt[]): ReadonlySet<string> =>
  new Set(
    attempts.flatMap(({ judged }) => judged.filter(({ outcome }) => outcome === 'block').map(({ hash }) => hash)),
  );

/** Gates that only ask for another form of the same proposal. */
const FORM_GATES: readonly string[] = ['explanation', 'protocol-schema', 'tool-arguments'];
/** Gates that judge arguments. They say nothing useful of arguments that are not there. */
const ARGUMENT_GATES: readonly string[] = ['code-validity', 'confinement', 'command-class', 'shell-safety'];

const blockOf = ({ trace }: JudgedAction) => trace.findLast(({ verdict }) => verdict === 'block');

/** Why the arguments do not fit the tool; empty if they do. */
const argumentReason = ({ facts }: JudgedAction): string => {
  const problems = facts.at(-1)?.argumentProblems ?? [];
  return problems.length === 0 ? '' : `the arguments do not fit the tool: ${problems.join('; ')}`;
};

/** Blocked for its form alone, such as a forgotten explanation: no rule was pushed against. */
export const isFormFault = (judged: JudgedAction): boolean => {
  const gate = blockOf(judged)?.gate ?? '';
  return FORM_GATES.includes(gate) || (ARGUMENT_GATES.includes(gate) && argumentReason(judged) !== '');
};

/** It blocks what another gate blocked before, and says no reason of its own. */
const REPEAT = 'repeat';

/** Arguments that do not fit come first: another gate may have blocked because of them. */
const blockReasons = (judged: JudgedAction, earlier: readonly JudgedAction[]): readonly string[] => {
  const block = blockOf(judged);
  if (block === undefined) return [];
  const isOwn = (one: JudgedAction) => one.hash === judged.hash && (blockOf(one)?.gate ?? REPEAT) !== REPEAT;
  const first = block.gate === REPEAT ? earlier.find(isOwn) : undefined;
  if (first !== undefined) return blockReasons(first, []);
  const fit = argumentReason(judged);
  const isSaid = fit !== '' && (block.gate === 'tool-arguments' || ARGUMENT_GATES.includes(block.gate));
  const reasons = [
    ...(fit === '' ? [] : [`${fit} (tool-arguments)`]),
    ...(isSaid ? [] : [`${block.reason} (${block.gate})`]),
  ];
  return reasons.map((reason) => `${judged.action.tool ?? 'the reply'}: ${reason}`);
};

/** Says why an attempt was rejected. @param earlier of a repeat, the first gate's reason is said */
export const rejectionReasons = ({ problem, judged }: Attempt, earlier: readonly Attempt[] = []): readonly string[] => {
  if (problem !== undefined) return [`the answer could not be used: ${problem}`];
  const before = earlier.flatMap((attempt) => attempt.judged);
  const blocks = judged.flatMap((one) => blockReasons(one, before));
  return blocks.length > 0 ? blocks : ['the answer held neither text nor a tool call'];
};

/** The decision about a signal that code decides alone: a notice, or the action of a command. */
export const decideByCode = async (
  gateSet: GateSet,
  { signalId, outcome, reason }: Pick<Decision, 'signalId' | 'outcome' | 'reason'>,
  actions: readonly Action[],
  sources: FactSources,
): Promise<Decision> => ({
  schemaVersion: 1,
  signalId,
  at: sources.now,
  outcome,
  reason,
  gateSet: gateSet.version,
  policyVersion: sources.state.policyVersion,
  attemptCount: 0,
  actions: await judgeActions(gateSet, actions, sources),
});

/**
 * Names everything that judges: gate set, the tools' own tiers, the owner's policy with its schema.
 * Approvals are bound to it (I5). @param policyHash of the policy in force; empty for none
 */
export const buildPolicyVersion = (gateSet: Pick<GateSet, 'version'>, policyHash = ''): string =>
  hashOf('policy', {
    schema: 1,
    gateSet: gateSet.version,
    tiers: TOOLS.map((tool) => [tool.name, tool.tier]),
    policy: policyHash,
  });

/**
 * The version now in force, without parsing or evaluating the policy.
 * @throws StoredItemError if the policy cannot be read: then no approval is decided
 */
export const loadPolicyVersion = async (table: Pick<Table, 'load'>, space: string, gateSet: GateSet): Promise<string> =>
  buildPolicyVersion(gateSet, await loadPolicyHash(table, space));
