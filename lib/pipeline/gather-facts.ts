/**
 * Gathers the facts of one action: everything the gates may know, as plain data, at one moment. This is where clock,
 * network and store end and pure judgement begins (I9).
 */

import type { ApprovalFacts, Facts, NetworkFacts } from '../gates/facts.ts';
import { findConfiguredSecrets } from '../gates/find-secrets.ts';
import { type Action, actionHash, isText } from '../signal/action.ts';
import type { Origin, ReplyRoute } from '../signal/signal.ts';
import { argumentProblems, findTool } from '../tools/catalogue.ts';

/** What is the same for all actions of one signal at one stage. */
export interface FactSources {
  readonly stage: 'reason' | 'act';
  readonly now: number;
  readonly space: string;
  readonly isStopped: boolean;
  /** Route recorded on the root signal by its ingress. */
  readonly reply: ReplyRoute;
  /** Worst origin of what the proposal was made from. */
  readonly origin: Origin;
  /** Values this function holds, to be found in outgoing bytes. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Configured outgoing webhooks: name → URL. */
  readonly webhookUrls: Readonly<Record<string, string>>;
  readonly isLoopbackAllowed: boolean;
  /** Addresses a URL's host has right now; empty when it has none. */
  readonly resolveAddresses: (url: string) => Promise<readonly string[]>;
  readonly policyVersion: string;
  readonly approval: ApprovalFacts | null;
}

export type GatherFacts = (action: Action) => Promise<Facts>;

const isPlainReply = (action: Action, reply: ReplyRoute): boolean =>
  isText(action) && action.target === reply.target && action.to === (reply.to === '' ? 'log' : reply.to);

const networkFacts = async (action: Action, sources: FactSources): Promise<NetworkFacts | null> => {
  if (action.target !== 'webhook') return null;
  const name = action.to ?? '';
  const configuredUrl = Object.hasOwn(sources.webhookUrls, name) ? (sources.webhookUrls[name] ?? '') : '';
  return {
    isConfigured: configuredUrl !== '',
    configuredUrl,
    addresses: configuredUrl === '' ? [] : [...(await sources.resolveAddresses(configuredUrl))].sort(),
    isLoopbackAllowed: sources.isLoopbackAllowed,
  };
};

const permission = (action: Action, isReply: boolean): { isKnown: boolean; tier: Facts['tier'] } => {
  if (isText(action)) return { isKnown: true, tier: isReply || action.author === 'code' ? 'allow' : 'ask' };
  const tool = findTool(action.tool ?? '');
  return tool === undefined ? { isKnown: false, tier: 'deny' } : { isKnown: true, tier: tool.tier };
};

const problemsOf = (action: Action): string[] => {
  const tool = isText(action) ? undefined : findTool(action.tool ?? '');
  return tool === undefined ? [] : [...argumentProblems(tool, action.args ?? {})];
};

export const buildGatherFacts =
  (sources: FactSources): GatherFacts =>
  async (action) => {
    const isReply = isPlainReply(action, sources.reply);
    return {
      schemaVersion: 1,
      stage: sources.stage,
      now: sources.now,
      space: sources.space,
      actionHash: actionHash(action),
      isStopped: sources.isStopped,
      ...permission(action, isReply),
      isPlainReply: isReply,
      argumentProblems: problemsOf(action),
      secrets: [...findConfiguredSecrets(action, sources.secrets)],
      network: await networkFacts(action, sources),
      origin: action.author === 'code' ? 'agent' : sources.origin,
      approval: sources.approval,
      policyVersion: sources.policyVersion,
    };
  };
