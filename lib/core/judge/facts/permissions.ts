/**
 * The permission of an action: the tier that the owner's policy gives it, or else its default. A
 * policy that counts earlier actions reads them here. Nothing lifts a denial.
 */

import { maySkipQuestion } from '../../gates/rules/command-class.ts';
import { jobOf } from '../../money/day-spend.ts';
import { type Action, isText } from '../../signal/action.ts';
import type { CommandClass, Facts, PassingRead, RunnerFacts, ShellFacts } from '../../signal/facts.ts';
import { CARRIES_NEWS, isOfCode, isTyped } from '../../signal/ids.ts';
import { DELEGATE } from '../../signal/job-run.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';
import { isRunnerTool } from '../../signal/runner-tools.ts';
import type { Origin } from '../../signal/signal.ts';
import { findTool } from '../../tools/catalogue.ts';
import { findMcpTool, NO_MCP } from '../../tools/mcp-catalogue.ts';
import { sendMessage } from '../../tools/send-message.ts';
import type { Targets } from '../declared.ts';
import { targetsOf } from '../declared.ts';
import type { FactSources, SpaceState } from '../fact-sources.ts';
import type { Past, Vouched } from '../space-policy.ts';
import { NO_POLICY } from '../space-policy.ts';

type Permission = Pick<Facts, 'isKnown' | 'tier' | 'policyReason' | 'isOffBySkill' | 'isCommandNamed'>;

type PermissionSources = Pick<FactSources, 'space' | 'now' | 'origin' | 'session' | 'sensor' | 'turn' | 'copies'> & {
  readonly state: Pick<SpaceState, 'policy' | 'mcp' | 'whyOff' | 'brought'>;
} & {
  readonly shell?: ShellFacts | null;
  readonly runner?: RunnerFacts | undefined;
  readonly passingRead?: PassingRead | undefined;
  readonly past?: Past | 'none' | undefined;
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
  if (offBecause !== undefined) return { isKnown: true, tier: 'deny', policyReason: offBecause, isOffBySkill: true };
  return isToText || isOffered(action, sources) ? rulePermission(action, isPlainReply, sources) : UNKNOWN;
};

/** The same for an action that is known. `policy try` calls it for what was judged before. */
export const rulePermission = (action: Action, isPlainReply: boolean, sources: PermissionSources): Permission => {
  const { space, now, origin, session = '', shell, runner, past, targets, vouched, turn } = sources;
  const { policy = NO_POLICY } = sources.state;
  const ruling = policy.rule({ space, action, targets, vouched, origin, session, now, isPlainReply, shell, past });
  const { reason: policyReason, isCommandNamed } = ruling;
  const ruled = afterConsent(
    action,
    { origin, isChosen: turn?.isChosen },
    ruling.tier ?? usualTier(action, isPlainReply, sources),
  );
  const isUnseen = shell?.class === 'unseen' && !maySkipQuestion({ isCommandNamed, origin, runner });
  const tier = isUnseen && ruled === 'allow' ? 'ask' : ruled;
  return ofJob(action, { isKnown: true, tier, policyReason, ...(isCommandNamed && { isCommandNamed }) }, sources);
};

type Consent = { readonly origin: Origin; readonly isChosen?: boolean | undefined };

const afterConsent = (action: Action, consent: Consent, tier: Permission['tier']): Permission['tier'] => {
  // No rule answers a question for a person.
  if (tier === 'allow' && findTool(action.tool ?? '')?.isQuestion === true) return 'ask';
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
  const isConfigured = !Object.hasOwn(state.brought ?? {}, to);
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
  const isOurs = tool?.kind === 'read' || tool?.isMaintenance === true;
  const isNarrow = !isOutside && (isOurs || action.tool === 'remember' || action.tool === DELEGATE);
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

/** Reads the past if a rule asks for it: it is not asked about texts that code wrote. */
export const gatherPermission = async (
  action: Action,
  sources: PermissionSources & Pick<FactSources, 'zone' | 'setup' | 'earlier'>,
  { origin, isPlainReply, shell, runner, passingRead }: Facts,
): Promise<Permission> => {
  const { setup, state, earlier } = sources;
  const targets = targetsOf(setup?.webhookCalls, state.mcp);
  const readPast = isOfCode(action) ? undefined : state.policy?.readPast;
  const moment = { ...sources, before: earlier?.before, origin, targets };
  const reading = earlier && (await readPast?.(earlier.table, action, moment));
  if (earlier?.before !== undefined) earlier.before.reading = reading;
  return permissionOf(action, isPlainReply, { ...moment, passingRead, shell, runner, past: reading?.past });
};
