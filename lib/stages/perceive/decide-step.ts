/**
 * Decides on one step of a run: its actions with every default filled in (I4), judged by the same
 * gates as a model's proposal. Its origin is the worst of the run's inputs and of all outputs that
 * it has read.
 */

import { loadJob } from '../../jobs/read-jobs.ts';
import { buildCall, buildTexts } from '../../judge/build-actions.ts';
import type { FactSources } from '../../judge/gather-facts.ts';
import { buildPolicyVersion, decideByCode } from '../../judge/judge.ts';
import { policyKey, policyTextOf } from '../../judge/policy/policy-setting.ts';
import { buildLoadPolicy, importCedar } from '../../judge/policy/space-policy.ts';
import { isStoppedFor, KillSwitch, killSwitchKey } from '../../ledger/kill-switch.ts';
import { chatMemoryOf, ownerSettingsKey, readOwnerSettings } from '../../ledger/owner-settings.ts';
import type { StepPlan } from '../../runbooks/plan-step.ts';
import type { Run } from '../../runbooks/run.ts';
import { readRunners } from '../../runner/runners.ts';
import type { Action } from '../../signal/action.ts';
import type { Decision } from '../../signal/decision.ts';
import { whyOff } from '../../skills/skill-settings.ts';
import { mcpKey, runnerKeys } from '../../store/keys.ts';
import { loadNamed } from '../../store/load-named.ts';
import { parseStored } from '../../store/parse-stored.ts';
import { mcpUrls, readMcpCatalogue } from '../../tools/mcp/catalogue.ts';
import { type CodeContext, notesOf } from './code-context.ts';

/** Keeps the last policy for as long as the process lives. */
const loadPolicy = buildLoadPolicy(importCedar);

/** All that the gates are told about the steps of a run. */
export const stepSources = async (
  context: CodeContext,
  run: Pick<Run, 'reply' | 'origin' | 'session' | 'askedBy' | 'copies'>,
): Promise<FactSources> => {
  const { table, gateSet, signal, now, webhookUrls } = context;
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
    isStopped: isStoppedFor(stop, now),
    reply: run.reply,
    origin: run.origin,
    policyVersion: buildPolicyVersion(gateSet, policy.hash),
    policy,
    session: run.session,
    sensor: 'run-step',
    askedBy: run.askedBy,
    chatMemory: chatMemoryOf(run.reply, settings),
    whyOff: (tool) => whyOff(tool, settings),
    webhookUrls,
    mcp: readMcpCatalogue(items.mcp),
    runners: readRunners(items.runners),
    isLoopbackAllowed: context.isLoopbackAllowed,
    resolveAddresses: context.resolveAddresses,
    loadNotes: notesOf(context),
    privacyTags: context.privacyTags,
    zone: context.zone,
    loadJob: (name) => loadJob(table, space, name),
    copies: run.copies ?? [],
  };
};

/** @param place of the step in the file, for the card */
export const buildStepActions = (
  plan: Extract<StepPlan, { kind: 'call' | 'text' }>,
  { webhookUrls = {}, mcp, reply, copies = [], session = '' }: FactSources,
  explanation: string,
): readonly Action[] => {
  const urls = mcp === undefined ? webhookUrls : { ...webhookUrls, ...mcpUrls(mcp) };
  return plan.kind === 'text'
    ? buildTexts(plan.text, { reply, webhookUrls: urls, copies, session }).map((action) => ({ ...action, explanation }))
    : [buildCall({ tool: plan.tool, args: plan.args, explanation }, urls)];
};

export const decideStep = async (
  context: CodeContext,
  run: Run,
  plan: Extract<StepPlan, { kind: 'call' | 'text' }>,
  place: string,
): Promise<Decision> => {
  const sources = await stepSources(context, run);
  const verb = run.current?.kind === 'undo' ? 'takes back ' : '';
  const actions = buildStepActions(plan, sources, `${verb}step ${place} of the runbook ${run.runbook}`);
  const decided = { signalId: context.signal.id, outcome: 'act', reason: '' } as const;
  return decideByCode(context.gateSet, decided, actions, sources);
};
