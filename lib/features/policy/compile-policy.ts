/**
 * Makes a policy's text ready to judge by: parsed once, then evaluated for each action. Loaded
 * together with the engine, because most spaces have no policy. Fails closed: a text that does not
 * parse, type-check or evaluate denies, and says so.
 */

import type { Cedar } from '../../core/judge/code/cedar-engine.ts';
import type { Past, PolicyRequest } from '../../core/judge/space-policy.ts';
import {
  brokenPolicy,
  deny,
  hiddenByDefault,
  NOT_EVALUATED,
  type PolicyRuling,
  SILENT,
  type SpacePolicy,
  shortened,
} from '../../core/judge/space-policy.ts';
import { findTool, TOOLS } from '../../core/tools/catalogue.ts';
import { type ParsedPolicy, type PolicyRule, parsePolicy, policySetOf } from './cedar.ts';
import { readPastFor } from './past.ts';
import {
  actionUid,
  agentUid,
  buildContext,
  buildEntities,
  POLICY_SCHEMA,
  pastIn,
  policyActionName,
  policyHash,
  recipientUid,
} from './policy-domain.ts';

export { countDenied } from './past.ts';
export { policyHash };

/** The numbers that a rule counted: they are stored with the verdict, and people read them. */
const pastWords = ({ tool, to, same }: Past): string =>
  [
    `; before: this tool ${tool.day} in a day, to there ${to.day}, the same ${same.ever}`,
    ...(to.amount > 0 ? [`${to.amount / 100} to there`] : []),
    ...(tool.denied > 0 ? [`denied ${tool.denied}`] : []),
    ...(tool.inFlight > 0 ? [`in flight ${tool.inFlight}`] : []),
    ...(tool.approved > 0 ? [`approved ${tool.approved}`] : []),
  ].join(', ');

const rulingOf = (
  rules: ReadonlyMap<string, PolicyRule>,
  isAllowed: boolean,
  ids: readonly string[],
  past: Past,
): PolicyRuling => {
  if (ids.length === 0) return SILENT;
  const matched = ids.map((id) => rules.get(id)).filter((rule) => rule !== undefined);
  // The engine named a rule that is not in the parsed text, so nothing may pass.
  if (matched.length !== ids.length) return deny('the policy engine named a rule that is not there');
  const asking = matched.filter((rule) => rule.isAsk);
  const deciding = isAllowed && asking.length > 0 ? asking : matched;
  const names = deciding.map((rule) => rule.name).sort();
  const counted = deciding.some(({ namesPast }) => namesPast) ? pastWords(past) : '';
  const reason = shortened(`policy: ${names.join(', ')}${counted}`);
  if (!isAllowed) return { tier: 'deny', reason };
  const isCommandNamed = matched.some(({ namesCommands }) => namesCommands);
  return { tier: asking.length > 0 ? 'ask' : 'allow', reason, ...(isCommandNamed && { isCommandNamed }) };
};

const evaluate = (
  cedar: Cedar,
  hash: string,
  rules: ReadonlyMap<string, PolicyRule>,
  request: PolicyRequest,
): PolicyRuling => {
  const { action, space, origin } = request;
  const to = { target: action.target, name: action.to ?? '', url: action.url ?? '' };
  const answer = cedar.statefulIsAuthorized({
    principal: agentUid(space),
    action: actionUid(policyActionName(action)),
    resource: recipientUid(to.name),
    context: buildContext(request),
    preparsedSchemaName: hash,
    validateRequest: true,
    preparsedPolicySetId: hash,
    entities: buildEntities(space, origin, to),
  });
  if (answer.type === 'failure') return deny(NOT_EVALUATED);
  const { decision, diagnostics } = answer.response;
  const [failed] = diagnostics.errors;
  if (failed !== undefined)
    return deny(`the policy rule ${rules.get(failed.policyId)?.name ?? failed.policyId} failed when evaluated`);
  return rulingOf(rules, decision === 'allow', diagnostics.reason, pastIn(request));
};

const PAST_UNREAD = 'the policy asks what was done before, which was not read';

/** Tools that a `forbid` without any condition covers. */
const forbiddenTools = (cedar: Cedar, rules: readonly PolicyRule[]): readonly string[] =>
  rules.flatMap(({ text }) => {
    const parsed = cedar.policyToJson(text);
    if (parsed.type === 'failure' || parsed.json.effect !== 'forbid') return [];
    const { principal, resource, action, conditions } = parsed.json;
    if (principal.op !== 'All' || resource.op !== 'All' || conditions.length > 0) return [];
    return TOOLS.map(({ name }) => name).filter((name) => coversAction(action, name));
  });

interface Uid {
  readonly type: string;
  readonly id: string;
}
const uidOf = (entity: Uid | { readonly __entity: Uid }): Uid => ('__entity' in entity ? entity.__entity : entity);

type ActionConstraint = Extract<ReturnType<Cedar['policyToJson']>, { type: 'success' }>['json']['action'];

const coversAction = (constraint: ActionConstraint, name: string): boolean => {
  if (constraint.op === 'All') return true;
  const groups = findTool(name)?.target === 'webhook' ? ['any-webhook', 'any-tool'] : ['any-tool'];
  if (constraint.op === '==') return 'entity' in constraint && uidOf(constraint.entity).id === name;
  const entities = 'entities' in constraint ? constraint.entities : [constraint.entity];
  return entities.map((entity) => uidOf(entity).id).some((id) => id === name || groups.includes(id));
};

/** Never throws. A policy with a fault denies everything. */
export const compilePolicy = (
  cedar: Cedar,
  text: string,
  parsed: ParsedPolicy = parsePolicy(cedar, text),
): SpacePolicy => {
  const hash = policyHash(text);
  const [problem] = parsed.problems;
  if (problem !== undefined) return brokenPolicy(hash, problem);
  const isReady =
    cedar.preparsePolicySet(hash, policySetOf(parsed.rules)).type === 'success' &&
    cedar.preparseSchema(hash, POLICY_SCHEMA).type === 'success';
  if (!isReady) return brokenPolicy(hash, 'the engine did not take it');
  const rules = new Map(parsed.rules.map((rule) => [rule.policyId, rule]));
  const namesPast = parsed.rules.some((rule) => rule.namesPast);
  return {
    hash,
    ...(namesPast && { readPast: readPastFor(text) }),
    rule: (request) => {
      if (namesPast && request.past === undefined) return deny(PAST_UNREAD);
      try {
        return evaluate(cedar, hash, rules, request);
      } catch {
        return deny(NOT_EVALUATED);
      }
    },
    hiddenTools: new Set([...hiddenByDefault(), ...forbiddenTools(cedar, parsed.rules)]),
  };
};
