/**
 * Gathers the facts of one action: everything the gates may know, as plain data, at one moment.
 * Clock, network and store are read here or before; from here on judging is pure (I9).
 */

import { canonicalJson } from '../base/canonical.ts';
import { defined } from '../base/defined.ts';
import { maySkipQuestion } from '../gates/rules/command-class.ts';
import { findConfiguredSecrets } from '../gates/rules/find-secrets.ts';
import { effectsOf } from '../gates/rules/tool-effects.ts';
import type { Destination } from '../jobs/job.ts';
import type { Places } from '../ledger/owner-settings.ts';
import { deniedHash } from '../ledger/session-controls.ts';
import { jobOf } from '../money/day-spend.ts';
import { NO_RUNNERS, type Runners, runnerFacts } from '../runner/runners.ts';
import { type Action, actionHash, isSamePlace, isText, placeOf } from '../signal/action.ts';
import type { Asker, ChatMemory } from '../signal/asker.ts';
import { STORES_CODES } from '../signal/because.ts';
import type {
  ApprovalFacts,
  BudgetFacts,
  CommandClass,
  ConsensusFacts,
  Facts,
  FloodFacts,
  GrantFacts,
  NetworkFacts,
  PassingRead,
  RunnerFacts,
  ShellFacts,
  ToolEffects,
} from '../signal/facts.ts';
import { CARRIES_NEWS, isOfCode, isTyped } from '../signal/ids.ts';
import { isMcpTool } from '../signal/mcp-name.ts';
import { isRunnerTool } from '../signal/runner-tools.ts';
import type { Origin, ReplyRoute, Sensor } from '../signal/signal.ts';
import type { Table } from '../store/table.ts';
import { fileIn } from '../text/file-text.ts';
import { argumentProblems } from '../tools/argument-problems.ts';
import { findTool } from '../tools/catalogue.ts';
import type { Unreadable } from '../tools/document-facts.ts';
import { findMcpTool, MCP_EFFECTS, type McpCatalogue, mcpUrls, NO_MCP } from '../tools/mcp/catalogue.ts';
import { askPerson } from '../tools/runbook-steps.ts';
import { sendMessage } from '../tools/send-message.ts';
import { type FormContext, loadParts, loadShellReader } from '../tools/tool.ts';
import { addressOf, type Webhooks } from '../tools/webhooks.ts';
import { firstListed } from './listed-links.ts';
import type { OwnWords } from './own-words.ts';
import type { Past } from './policy/policy-domain.ts';
import { type Before, NO_POLICY, type SpacePolicy } from './policy/space-policy.ts';
import type { Targets, Vouched } from './policy/vouched.ts';

export interface Setup {
  /** Secrets to look for in outgoing bytes, by name. */
  readonly secrets?: ReadonlyMap<string, string>;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags?: readonly string[];
  /** Configured outgoing webhooks: name → URL. */
  readonly webhookUrls?: Webhooks['webhookUrls'];
  readonly webhookCalls?: Webhooks['webhookCalls'];
  readonly isLoopbackAllowed?: boolean;
  /** Gives the text of a stored document; undefined if it is gone, or is not read here. */
  readonly documentText?: ((hash: string) => Promise<string | Unreadable | undefined>) | undefined;
  /** Gives the addresses that a URL's host has now; empty if it has none. */
  readonly resolveAddresses?: (url: string) => Promise<readonly string[]>;
}

/** The space as the table has it now. */
export interface SpaceState {
  readonly policyVersion: string;
  /** The owner's policy. It is not asked about texts that code wrote. */
  readonly policy?: SpacePolicy;
  readonly isStopped?: boolean;
  /** Whether the chat that is answered may hear of memory; closed if absent. */
  readonly chatMemory?: ChatMemory;
  /** Says why a model may not use a tool: its skill is off. */
  readonly whyOff?: (tool: string) => string | undefined;
  /** Servers of the Model Context Protocol, and their tools. */
  readonly mcp?: McpCatalogue;
  /** Webhooks of added skills: name → URL. */
  readonly skillTargets?: Readonly<Record<string, string>>;
  /** None is paired if absent. */
  readonly runners?: Runners;
  /** Places that a text may go to, by name. */
  readonly places?: Places;
}

interface Refused {
  /** Hashes of actions that earlier attempts at this signal were blocked with. */
  readonly refusedHashes?: ReadonlySet<string>;
  /** Hashes (`deniedHash`) of actions that people denied. */
  readonly deniedHashes?: ReadonlySet<string>;
  /** How many actions of the conversation were blocked lately; null for none. */
  readonly flood?: FloodFacts | null;
}

/** The readers for the forms of tools; an absent one reads nothing. */
export type FormReads = Partial<
  Pick<
    FormContext,
    'loadJob' | 'loadNotes' | 'chosenScope' | 'readSkill' | 'loadRunbook' | 'loadReadFile' | 'loadOutput'
  >
>;

/**
 * Everything known about a signal when its actions are judged. A field that is absent stands for
 * the strictest case, or for nothing of its kind. `baseFacts` makes it.
 */
export interface FactSources {
  readonly stage: Facts['stage'];
  readonly now: number;
  readonly zone?: string | undefined;
  readonly space: string;
  /** Route recorded on the root signal by its ingress. */
  readonly reply: ReplyRoute;
  readonly session?: string;
  /** Kind of the signal that is judged. */
  readonly sensor?: Sensor;
  /** Worst origin of all that the action was made from. */
  readonly origin: Origin;
  /** The person who began the turn or typed the command; a member if absent. */
  readonly askedBy?: Asker;
  /** An approver tapped this very job under a question of code. */
  readonly isChosen?: boolean;
  /** The action was proposed in a group, from what memory gave. */
  readonly isMemoryShown?: boolean;
  /**
   * Whether these fields hold nothing but what the owner typed in this turn. Absent unless the
   * owner began the turn by a message: then no read passes without a question.
   */
  readonly areOwnWords?: OwnWords;
  /** Links that an untrusted text may repeat as links a person can open. */
  readonly listedLinks?: readonly string[];
  /** Destinations of a job's result: an approver approved them with the job. */
  readonly copies?: readonly Destination[];
  readonly setup?: Setup;
  readonly state: SpaceState;
  readonly refused?: Refused;
  readonly reads?: FormReads;
  /**
   * The table from which a policy reads earlier actions; a policy that asks for them denies if
   * absent.
   */
  readonly table?: Pick<Table, 'load'>;
  /** Names the signal, and gets what was read of the table. */
  readonly before?: Before;
  /** Gives the cost of an action against the caps; null if it is free. */
  readonly budgetOf?: (action: Action) => BudgetFacts | null;
  /** Proposals of other models about the same question. */
  readonly consensus?: ConsensusFacts | undefined;
  readonly approval?: ApprovalFacts | null;
  /** Compares the grant that was found with exactly these bytes. */
  readonly grantFor?: (action: Action) => GrantFacts;
}

export const gatherFacts = async (action: Action, sources: FactSources): Promise<Facts> => {
  const { setup = {}, state, refused = {} } = sources;
  const isPlainReply = isReplyTo(sources.reply, action) || isCopy(action, sources);
  const hash = actionHash(action);
  const effects = declaredEffects(action);
  const codeProblem = await codeProblemOf(action, effects);
  const runner = runnerOf(action, sources);
  const shell = await shellFacts(action, effects, runner);
  const asker = askerFacts(action, sources);
  const { table, before } = sources;
  const targets = targetsOf(setup.webhookCalls, state.mcp);
  const readPast = isOfCode(action) ? undefined : state.policy?.readPast;
  const reading = table && (await readPast?.(table, action, { ...sources, origin: asker.origin, targets }));
  if (before !== undefined) before.reading = reading;
  const file = isText(action) ? fileIn(action.text) : undefined;
  const words = file && (await (await loadParts()).documentWords(file, setup.documentText));
  // The words of a document that is sent on are searched like those of a text file.
  const read = typeof words !== 'string' ? action : { ...action, text: `${action.text ?? ''}\n${words}` };
  const passingRead = passingReadOf(action, sources);
  const permission = permissionOf(action, isPlainReply, {
    ...sources,
    passingRead,
    origin: asker.origin,
    shell,
    runner,
    targets,
    past: reading?.past,
  });
  const facts: Facts = {
    schemaVersion: 1,
    stage: sources.stage,
    now: sources.now,
    space: sources.space,
    actionHash: hash,
    isStopped: state.isStopped ?? false,
    flood: refused.flood ?? null,
    ...permission,
    isPlainReply,
    argumentProblems: await argumentProblemsOf(action, permission.tier === 'allow' ? withoutCard(sources) : sources),
    secrets: [...findConfiguredSecrets(read, setup.secrets ?? new Map())],
    network: await networkFacts(action, effects, sources),
    shell,
    ...defined({ codeProblem, runner, passingRead }),
    privacyTags: [...(setup.privacyTags ?? [])],
    isRefusedBefore: refused.refusedHashes?.has(hash) === true,
    isDeniedBefore: (refused.deniedHashes?.size ?? 0) > 0 && refused.deniedHashes?.has(deniedHash(action)) === true,
    knownUrls: knownUrlsOf(action, sources),
    budget: sources.budgetOf?.(action) ?? null,
    ...asker,
    approval: sources.approval ?? null,
    policyVersion: state.policyVersion,
    ...defined({
      consensus: action.author === 'model' ? sources.consensus : undefined,
      grant: sources.grantFor?.(action),
    }),
  };
  if (words === undefined) return nameEffects(action, facts, effects);
  // Few texts send a document on.
  const { judgeDocument } = await loadParts();
  return nameEffects(action, judgeDocument(read, words, facts), effects);
};

/** If nobody is asked, no file must be read for a card; once read, it would be outside text. */
const withoutCard = ({ reads = {}, ...sources }: FactSources): FactSources => {
  const { loadReadFile: _loadReadFile, ...others } = reads;
  return { ...sources, reads: others };
};

/** As their owner declares them. */
export const targetsOf = (webhookCalls?: Webhooks['webhookCalls'], mcp: McpCatalogue = NO_MCP): Targets => ({
  webhookCalls,
  findTool: (tool) => findMcpTool(mcp, tool),
});

const isReplyTo = (reply: ReplyRoute, action: Action): boolean => isText(action) && isSamePlace(placeOf(reply), action);

/** Undefined for anything but a tool that was let pass by name, and still declares to read only. */
const passingReadOf = (
  { tool = '', args = {}, author }: Action,
  { areOwnWords, state: { mcp = NO_MCP } }: FactSources,
): PassingRead | undefined => {
  if (areOwnWords === undefined || author !== 'model' || !isMcpTool(tool)) return undefined;
  const found = findMcpTool(mcp, tool);
  return found?.passes && found.declaresRead ? { isOwnWords: areOwnWords(args, found.inputSchema) } : undefined;
};

/** A text to a further chat of the job. */
const isCopy = (action: Action, { copies = [] }: Pick<FactSources, 'copies'>): boolean =>
  isText(action) && copies.some((copy) => isSamePlace(copy, action));

const declaredEffects = (action: Action): ToolEffects | undefined => {
  if (isText(action)) return undefined;
  return isMcpTool(action.tool) ? MCP_EFFECTS : findTool(action.tool ?? '')?.effects;
};

/** Only if rules would assume otherwise: the release before cannot read facts with effects. */
const nameEffects = (action: Action, facts: Facts, effects?: ToolEffects): Facts =>
  canonicalJson(effects ?? {}) === canonicalJson(effectsOf(action, facts))
    ? facts
    : { ...facts, ...defined({ effects }) };

/** The machine that the action names. A tool of runners has one, paired or not. */
const runnerOf = ({ tool, args = {} }: Action, { state }: FactSources): RunnerFacts | undefined => {
  if (!isRunnerTool(tool)) return undefined;
  const name = Object.hasOwn(args, 'runner') ? args.runner : undefined;
  return runnerFacts(state.runners ?? NO_RUNNERS, typeof name === 'string' ? name : '');
};

/** Loads the shell reader, which is large, for tools that run commands alone. */
export const shellFacts = async (
  { args = {} }: Action,
  { runsCommand = '' }: ToolEffects = {},
  { home }: Pick<RunnerFacts, 'home'> = { home: '/' },
): Promise<ShellFacts | null> => {
  const command = Object.hasOwn(args, runsCommand) ? args[runsCommand] : undefined;
  if (typeof command !== 'string') return null;
  const folder = Object.hasOwn(args, 'folder') && typeof args.folder === 'string' ? args.folder : '';
  return (await loadShellReader()).shellFactsOf(command, { folder, home });
};

const networkFacts = async (
  action: Action,
  effects: ToolEffects | undefined,
  sources: FactSources,
): Promise<NetworkFacts | null> => {
  const configuredUrl = configuredUrlOf(action, effects, sources);
  if (configuredUrl === undefined) return null;
  const { resolveAddresses, isLoopbackAllowed = false } = sources.setup ?? {};
  const addresses = configuredUrl === '' ? [] : await resolveAddresses?.(configuredUrl);
  return {
    isConfigured: configuredUrl !== '',
    configuredUrl,
    addresses: [...(addresses ?? [])].sort(),
    isLoopbackAllowed,
  };
};

/** @returns '' for a name that is not configured; undefined for an action that goes nowhere. */
const configuredUrlOf = (
  action: Action,
  { connectsTo }: ToolEffects = {},
  { stage, setup: { webhookUrls = {} } = {}, state: { mcp = NO_MCP, skillTargets } }: FactSources,
): string | undefined => {
  // Such a tool connects to an address that a person typed. Act judges the address, and connects.
  if (action.target === 'tool' && connectsTo !== undefined) {
    const url = action.args?.[connectsTo];
    return stage === 'act' && typeof url === 'string' ? url : undefined;
  }
  if (action.target !== 'webhook') return undefined;
  const urls = isMcpTool(action.tool) ? mcpUrls(mcp) : { ...skillTargets, ...webhookUrls };
  const name = action.to ?? '';
  return Object.hasOwn(urls, name) ? addressOf(urls[name] ?? '', action.args?.body) : '';
};

type Permission = Pick<Facts, 'isKnown' | 'tier' | 'policyReason' | 'isOffBySkill' | 'isCommandNamed'>;

type PermissionSources = Pick<
  FactSources,
  'space' | 'now' | 'origin' | 'session' | 'sensor' | 'isChosen' | 'copies'
> & {
  readonly state: Pick<SpaceState, 'policy' | 'mcp' | 'whyOff' | 'skillTargets'>;
} & {
  readonly shell?: ShellFacts | null;
  readonly runner?: RunnerFacts | undefined;
  readonly passingRead?: PassingRead | undefined;
  readonly past?: Past | undefined;
  /** With what they declare, or else what is taken for vouched; nothing if both are absent. */
  readonly targets?: Targets;
  readonly vouched?: Vouched;
};

const UNKNOWN: Permission = { isKnown: false, tier: 'deny', policyReason: '' };

/** The tier that the owner's policy gives an action, or else the default permissions. */
export const permissionOf = (action: Action, isPlainReply: boolean, sources: PermissionSources): Permission => {
  const isToText = isText(action);
  if (isToText && action.author === 'code') return { isKnown: true, tier: 'allow', policyReason: '' };
  // A text to somebody else is a call of this tool.
  const tool = isToText ? (isPlainReply ? undefined : sendMessage.name) : (action.tool ?? '');
  const offBecause = action.author === 'model' && tool !== undefined ? sources.state.whyOff?.(tool) : undefined;
  // This comes before the owner's policy: permitting a tool does not switch its skill on.
  if (offBecause !== undefined)
    return { isKnown: true, tier: 'deny', policyReason: offBecause, ...(STORES_CODES && { isOffBySkill: true }) };
  return isToText || isOffered(action, sources) ? rulePermission(action, isPlainReply, sources) : UNKNOWN;
};

/** The same for an action that is known. `policy try` calls it for what was judged before. */
export const rulePermission = (action: Action, isPlainReply: boolean, sources: PermissionSources): Permission => {
  const { space, now, origin, session = '', shell, runner, past, targets, vouched, isChosen } = sources;
  const { policy = NO_POLICY } = sources.state;
  const ruling = policy.rule({ space, action, targets, vouched, origin, session, now, isPlainReply, shell, past });
  const { reason: policyReason, isCommandNamed } = ruling;
  const ruled = afterConsent(action, { origin, isChosen }, ruling.tier ?? usualTier(action, isPlainReply, sources));
  const isUnseen = shell?.class === 'unseen' && !maySkipQuestion({ isCommandNamed, origin, runner });
  const tier = isUnseen && ruled === 'allow' ? 'ask' : ruled;
  return ofJob(action, { isKnown: true, tier, policyReason, ...(isCommandNamed && { isCommandNamed }) }, sources);
};

type Consent = { readonly origin: Origin; readonly isChosen?: boolean | undefined };

const afterConsent = (action: Action, consent: Consent, tier: Permission['tier']): Permission['tier'] => {
  // No rule answers a question for a person.
  if (action.tool === askPerson.name && tier === 'allow') return 'ask';
  return tier === 'ask' && (isOwnCommand(action, consent) || isNews(action)) ? 'allow' : tier;
};

const usualTier = (
  action: Action,
  isPlainReply: boolean,
  { shell, passingRead }: Pick<PermissionSources, 'shell' | 'passingRead'>,
): Permission['tier'] => {
  if (isText(action)) return isPlainReply ? 'allow' : 'ask';
  // Another server's tool is asked about, but for reads that the owner let pass.
  if (isMcpTool(action.tool)) return passingRead === undefined ? 'ask' : 'allow';
  return classTier(shell?.class) ?? findTool(action.tool ?? '')?.tier ?? 'deny';
};

/** A call of the webhook that gets the job's result, with nothing but that result. */
const isResultCall = ({ tool, to = '', args }: Action, sources: PermissionSources): boolean => {
  const { copies = [], session = '', state } = sources;
  const body = args?.body;
  const isResult =
    typeof body === 'object' && body !== null && 'job' in body && 'text' in body && Object.keys(body).length === 2;
  const isWebhook = copies.some((copy) => copy.target === 'webhook' && copy.to === to);
  // The yes to a job is for a configured webhook. A skill may bring one of its name later.
  const isConfigured = !Object.hasOwn(state.skillTargets ?? {}, to);
  return tool === 'call-webhook' && isWebhook && isConfigured && isResult && body.job === jobOf(session);
};

/**
 * A job may read, remember and give its result. Everything else asks at least: only a grant that
 * names the job, no policy, answers for a person who is not there.
 */
const ofJob = (action: Action, usual: Permission, sources: PermissionSources): Permission => {
  if (jobOf(sources.session ?? '') === undefined || isText(action) || usual.tier === 'deny') return usual;
  // An approver approved this call with the job, so nobody is asked again.
  if (isResultCall(action, sources)) return { ...usual, tier: 'allow' };
  const tool = findTool(action.tool ?? '');
  // A runner reads the owner's own files, and nobody is there to see it.
  const isOutside = isMcpTool(action.tool) || isRunnerTool(action.tool);
  const isNarrow = !isOutside && (tool?.kind === 'read' || tool?.isMaintenance === true || action.tool === 'remember');
  return isNarrow ? usual : { ...usual, tier: 'ask' };
};

/** A command that only reads needs nobody's yes. The gates ask about or stop the worst ones. */
export const classTier = (found: CommandClass | undefined): Permission['tier'] | undefined =>
  found === undefined ? undefined : found === 'reads' ? 'allow' : 'ask';

/** Signals whose turns may call a tool of built-in maintenance. */
const MAINTENANCE_SENSORS: readonly string[] = ['job-due', 'run-step'];

/** A model cannot call tools that are for people only, or for another kind of turn. */
const isOffered = ({ tool = '', author }: Action, { sensor, state: { mcp = NO_MCP } }: PermissionSources): boolean => {
  if (isMcpTool(tool)) return author === 'model' && findMcpTool(mcp, tool) !== undefined;
  const found = findTool(tool);
  if (found?.onlyFor !== undefined) return found.onlyFor === sensor;
  if (found?.isMaintenance === true) return MAINTENANCE_SENSORS.some((one) => one === sensor);
  return found !== undefined && (author !== 'model' || found.isForPeople !== true);
};

/**
 * The owner typed this command, which is his yes: it answers a question of his policy and of the
 * defaults alike, and lifts no denial. Only code sets the author, for a signal that its ingress
 * authenticated. A tool that always asks shows a card, on which there is more to read; the job of a
 * choice was all in the question.
 */
const isOwnCommand = (action: Action, { origin, isChosen = false }: Consent): boolean =>
  isTyped(action) && origin === 'owner' && (isChosen || findTool(action.tool ?? '')?.isAlwaysAsked !== true);

/** An approver subscribed the webhook. Only code writes from a template. */
const isNews = ({ author, template }: Action): boolean => author === 'code' && template === CARRIES_NEWS;

/** The knowledge for the forms of tools. */
export type FormSources = Pick<FactSources, 'now' | 'zone' | 'reply' | 'session' | 'reads' | 'setup'> & {
  readonly state?: Partial<SpaceState>;
};

export const formContext = ({ now, zone = 'UTC', reply, session, reads, setup, state }: FormSources): FormContext => ({
  loadJob: async () => undefined,
  loadNotes: async () => new Map(),
  ...reads,
  now,
  zone,
  reply,
  session,
  whyOff: state?.whyOff,
  webhookUrls: setup?.webhookUrls,
  webhookCalls: setup?.webhookCalls,
  places: state?.places,
  runners: state?.runners ?? NO_RUNNERS,
});

const argumentProblemsOf = async (action: Action, sources: FactSources): Promise<string[]> => {
  const { mcp = NO_MCP } = sources.state;
  const remote = isMcpTool(action.tool) ? findMcpTool(mcp, action.tool ?? '') : undefined;
  if (remote !== undefined) {
    // Most turns call no other server.
    const { mcpArgumentProblems } = await import('../tools/mcp/arguments.ts');
    return [...mcpArgumentProblems(remote.inputSchema, action.args ?? {})];
  }
  const tool = isText(action) ? undefined : findTool(action.tool ?? '');
  if (tool === undefined) return [];
  const form = await tool.loadForm?.();
  const args = action.args ?? {};
  return [...(form === undefined ? argumentProblems(tool, args) : await form.findProblems(args, formContext(sources)))];
};

const knownUrlsOf = (action: Action, { origin, listedLinks = [] }: FactSources): string[] =>
  origin === 'outside' && isText(action) && action.author !== 'code' ? firstListed(action.text ?? '', listedLinks) : [];

/** Code's own texts are trusted. A member's request counts as untrusted, whatever else was read. */
const askerFacts = (
  action: Action,
  { origin, askedBy = 'member', isMemoryShown = false, state: { chatMemory = 'closed' } }: FactSources,
): Pick<Facts, 'origin' | 'askedBy' | 'chatMemory' | 'isMemoryShown'> =>
  isOfCode(action)
    ? { origin: 'agent', askedBy: 'approver', chatMemory: 'open', isMemoryShown: false }
    : { origin: askedBy === 'member' ? 'outside' : origin, askedBy, chatMemory, isMemoryShown };

const codeProblemOf = async (action: Action, effects?: ToolEffects): Promise<Facts['codeProblem']> => {
  const { code, source, script } = action.args ?? {};
  // Most turns propose no code.
  if ([code, source, script, effects?.writesFiles].every((one) => one === undefined)) return undefined;
  const [{ proposedCode }, { findCodeProblem }] = await Promise.all([
    import('./code/proposed-code.ts'),
    import('./code/find-code-problem.ts'),
  ]);
  const proposed = proposedCode(action, effects);
  return proposed && findCodeProblem(proposed);
};
