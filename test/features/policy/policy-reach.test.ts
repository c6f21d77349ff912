import { describe, expect, it } from 'vitest';
import { buildDefaultPolicy } from '../../../infra/features/policy/default-policy.ts';
import { importCedar } from '../../../lib/core/judge/code/cedar-engine.ts';
import { parsePolicy } from '../../../lib/features/policy/cedar.ts';
import { draftRule, ruledAction } from '../../../lib/features/policy/draft-rule.ts';
import { pointsOf, sayNewReach } from '../../../lib/features/policy/policy-reach.ts';
import { webhookCall } from '../../core/gates/samples.ts';

const cedar = await importCedar();
const NOTHING = 'No kind of action becomes possible that was not.';
const PERMIT = '@id("a") permit(principal, action == Action::"call-webhook", resource)';
const FORBID = '@id("b") forbid(principal, action == Action::"call-webhook", resource)';

describe('sayNewReach', () => {
  it.each([
    ['the defaults written out', '', buildDefaultPolicy(), [NOTHING]],
    ['a permit', '', `${PERMIT};`, ['Newly possible without a question: call-webhook.']],
    [
      'a permit of some arguments only',
      '',
      `${PERMIT} when { context.args.webhook == "a" };`,
      ['Newly possible without a question: call-webhook.'],
    ],
    ['a permit below a forbid', '', `${PERMIT};\n${FORBID};`, [NOTHING, 'No longer possible: call-webhook.']],
    ['the end of a forbid', `${FORBID};`, '', ['Newly possible after your yes to each call: call-webhook.']],
    ['a forbid of some hours', '', `${FORBID} when { context.hour < 6 };`, [NOTHING]],
    [
      'two forbids that leave no hour',
      '',
      `${FORBID} when { context.hour < 6 };\n${FORBID.replace('"b"', '"c"')} unless { context.hour < 6 };`,
      [NOTHING, 'No longer possible: call-webhook.'],
    ],
    ['a forbid by the past', '', `${FORBID} when { context.past.to.day > 3 };`, [NOTHING]],
    [
      'a question in place of a permit',
      `${PERMIT};`,
      `@ask("") ${PERMIT};`,
      [NOTHING, 'From now on only after your yes: call-webhook.'],
    ],
  ])('says what becomes possible by %s', (_, before, after, lines) => {
    expect(sayNewReach(cedar, before, after)).toStrictEqual(lines);
  });

  it('goes through one hour for all that the rules do not tell apart', () => {
    const pointsWith = (condition: string) =>
      pointsOf(cedar, parsePolicy(cedar, `${FORBID} when { ${condition} };`).rules, ['call-webhook']).length;
    const once = pointsWith('context.amount > 3');
    expect(pointsWith('context.past.to.hour > 3')).toBe(once);
    expect(pointsWith('context.hour < 6 || context.hour >= 22')).toBe(2 * once);
    expect(pointsWith('context.hour == 3 || context.hour == 4 && context.amount > 3')).toBe(3 * once);
  });

  it('looks only at the action that a learned rule can reach', () => {
    const rule = draftRule({ ...webhookCall(), args: {} }, '', 'learned-1') ?? '';
    const action = ruledAction(rule) ?? '';
    expect(action).toBe('call-webhook');
    const free = '@id("free") permit(principal, action, resource);';
    const told = sayNewReach(cedar, free, `${free}\n${rule}`, [action]);
    expect(told).toStrictEqual(sayNewReach(cedar, free, `${free}\n${rule}`));
    expect(ruledAction(free)).toBeUndefined();
  });
});
