/**
 * The things a policy can talk about: the agent and the origin of its input, tools and channels as
 * actions, the recipient, arguments and facts. The Cedar schema and the requests are both built
 * here from the tool catalogue, so that they agree. Fractions and nested values travel as their
 * JSON text, because Cedar has neither. Pure.
 */

import * as z from 'zod/mini';
import { canonicalJson, hashOf } from '../../core/base/canonical.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import type { JsonObject } from '../../core/base/json.ts';
import { MCP_ROW } from '../../core/gates/rules/access-table.ts';
import { NO_TARGETS } from '../../core/judge/declared.ts';
import type { Counts, Past, PolicyRequest } from '../../core/judge/space-policy.ts';
import { type Action, isText } from '../../core/signal/action.ts';
import { ChannelId } from '../../core/signal/channels.ts';
import type { Origin } from '../../core/signal/signal.ts';
import { TOOLS } from '../../core/tools/catalogue.ts';
import { MCP_EFFECTS } from '../../core/tools/mcp-catalogue.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { AMOUNT_MAX, policyActionOf, vouchedOf } from './vouched.ts';

export const ORIGINS = ['owner', 'agent', 'outside'] as const satisfies readonly Origin[];
/** The channels of texts. Each is an action. */
export const TEXT_ACTIONS = [...ChannelId.options, 'system'] as const;

export type PolicyTool = Pick<Tool, 'name' | 'args' | 'target' | 'tier' | 'effects'>;

const SOMETHING = z.string().check(z.regex(/\S/));

/** Stands for every tool of another server; no model is offered it under this name. */
const MCP_CALL: PolicyTool = {
  name: MCP_ROW,
  args: z.strictObject({ server: SOMETHING, tool: SOMETHING }),
  target: 'tool',
  tier: 'ask',
  effects: MCP_EFFECTS,
};

/** All that a policy can name. */
export const POLICY_TOOLS: readonly PolicyTool[] = [...TOOLS.filter(({ target }) => target !== 'text'), MCP_CALL];

const findPolicyTool = (name: string): PolicyTool | undefined => POLICY_TOOLS.find((tool) => tool.name === name);

/** Stands for never. */
export const NEVER_MINUTES = 1_000_000;

export const NO_COUNTS: Counts = {
  ...{ hour: 0, day: 0, minutesSince: NEVER_MINUTES, inFlight: 0, denied: 0 },
  ...{ approved: 0, approvedTurn: 0, approvedHere: 0, amount: 0 },
};
/** Nothing was done yet, at noon. */
export const NO_PAST: Past = {
  tool: { ...NO_COUNTS, failedTo: '' },
  to: { ...NO_COUNTS, isFirst: true },
  same: { ...NO_COUNTS, ever: 0 },
  minutesSinceOutside: NEVER_MINUTES,
  localHour: 12,
};

type CedarType = 'String' | 'Long' | 'Bool' | 'Set<String>';

interface ArgumentType {
  readonly name: string;
  readonly type: CedarType;
  readonly isOptional: boolean;
}

const typeOf = (schema: z.core.$ZodType): CedarType => {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault)
    return typeOf(schema._zod.def.innerType);
  if (schema instanceof z.ZodMiniNumberFormat) return 'Long';
  if (schema instanceof z.ZodMiniBoolean) return 'Bool';
  const isTexts = schema instanceof z.ZodMiniArray && schema._zod.def.element instanceof z.ZodMiniString;
  return isTexts ? 'Set<String>' : 'String';
};

export const argumentTypes = (tool: PolicyTool): readonly ArgumentType[] => {
  if (!(tool.args instanceof z.ZodMiniObject)) return [];
  const shape: Readonly<Record<string, z.core.$ZodType>> = tool.args._zod.def.shape;
  return Object.entries(shape).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    isOptional: schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault,
  }));
};

const FACTS = 'session: String, hour: Long, isPlainReply: Bool, amount: Long, past: Past';
const COUNTS = Object.keys(NO_COUNTS)
  .map((name) => `${name}: Long`)
  .join(', ');
const PAST_TYPE = `type Past = { tool: { ${COUNTS}, failedTo: String }, to: { ${COUNTS}, isFirst: Bool }, same: { ${COUNTS}, ever: Long }, minutesSinceOutside: Long, localHour: Long };`;
/** The facts about a tool that runs commands, besides its arguments. */
const COMMAND_FACTS = 'class: String, programs: Set<String>';

const runsCommands = ({ effects }: PolicyTool): boolean => effects?.runsCommand !== undefined;

const toolDeclaration = (tool: PolicyTool): string => {
  const args = argumentTypes(tool).map(
    ({ name, type, isOptional }) => `${JSON.stringify(name)}${isOptional ? '?' : ''}: ${type}`,
  );
  const group = tool.target === 'webhook' ? 'any-webhook' : 'any-tool';
  const facts = runsCommands(tool) ? `${FACTS}, ${COMMAND_FACTS}` : FACTS;
  return `action ${JSON.stringify(tool.name)} in ["${group}"] appliesTo { principal: Agent, resource: Recipient, context: { ${facts}, args: { ${args.join(', ')} } } };`;
};

/** The schema in Cedar's notation. `policy init` shows it to owners. */
const buildPolicySchema = (tools: readonly PolicyTool[] = POLICY_TOOLS): string =>
  [
    PAST_TYPE,
    'entity Origin enum ["owner", "agent", "outside"];',
    'entity Agent = { origin: Origin };',
    'entity Recipient = { target: String, name: String, url: String };',
    'action "any-tool";',
    'action "any-webhook" in ["any-tool"];',
    'action "any-text";',
    ...tools.map(toolDeclaration),
    ...TEXT_ACTIONS.map(
      (name) =>
        `action "${name}" in ["any-text"] appliesTo { principal: Agent, resource: Recipient, context: { ${FACTS}, text: String } };`,
    ),
  ].join('\n');

export const POLICY_SCHEMA = buildPolicySchema();

/** The past that a request tells. */
export const pastIn = ({ past }: PolicyRequest): Past => (past === undefined || past === 'none' ? NO_PAST : past);

/** Hash of a policy with the schema it is judged by; empty for no policy. Part of I5's version. */
export const policyHash = (text: string): string =>
  text === '' ? '' : hashOf('policy', { text, schema: POLICY_SCHEMA });

type CedarValue = string | number | boolean | string[];

const valueFor = (type: CedarType, value: unknown): CedarValue => {
  const isFit =
    type === 'Long'
      ? Number.isSafeInteger(value)
      : type === 'Bool'
        ? typeof value === 'boolean'
        : typeof value === 'string';
  if (type === 'Set<String>' && Array.isArray(value)) return value.map(String);
  if (isFit && (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')) return value;
  if (type === 'String') return canonicalJson(value);
  throw new ProtocolError('an argument has not the type the policy knows it by');
};

const argsFor = (tool: PolicyTool, args: JsonObject): Record<string, CedarValue> =>
  Object.fromEntries(
    argumentTypes(tool)
      .filter(({ name }) => Object.hasOwn(args, name) && args[name] !== undefined)
      .map(({ name, type }) => [name, valueFor(type, args[name])]),
  );

/** The name of an action in a policy: its tool, or its channel. */
export const policyActionName = (action: Action): string =>
  isText(action) ? action.target : (policyActionOf(action, NO_TARGETS).tool ?? '');

/** The groups of an action, nearest first. */
export const groupsOf = (name: string): readonly string[] => {
  const tool = findPolicyTool(name);
  if (tool === undefined) return ['any-text'];
  return tool.target === 'webhook' ? ['any-webhook', 'any-tool'] : ['any-tool'];
};

/** @throws ProtocolError if an argument does not fit its type: nothing may be judged then */
export const buildContext = (
  request: PolicyRequest,
): Record<string, CedarValue | Record<string, CedarValue | Record<string, CedarValue>>> => {
  const { action: whole, session, now, isPlainReply, shell, targets = NO_TARGETS } = request;
  const { recipient, amount = AMOUNT_MAX } = request.vouched ?? vouchedOf(whole, targets);
  const { tool: byTool, to, same, ...past } = pastIn(request);
  // A fact without a source has the value that a rule stops: the largest amount, a new recipient.
  const open = amount === AMOUNT_MAX ? { amount } : {};
  const facts = {
    ...{ session, hour: new Date(now).getUTCHours(), isPlainReply, amount },
    past: {
      ...past,
      tool: { ...byTool, ...open },
      to: { ...to, ...open, isFirst: to.isFirst || recipient === undefined },
      same: { ...same, ...open },
    },
  };
  const action = policyActionOf(whole, targets);
  const tool = isText(action) ? undefined : findPolicyTool(action.tool ?? '');
  if (tool === undefined) return { ...facts, text: action.text ?? '' };
  // A command that nobody looked into has the worst class.
  const command = runsCommands(tool) ? { class: shell?.class ?? 'unseen', programs: shell?.programs ?? [] } : {};
  return { ...facts, ...command, args: argsFor(tool, action.args ?? {}) };
};

export const agentUid = (space: string) => ({ type: 'Agent', id: space });
export const actionUid = (name: string) => ({ type: 'Action', id: name });
export const recipientUid = (name: string) => ({ type: 'Recipient', id: name });

/** The agent and the recipient, with their attributes. */
export const buildEntities = (space: string, origin: Origin, to: { target: string; name: string; url: string }) => [
  { uid: agentUid(space), attrs: { origin: { __entity: { type: 'Origin', id: origin } } }, parents: [] },
  { uid: recipientUid(to.name), attrs: to, parents: [] },
];
