/**
 * Goes through the whole finite domain of a policy: every action, origin, hour, and plain reply or
 * not. Arguments, texts, addresses and the past are left open; Cedar's partial evaluation says of
 * each rule whether it matches, may match or cannot. Says how far each action reaches, and what a
 * new policy makes possible that was not. Pure but for the engine's caches.
 */

import { isFurther, type Reach, sayReach } from '../../core/approvals/say-reach.ts';
import type { Cedar } from '../../core/judge/code/cedar-engine.ts';
import type { Tier } from '../../core/judge/space-policy.ts';
import { type PolicyRule, parsePolicy, policySetOf } from './cedar.ts';
import { actionUid, agentUid, groupsOf, ORIGINS, POLICY_TOOLS, recipientUid, TEXT_ACTIONS } from './policy-domain.ts';

export interface Point {
  readonly action: string;
  /** Rules that match for sure, and rules that may match. */
  readonly sure: ReadonlySet<string>;
  readonly possible: ReadonlySet<string>;
}

const unknown = (name: string) => ({ __extn: { fn: 'unknown', arg: name } });

type Residual = { readonly conditions: readonly { readonly kind: string; readonly body: unknown }[] };

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** Truth of a condition after partial evaluation, if it depends on nothing open. */
const truthOf = (body: unknown): boolean | undefined => {
  const value = member(body, 'Value');
  if (typeof value === 'boolean') return value;
  for (const [operator, dominant] of [
    ['&&', false],
    ['||', true],
  ] as const) {
    const both = member(body, operator);
    if (both === undefined) continue;
    const sides = [truthOf(member(both, 'left')), truthOf(member(both, 'right'))];
    if (sides.includes(dominant)) return dominant;
    return sides.every((side) => side === !dominant) ? !dominant : undefined;
  }
  const negated = member(body, '!');
  const inner = negated === undefined ? undefined : truthOf(member(negated, 'arg'));
  return inner === undefined ? undefined : !inner;
};

const isImpossible = ({ conditions }: Residual): boolean =>
  conditions.some(({ kind, body }) => truthOf(body) === (kind === 'unless'));

/** Left open at a point. */
const openFacts = Object.fromEntries(
  ['session', 'args', 'text', 'class', 'programs', 'amount', 'past'].map((name) => [name, unknown(name)]),
);

interface ReachQuestion {
  readonly action: string;
  readonly origin: string;
  readonly hour: number | ReturnType<typeof unknown>;
  readonly isPlainReply: boolean;
  /** Any if absent. */
  readonly call?: CallOf;
}

/** A call of one target, whatever else it says. */
interface CallOf {
  readonly action: string;
  readonly to: string;
  readonly args: Readonly<Record<string, string>>;
}

const evaluatePoint = (
  cedar: Cedar,
  policies: ReturnType<typeof policySetOf>,
  { action, origin, hour, isPlainReply, call }: ReachQuestion,
): Point => {
  const target = POLICY_TOOLS.find((tool) => tool.name === action)?.target ?? action;
  const to = call?.to ?? 'any';
  const known = call === undefined ? {} : { args: { ...call.args, body: unknown('body') } };
  const answer = cedar.isAuthorizedPartial({
    principal: agentUid('space'),
    action: actionUid(action),
    resource: recipientUid(to),
    context: { ...openFacts, ...known, hour, isPlainReply },
    policies,
    entities: [
      { uid: agentUid('space'), attrs: { origin: { __entity: { type: 'Origin', id: origin } } }, parents: [] },
      { uid: recipientUid(to), attrs: { target, name: call?.to ?? unknown('name'), url: unknown('url') }, parents: [] },
      { uid: actionUid(action), attrs: {}, parents: groupsOf(action).map(actionUid) },
      ...['any-tool', 'any-webhook', 'any-text'].map((group) => ({ uid: actionUid(group), attrs: {}, parents: [] })),
    ],
  });
  if (answer.type === 'failure') return { action, sure: new Set(), possible: new Set() };
  const { satisfied, nontrivialResiduals, residuals } = answer.response;
  const open = nontrivialResiduals.filter((id) => {
    const residual = residuals[id];
    return residual === undefined || !isImpossible(residual);
  });
  return { action, sure: new Set(satisfied), possible: new Set([...satisfied, ...open]) };
};

export const policyActions = (): readonly string[] => [...POLICY_TOOLS.map(({ name }) => name), ...TEXT_ACTIONS];

const HOURS: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour);

/** One hour for all that the rules do not tell apart: of each rule the same is left. */
const hoursOf = (cedar: Cedar, rules: readonly PolicyRule[]): readonly number[] => {
  const policies = policySetOf(rules.filter(({ namesHour }) => namesHour));
  const leftAt = (hour: number): string => {
    const context = { ...openFacts, isPlainReply: unknown('isPlainReply'), hour };
    const answer = cedar.isAuthorizedPartial({
      ...{ principal: null, action: null, resource: null },
      ...{ context, policies, entities: [] },
    });
    // If the engine fails, the hour stands for itself.
    if (answer.type === 'failure') return `${hour}`;
    return JSON.stringify(Object.entries(answer.response.residuals).sort(([left], [right]) => (left < right ? -1 : 1)));
  };
  return [...Map.groupBy(HOURS, leftAt).values()].flatMap((same) => same.slice(0, 1));
};

export const pointsOf = (cedar: Cedar, rules: readonly PolicyRule[], actions = policyActions()): readonly Point[] => {
  const hours = hoursOf(cedar, rules);
  return actions.flatMap((action) => {
    const policies = policySetOf(rules.filter((rule) => rule.action === undefined || rule.action === action));
    return ORIGINS.flatMap((origin) =>
      hours.flatMap((hour) =>
        (groupsOf(action).includes('any-text') ? [false, true] : [false]).map((isPlainReply) =>
          evaluatePoint(cedar, policies, { action, origin, hour, isPlainReply }),
        ),
      ),
    );
  });
};

/** Whether a rule may match a call of this target, whoever asks for it and whatever it says. */
export const canReach = (cedar: Cedar, rule: PolicyRule, call: CallOf): boolean =>
  ORIGINS.some((origin) => {
    const asked = { action: call.action, origin, hour: unknown('hour'), isPlainReply: false, call };
    return evaluatePoint(cedar, policySetOf([rule]), asked).possible.has(rule.policyId);
  });

export const kindOf = (rule: PolicyRule): 'forbid' | 'ask' | 'permit' =>
  rule.effect === 'forbid' ? 'forbid' : rule.isAsk ? 'ask' : 'permit';

/** The result for an action if no rule speaks: the furthest of its calls. */
const usualReach = (action: string): Tier => {
  if (groupsOf(action).includes('any-text')) return 'allow';
  const tool = POLICY_TOOLS.find(({ name }) => name === action);
  // A command that only reads passes.
  return tool?.effects?.runsCommand === undefined ? (tool?.tier ?? 'deny') : 'allow';
};

/** The furthest that one call of each action may come. */
const reachOf = (cedar: Cedar, text: string, actions?: readonly string[]): Reach => {
  const { rules } = parsePolicy(cedar, text);
  const kinds = new Map(rules.map((rule) => [rule.policyId, kindOf(rule)]));
  const tierAt = ({ action, sure, possible }: Point): Tier => {
    const [surely, maybe] = [sure, possible].map((ids) => new Set([...ids].map((id) => kinds.get(id))));
    if (surely?.has('forbid')) return 'deny';
    if (surely?.has('ask')) return 'ask';
    const silent = sure.size === 0 ? usualReach(action) : 'deny';
    const ruled = maybe?.has('permit') ? 'allow' : maybe?.has('ask') ? 'ask' : 'deny';
    return isFurther(ruled, silent) ? ruled : silent;
  };
  const reach = new Map<string, Tier>();
  for (const point of pointsOf(cedar, rules, actions)) {
    const tier = tierAt(point);
    if (isFurther(tier, reach.get(point.action) ?? 'deny') || !reach.has(point.action)) reach.set(point.action, tier);
  }
  return reach;
};

/**
 * Kinds of action that a policy makes possible, or ends, in plain words. Both texts must parse.
 *
 * @param actions the only ones that the change can reach; all if absent
 */
export const sayNewReach = (
  cedar: Cedar,
  before: string,
  after: string,
  actions?: readonly string[],
  mark?: (line: string) => string,
): readonly string[] => sayReach(reachOf(cedar, before, actions), reachOf(cedar, after, actions), mark);
