/**
 * Gathers the facts of one action: everything the gates may know, as plain data, at one moment. This is where clock,
 * network and store end and pure judgement begins (I9).
 */

import { findConfiguredSecrets } from '../gates/rules/find-secrets.ts';
import { deniedHash } from '../ledger/session-controls.ts';
import { type Action, actionHash, isText } from '../signal/action.ts';
import type { Asker, ChatMemory } from '../signal/asker.ts';
import type {
  ApprovalFacts,
  BudgetFacts,
  ConsensusFacts,
  Facts,
  FloodFacts,
  GrantFacts,
  NetworkFacts,
} from '../signal/facts.ts';
import { isMcpTool } from '../signal/mcp-name.ts';
import type { Sensor } from '../signal/sensors.ts';
import type { Origin, ReplyRoute } from '../signal/signal.ts';
import { argumentProblems, findTool } from '../tools/catalogue.ts';
import { mcpArgumentProblems } from '../tools/mcp/arguments.ts';
import { findMcpTool, type McpCatalogue, mcpUrls, NO_MCP } from '../tools/mcp/catalogue.ts';
import { addMcpServer } from '../tools/mcp-servers.ts';
import { findCodeProblem } from './code/find-code-problem.ts';
import { proposedCode } from './code/proposed-code.ts';
import { defaultTier } from './policy/default-permissions.ts';
import { NO_POLICY, type SpacePolicy } from './policy/ruling.ts';

/**
 * Links of an event that one turn leaves tappable: which of many is chosen can carry something
 * away.
 */
const EVENT_LINKS_PER_TURN_MAX = 1;

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
  /** MCP servers and their tools; none where it is not given. */
  readonly mcp?: McpCatalogue;
  readonly isLoopbackAllowed: boolean;
  /** Addresses a URL's host has right now; empty when it has none. */
  readonly resolveAddresses: (url: string) => Promise<readonly string[]>;
  readonly policyVersion: string;
  /** The owner's policy; texts of code are not asked of it. */
  readonly policy?: SpacePolicy;
  /** Why a model may not use a tool of this name: its skill is off. */
  readonly whyOff?: (tool: string) => string | undefined;
  /** Conversation the signal belongs to. */
  readonly session?: string;
  /** What began the signal. */
  readonly sensor?: Sensor;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags?: readonly string[];
  /** Hashes of the actions that earlier attempts of this signal were blocked with. */
  readonly refusedHashes?: ReadonlySet<string>;
  /** How the conversation is doing; null where nothing was blocked in it lately. */
  readonly flood?: FloodFacts | null;
  /** What people denied, by `deniedHash`. */
  readonly deniedHashes?: ReadonlySet<string>;
  /**
   * Links of the turn's event that a tainted text may repeat so that they can be opened; none where
   * it is not given.
   */
  readonly listedLinks?: readonly string[];
  /** What the action costs, and how that stands against the caps; absent where nothing costs. */
  readonly budgetOf?: (action: Action) => BudgetFacts | null;
  /** What other models proposed, where they were asked. */
  readonly consensus?: ConsensusFacts | undefined;
  /** Who began the turn or typed the command; a member where it is not given. */
  readonly askedBy?: Asker;
  /** How the chat that is answered stands to memory; closed where it is not given. */
  readonly chatMemory?: ChatMemory;
  /** The proposal was made in a group, from what memory gave. */
  readonly isMemoryShown?: boolean;
  readonly approval: ApprovalFacts | null;
  /** The grant found for the action, as it stands to exactly these bytes. */
  readonly grantFor?: (action: Action) => GrantFacts;
}

export type GatherFacts = (action: Action) => Promise<Facts>;

const isPlainReply = (action: Action, reply: ReplyRoute): boolean =>
  isText(action) && action.target === reply.target && action.to === (reply.to === '' ? 'log' : reply.to);

/** Where the action may go; empty for a name nobody configured, undefined for an action that goes nowhere. */
const configuredUrlOf = (action: Action, { stage, webhookUrls, mcp = NO_MCP }: FactSources): string | undefined => {
  // The one tool that connects to an address a person typed: Act judges where that leads, and connects.
  if (action.target === 'tool' && action.tool === addMcpServer.name)
    return stage === 'act' && typeof action.args?.url === 'string' ? action.args.url : undefined;
  if (action.target !== 'webhook') return undefined;
  const urls = isMcpTool(action.tool) ? mcpUrls(mcp) : webhookUrls;
  const name = action.to ?? '';
  return Object.hasOwn(urls, name) ? (urls[name] ?? '') : '';
};

const networkFacts = async (action: Action, sources: FactSources): Promise<NetworkFacts | null> => {
  const configuredUrl = configuredUrlOf(action, sources);
  if (configuredUrl === undefined) return null;
  return {
    isConfigured: configuredUrl !== '',
    configuredUrl,
    addresses: configuredUrl === '' ? [] : [...(await sources.resolveAddresses(configuredUrl))].sort(),
    isLoopbackAllowed: sources.isLoopbackAllowed,
  };
};

type Permission = Pick<Facts, 'isKnown' | 'tier' | 'policyReason'>;

/** A command its owner typed is its own permission, except where the tool says that a person looks at it first. */
const callTier = (action: Action, origin: Origin): Permission['tier'] => {
  const usual = defaultTier(action.tool ?? '', action.args ?? {});
  const isOwners = action.author === 'owner' && origin === 'owner';
  return isOwners && usual === 'ask' && findTool(action.tool ?? '')?.isAlwaysAsked !== true ? 'allow' : usual;
};

type PermissionSources = Pick<
  FactSources,
  'space' | 'now' | 'origin' | 'policy' | 'session' | 'sensor' | 'mcp' | 'whyOff'
>;

/** A stranger's tool is asked about, unless the owner's policy says otherwise of `mcp-call` (`declared.ts`). */
const mcpPermission = (action: Action, sources: PermissionSources): Permission => {
  const { space, now, origin, session = '', policy = NO_POLICY, mcp = NO_MCP } = sources;
  const tool = action.author === 'model' ? findMcpTool(mcp, action.tool ?? '') : undefined;
  if (tool === undefined) return { isKnown: false, tier: 'deny', policyReason: '' };
  const server = (action.to ?? '').replace(/^mcp-/, '');
  const asked = { ...action, tool: 'mcp-call', args: { server, tool: tool.remote } };
  const ruling = policy.rule({ space, action: asked, origin, session, now, isPlainReply: false });
  return { isKnown: true, tier: ruling.tier ?? 'ask', policyReason: ruling.reason };
};

/** The tier the owner's policy gives, else that of the default permissions. What code itself says is not asked of a policy. */
export const permissionOf = (action: Action, isReply: boolean, sources: PermissionSources): Permission => {
  const isToText = isText(action);
  if (isToText && action.author === 'code') return { isKnown: true, tier: 'allow', policyReason: '' };
  const offBecause = action.author === 'model' && !isToText ? sources.whyOff?.(action.tool ?? '') : undefined;
  // Before the owner's policy: what permits a tool does not switch its skill on.
  if (offBecause !== undefined) return { isKnown: true, tier: 'deny', policyReason: offBecause };
  if (isMcpTool(action.tool)) return mcpPermission(action, sources);
  if (!isToText && !isOffered(action, sources.sensor)) return { isKnown: false, tier: 'deny', policyReason: '' };
  const { space, now, origin, session = '', policy = NO_POLICY } = sources;
  const ruling = policy.rule({ space, action, origin, session, now, isPlainReply: isReply });
  const usual = isToText ? (isReply ? 'allow' : 'ask') : callTier(action, origin);
  return { isKnown: true, tier: ruling.tier ?? usual, policyReason: ruling.reason };
};

/** What only people's commands, and code itself, may call does not exist for a model; nor what belongs to another kind of turn. */
const isOffered = ({ tool, author }: Action, sensor: Sensor | undefined): boolean => {
  const found = findTool(tool ?? '');
  if (found?.onlyFor !== undefined) return found.onlyFor === sensor;
  return found !== undefined && (author !== 'model' || found.isForPeople !== true);
};

const problemsOf = (action: Action, mcp: McpCatalogue = NO_MCP): string[] => {
  const remote = isMcpTool(action.tool) ? findMcpTool(mcp, action.tool ?? '') : undefined;
  if (remote !== undefined) return [...mcpArgumentProblems(remote.inputSchema, action.args ?? {})];
  const tool = isText(action) ? undefined : findTool(action.tool ?? '');
  return tool === undefined ? [] : [...argumentProblems(tool, action.args ?? {})];
};

/**
 * Of the listed links those that stand in a text, first ones first, as many as one turn may leave
 * tappable.
 */
export const firstListed = (text: string, listedLinks: readonly string[]): string[] => {
  const found = listedLinks.filter((url) => text.includes(url));
  // One may be the beginning of another.
  const ordered = found.toSorted((a, b) => text.indexOf(a) - text.indexOf(b) || b.length - a.length);
  return ordered.slice(0, EVENT_LINKS_PER_TURN_MAX);
};

const knownUrlsOf = (action: Action, { origin, listedLinks = [] }: FactSources): string[] =>
  origin === 'outside' && isText(action) && action.author !== 'code' ? firstListed(action.text ?? '', listedLinks) : [];

/**
 * What code says and does is its own. What a member asks for is made from a member's words,
 * whatever else was read.
 */
const askerFacts = (
  { author }: Action,
  { origin, askedBy = 'member', chatMemory = 'closed', isMemoryShown = false }: FactSources,
): Pick<Facts, 'origin' | 'askedBy' | 'chatMemory' | 'isMemoryShown'> =>
  author === 'code'
    ? { origin: 'agent', askedBy: 'approver', chatMemory: 'open', isMemoryShown: false }
    : { origin: askedBy === 'member' ? 'outside' : origin, askedBy, chatMemory, isMemoryShown };

const codeFacts = async (action: Action): Promise<Pick<Facts, 'codeProblem'>> => {
  const code = proposedCode(action);
  const codeProblem = code === undefined ? undefined : await findCodeProblem(code);
  return codeProblem === undefined ? {} : { codeProblem };
};

export const buildGatherFacts =
  (sources: FactSources): GatherFacts =>
  async (action) => {
    const isReply = isPlainReply(action, sources.reply);
    const hash = actionHash(action);
    return {
      schemaVersion: 1,
      stage: sources.stage,
      now: sources.now,
      space: sources.space,
      actionHash: hash,
      isStopped: sources.isStopped,
      flood: sources.flood ?? null,
      ...permissionOf(action, isReply, sources),
      isPlainReply: isReply,
      argumentProblems: problemsOf(action, sources.mcp),
      secrets: [...findConfiguredSecrets(action, sources.secrets)],
      network: await networkFacts(action, sources),
      // No actuator for commands is installed: looking into one (`find-shell-dangers.ts`) comes with it, and until then all are blocked.
      shell: null,
      ...(await codeFacts(action)),
      privacyTags: [...(sources.privacyTags ?? [])],
      isRefusedBefore: sources.refusedHashes?.has(hash) === true,
      isDeniedBefore: (sources.deniedHashes?.size ?? 0) > 0 && sources.deniedHashes?.has(deniedHash(action)) === true,
      knownUrls: knownUrlsOf(action, sources),
      budget: sources.budgetOf?.(action) ?? null,
      ...askerFacts(action, sources),
      approval: sources.approval,
      policyVersion: sources.policyVersion,
      ...(sources.consensus === undefined || action.author !== 'model' ? {} : { consensus: sources.consensus }),
      ...(sources.grantFor === undefined ? {} : { grant: sources.grantFor(action) }),
    };
  };
