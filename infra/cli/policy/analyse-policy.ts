/**
 * Finds out what a policy amounts to by going through its whole finite domain: every action,
 * origin, hour, and plain reply or not. Arguments, texts and addresses are left open; Cedar's
 * partial evaluation says of each rule whether it matches, may match or cannot. Names rules that
 * never match or never take effect, actions that are always denied, and rules that contradict each
 * other.
 */
import { type ParsedPolicy, type PolicyRule, parsePolicy, policySetOf } from '../../../lib/judge/policy/cedar.ts';
import {
  actionUid,
  agentUid,
  groupsOf,
  ORIGINS,
  POLICY_TOOLS,
  recipientUid,
  TEXT_ACTIONS,
} from '../../../lib/judge/policy/policy-domain.ts';
import type { Cedar } from '../../../lib/judge/policy/space-policy.ts';

export interface PolicyFindings {
  /** Parse and type errors with their place. If there are any, nothing else is looked at. */
  readonly problems: readonly string[];
  /** Rules that can never match. */
  readonly never: readonly string[];
  /** Rules that match, but never decide anything. */
  readonly idle: readonly string[];
  /** Actions whose every call is forbidden. */
  readonly alwaysDenied: readonly string[];
  /** Pairs of rules that say different things about the same action. */
  readonly overlaps: readonly string[];
}

interface Point {
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
const UNKNOWN_FACTS = ['session', 'args', 'text', 'class', 'programs', 'past'] as const;

const evaluatePoint = (
  cedar: Cedar,
  rules: readonly PolicyRule[],
  action: string,
  origin: string,
  hour: number,
  isPlainReply: boolean,
): Point => {
  const target = POLICY_TOOLS.find((tool) => tool.name === action)?.target ?? action;
  const answer = cedar.isAuthorizedPartial({
    principal: agentUid('space'),
    action: actionUid(action),
    resource: recipientUid('any'),
    context: {
      ...Object.fromEntries(UNKNOWN_FACTS.map((name) => [name, unknown(name)])),
      hour,
      isPlainReply,
    },
    policies: policySetOf(rules),
    entities: [
      { uid: agentUid('space'), attrs: { origin: { __entity: { type: 'Origin', id: origin } } }, parents: [] },
      { uid: recipientUid('any'), attrs: { target, name: unknown('name'), url: unknown('url') }, parents: [] },
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

/** Every action that a policy can name. */
export const policyActions = (): readonly string[] => [...POLICY_TOOLS.map(({ name }) => name), ...TEXT_ACTIONS];

const pointsOf = (cedar: Cedar, text: string, rules: readonly PolicyRule[]): readonly Point[] => {
  // Lines with only a comment do not count: those of the default policy explain the word.
  const hours = text.replaceAll(/^\s*\/\/.*$/gm, '').includes('hour')
    ? Array.from({ length: 24 }, (_, hour) => hour)
    : [12];
  return policyActions().flatMap((action) =>
    ORIGINS.flatMap((origin) =>
      hours.flatMap((hour) =>
        (groupsOf(action).includes('any-text') ? [false, true] : [false]).map((isPlainReply) =>
          evaluatePoint(cedar, rules, action, origin, hour, isPlainReply),
        ),
      ),
    ),
  );
};

const kindOf = (rule: PolicyRule): 'forbid' | 'ask' | 'permit' =>
  rule.effect === 'forbid' ? 'forbid' : rule.isAsk ? 'ask' : 'permit';

/** Kinds of rules that win over a kind wherever they match for sure. */
const STRONGER = { forbid: [], ask: ['forbid'], permit: ['forbid', 'ask'] } as const;

const idleLine = (rule: PolicyRule, rules: readonly PolicyRule[], points: readonly Point[]): string | undefined => {
  const own = points.filter((point) => point.possible.has(rule.policyId));
  if (own.length === 0) return undefined;
  const kinds: readonly string[] = STRONGER[kindOf(rule)];
  const stronger = rules.filter((other) => kinds.includes(kindOf(other)));
  const winners = stronger.filter((other) => own.some((point) => point.sure.has(other.policyId)));
  const isIdle = own.every((point) => stronger.some((other) => point.sure.has(other.policyId)));
  return isIdle ? `${rule.name}: ${winners.map(({ name }) => name).join(', ')} always wins over it` : undefined;
};

const conditionsOf = (cedar: Cedar, { text }: PolicyRule): readonly (readonly [string, string])[] => {
  const parsed = cedar.policyToJson(text);
  const conditions = parsed.type === 'success' ? parsed.json.conditions : [];
  return conditions.map(({ kind, body }) => [kind, JSON.stringify(body)]);
};

/** Whether one demands what the other excludes, word for word: then they never match together. */
const excludeEachOther = (cedar: Cedar, left: PolicyRule, right: PolicyRule): boolean =>
  conditionsOf(cedar, left).some(([kind, body]) =>
    conditionsOf(cedar, right).some(([otherKind, otherBody]) => kind !== otherKind && body === otherBody),
  );

const overlapLine = (
  cedar: Cedar,
  left: PolicyRule,
  right: PolicyRule,
  points: readonly Point[],
): string | undefined => {
  if (kindOf(left) === kindOf(right) || excludeEachOther(cedar, left, right)) return undefined;
  const both = points.filter(({ possible }) => possible.has(left.policyId) && possible.has(right.policyId));
  const actions = [...new Set(both.map(({ action }) => action))];
  if (actions.length === 0) return undefined;
  const kinds = [kindOf(left), kindOf(right)];
  const winner = kinds.includes('forbid') ? 'forbid' : 'ask';
  return `${left.name} (${kinds[0]}) and ${right.name} (${kinds[1]}) both speak about ${actions.join(', ')}: ${winner} wins`;
};

const deniedLine = (action: string, rules: readonly PolicyRule[], points: readonly Point[]): string | undefined => {
  const forbids = rules.filter((rule) => rule.effect === 'forbid');
  const own = points.filter((point) => point.action === action);
  const isDenied = own.every(({ sure }) => forbids.some(({ policyId }) => sure.has(policyId)));
  const by = forbids.filter(({ policyId }) => own.some(({ sure }) => sure.has(policyId)));
  return isDenied && by.length > 0 ? `${action}, by ${by.map(({ name }) => name).join(', ')}` : undefined;
};

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

/** Pure but for the engine's caches. */
export const analysePolicy = (
  cedar: Cedar,
  text: string,
  parsed: ParsedPolicy = parsePolicy(cedar, text),
): PolicyFindings => {
  const { rules, problems } = parsed;
  if (problems.length > 0) return { problems, never: [], idle: [], alwaysDenied: [], overlaps: [] };
  const points = pointsOf(cedar, text, rules);
  const canMatch = (rule: PolicyRule): boolean =>
    !parsed.impossible.has(rule.policyId) && points.some((point) => point.possible.has(rule.policyId));
  const live = rules.filter(canMatch);
  return {
    problems,
    never: rules.filter((rule) => !canMatch(rule)).map((rule) => `${rule.name} (line ${rule.line})`),
    idle: live.map((rule) => idleLine(rule, live, points)).filter(isDefined),
    alwaysDenied: policyActions()
      .map((action) => deniedLine(action, live, points))
      .filter(isDefined),
    overlaps: live
      .flatMap((left, at) => live.slice(at + 1).map((right) => overlapLine(cedar, left, right, points)))
      .filter(isDefined),
  };
};
