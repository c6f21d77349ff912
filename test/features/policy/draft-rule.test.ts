import { describe, expect, it } from 'vitest';
import { importCedar } from '../../../lib/core/judge/code/cedar-engine.ts';
import { countLearned, describeRules } from '../../../lib/core/judge/rules-learned.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import { parsePolicy } from '../../../lib/features/policy/cedar.ts';
import { compilePolicy } from '../../../lib/features/policy/compile-policy.ts';
import { draftRule } from '../../../lib/features/policy/draft-rule.ts';
import { toolCall, webhookCall } from '../../core/gates/samples.ts';

const cedar = await importCedar();
const call = (ref: unknown, to = 'deploys', more = {}): Action =>
  webhookCall({ to, args: { webhook: to, body: { ref: String(ref), to: 'production', ...more } } });

const rules = (text: string, action: Action) =>
  compilePolicy(cedar, text).rule({
    space: 'default',
    action,
    origin: 'owner',
    session: 'telegram:7',
    now: 0,
    isPlainReply: false,
  }).tier;

const WILD = 'a*b"c\\d\n{ü}\u{202e}';

describe('draftRule', () => {
  it('writes a rule that type-checks and forbids exactly the call', () => {
    const text = draftRule(call('main'), '', 'learned-0a1b') ?? '';
    expect(parsePolicy(cedar, text).problems).toStrictEqual([]);
    expect(rules(text, call('main'))).toBe('deny');
    for (const other of [
      call('next'),
      call('main', 'tickets'),
      call('main', 'deploys', { x: 1 }),
      toolCall({ args: { text: 'a' } }),
    ])
      expect(rules(text, other)).toBeUndefined();
  });

  it('leaves the one argument open that differs', () => {
    const text = draftRule(call('main'), '/body/ref', 'learned-0a1b') ?? '';
    expect(parsePolicy(cedar, text).problems).toStrictEqual([]);
    for (const ref of ['main', 'next', WILD]) expect(rules(text, call(ref))).toBe('deny');
    expect(rules(text, call('main', 'deploys', { z: 1 }))).toBeUndefined();
    const whole =
      draftRule(toolCall({ tool: 'calculate', args: { expression: '1' } }), '/expression', 'learned-1') ?? '';
    expect(rules(whole, toolCall({ tool: 'calculate', args: { expression: '2' } }))).toBe('deny');
  });

  it.each([WILD, '"', '\\', '*', '"); permit(principal, action, resource); //', '\u0000', '😀'])(
    'keeps the words %j inside their quotes',
    (words) => {
      const text = draftRule(call(words), '', 'learned-0a1b') ?? '';
      const { rules: statements, problems } = parsePolicy(cedar, text);
      expect([statements.length, problems]).toStrictEqual([1, []]);
      expect(rules(text, call(words))).toBe('deny');
      expect(rules(text, call('main'))).toBeUndefined();
      const open = draftRule(call('x', 'deploys', { words }), '/body/ref', 'learned-0a1b') ?? '';
      expect(parsePolicy(cedar, open).problems).toStrictEqual([]);
      expect(rules(open, call('y', 'deploys', { words }))).toBe('deny');
      expect(rules(open, call('y', 'deploys', { words: `${words}!` }))).toBeUndefined();
    },
  );

  it('writes none for a tool that the policy does not know', () => {
    expect(draftRule(toolCall({ tool: 'mcp-a-b' }), '', 'learned-1')).toBeUndefined();
  });
});

describe('describeRules', () => {
  const rule = draftRule(call(WILD), '', 'learned-0a1b') ?? '';
  const own = '// permit(nobody)\n@id("learned-by me; forbid(") permit(principal, action, resource);';
  const owner = { grant_abc: 20, grant_def_learned: 20, grant_old_learned: 5 };

  it.each([
    ['', undefined, 'Policy rules: 0. Rules learned: 0.'],
    [own, undefined, 'Policy rules: 1. Rules learned: 0.'],
    [`${own}\n\n${rule}`, undefined, 'Policy rules: 2. Rules learned: 1 (learned-0a1b).'],
    [rule, owner, 'Policy rules: 1. Rules learned: 2 (learned-0a1b, grant def).'],
  ])('counts %#', async (policy, item, line) => {
    expect(describeRules(policy, item, 10)).toBe(line);
    const stored = { schemaVersion: 1, text: policy, hash: '', by: 'me', at: 1 };
    const load = async () => [stored, item];
    const learned = Number(/learned: (\d+)/.exec(line)?.[1]);
    expect(await countLearned({ load }, 'home', 10)).toBe(learned);
    const unread = async () => [{ ...stored, schemaVersion: 2 }, item];
    expect(await countLearned({ load: unread }, 'home', 10)).toBeUndefined();
  });
});
