/** Sums up a policy, by its whole finite domain (`policy-reach.ts`). */

import type { Cedar } from '../../../lib/core/judge/code/cedar-engine.ts';
import { type PolicyRule, parsePolicy } from '../../../lib/features/policy/cedar.ts';
import { findUndeclared, NONE_SHOWN, type ShownTargets } from '../../../lib/features/policy/find-undeclared.ts';
import { kindOf, type Point, pointsOf, policyActions } from '../../../lib/features/policy/policy-reach.ts';

export interface PolicyFindings {
  /**
   * Parse and type errors with their place, and facts that no target declares. If there are any,
   * nothing else is looked at.
   */
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

/** Pure but for the engine's caches. @param targets must declare what the rules ask for */
export const analysePolicy = (cedar: Cedar, text: string, targets: ShownTargets = NONE_SHOWN): PolicyFindings => {
  const parsed = parsePolicy(cedar, text);
  const { rules } = parsed;
  const problems = parsed.problems.length > 0 ? parsed.problems : findUndeclared(cedar, rules, targets);
  if (problems.length > 0) return { problems, never: [], idle: [], alwaysDenied: [], overlaps: [] };
  const points = pointsOf(cedar, rules);
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
