import { describe, expect, it } from 'vitest';
import { importCedar } from '../../../lib/core/judge/code/cedar-engine.ts';
import type { PolicyRequest } from '../../../lib/core/judge/space-policy.ts';
import { NO_POLICY, type PolicyRuling, type SpacePolicy } from '../../../lib/core/judge/space-policy.ts';
import type { ShellFacts } from '../../../lib/core/signal/facts.ts';
import { buildLoadPolicy } from '../../../lib/features/policy/load-policy.ts';
import { policyHash } from '../../../lib/features/policy/policy-domain.ts';
import { reply, toolCall, webhookCall } from '../../core/gates/samples.ts';

const load = buildLoadPolicy(importCedar);
const remember = toolCall({ args: { text: 'The dentist is on Monday.', tags: ['health'] } });
const tickets = webhookCall({ args: { webhook: 'tickets', body: { title: 'Disk is full', count: 2 } } });

const command = toolCall({ tool: 'shell', args: { cmd: 'npm test', folder: '/w', runner: 'desk' } });
const SHELL: ShellFacts = { rulesVersion: 5, dangers: [], class: 'unseen' };

const ask = (policy: SpacePolicy, changes: Partial<PolicyRequest> = {}): PolicyRuling =>
  policy.rule({
    space: 'default',
    action: tickets,
    origin: 'owner',
    session: 'console:main',
    now: Date.UTC(2026, 0, 1, 12),
    isPlainReply: false,
    ...changes,
  });

const SILENT: PolicyRuling = { tier: undefined, reason: '' };
const NOT_EVALUATED: PolicyRuling = { tier: 'deny', reason: 'the policy cannot be evaluated on this action' };

describe('buildLoadPolicy', () => {
  it.each<[string, string, Partial<PolicyRequest>, PolicyRuling]>([
    [
      'permits',
      'permit(principal, action == Action::"call-webhook", resource);',
      {},
      { tier: 'allow', reason: 'policy: rule 1 (line 1)' },
    ],
    [
      'asks where @ask says so',
      '@id("a") @ask("") permit(principal, action, resource);',
      {},
      { tier: 'ask', reason: 'policy: a' },
    ],
    [
      'forbids',
      '@id("no") forbid(principal, action in Action::"any-webhook", resource);',
      {},
      { tier: 'deny', reason: 'policy: no' },
    ],
    ['says nothing where no rule speaks', 'forbid(principal, action == Action::"forget", resource);', {}, SILENT],
    [
      'lets a forbid win over permits',
      '@id("yes") permit(principal, action, resource); @id("no") forbid(principal, action, resource);',
      {},
      { tier: 'deny', reason: 'policy: no' },
    ],
    [
      'lets an ask win over a plain permit',
      '@id("yes") permit(principal, action, resource); @id("ask") @ask("") permit(principal, action in Action::"any-tool", resource);',
      {},
      { tier: 'ask', reason: 'policy: ask' },
    ],
    [
      'knows whose words drive the agent',
      '@id("o") forbid(principal, action, resource) when { principal.origin == Origin::"outside" };',
      { origin: 'outside' },
      { tier: 'deny', reason: 'policy: o' },
    ],
    [
      'knows the class and the programs of a command',
      '@id("t") permit(principal, action == Action::"shell", resource) when { context.class == "unseen" && context.programs == ["npm test"] };',
      { action: command, shell: { ...SHELL, programs: ['npm test'] } },
      { tier: 'allow', reason: 'policy: t', isCommandNamed: true },
    ],
    [
      'says whether a rule names commands, beside one that only asks',
      '@id("t") permit(principal, action, resource) when { context has class && context.class == "leaves" }; @id("all") @ask("") permit(principal, action, resource);',
      { action: command, shell: { ...SHELL, class: 'leaves' } },
      { tier: 'ask', reason: 'policy: all', isCommandNamed: true },
    ],
    [
      'names no command by permitting everything',
      '@id("all") permit(principal, action, resource);',
      { action: command, shell: { ...SHELL, programs: ['npm test'] } },
      { tier: 'allow', reason: 'policy: all' },
    ],
    [
      'does not take other programs for those it names',
      '@id("t") permit(principal, action == Action::"shell", resource) when { ["npm test", "tail"].containsAll(context.programs) };',
      { action: command, shell: { ...SHELL, programs: ['npm test', 'rm'] } },
      SILENT,
    ],
    [
      'takes a command that nobody looked into for unseen',
      '@id("u") forbid(principal, action == Action::"shell", resource) when { context.class == "unseen" };',
      { action: command },
      { tier: 'deny', reason: 'policy: u' },
    ],
    [
      'knows recipient and address',
      '@id("r") permit(principal, action, resource) when { resource.name == "tickets" && resource.url like "https://hooks.example.com/*" };',
      {},
      { tier: 'allow', reason: 'policy: r' },
    ],
    [
      'knows arguments, nested ones as their JSON text',
      '@id("b") permit(principal, action == Action::"call-webhook", resource) when { context.args.body like "*\\"count\\":2*" };',
      {},
      { tier: 'allow', reason: 'policy: b' },
    ],
    [
      'knows optional arguments',
      '@id("t") forbid(principal, action == Action::"remember", resource) when { context.args has tags && context.args.tags.contains("health") };',
      { action: remember },
      { tier: 'deny', reason: 'policy: t' },
    ],
    [
      'knows the hour (UTC) and the session',
      '@id("h") forbid(principal, action, resource) when { context.hour < 7 && context.session like "console:*" };',
      { now: Date.UTC(2026, 0, 1, 6, 59) },
      { tier: 'deny', reason: 'policy: h' },
    ],
    [
      'knows texts and plain replies',
      '@id("p") forbid(principal, action in Action::"any-text", resource) when { !context.isPlainReply && context.text like "*backup*" };',
      { action: reply() },
      { tier: 'deny', reason: 'policy: p' },
    ],
  ])('%s', async (_, text, request, ruling) => {
    expect(ask(await load(text), request)).toStrictEqual(ruling);
  });

  it('tells more than ten rules apart: what one asks is not asked by another', async () => {
    const names = Array.from({ length: 25 }, (_, n) => `n${n}`);
    const rules = names.map(
      (name, n) =>
        `@id("${name}") ${n === 2 || n === 11 ? '@ask("") ' : ''}permit(principal, action, resource) when { context.session == "${name}" };`,
    );
    const policy = await load(rules.join('\n'));
    const rulings = names.map((session) => ask(policy, { session }));
    expect(rulings).toStrictEqual(
      names.map((name, n) => ({ tier: n === 2 || n === 11 ? 'ask' : 'allow', reason: `policy: ${name}` })),
    );
  });

  it('tells equal rules apart by their place', async () => {
    const rule = 'forbid(principal, action, resource);';
    expect(ask(await load(`${rule}\n${rule}`)).reason).toBe('policy: rule 1 (line 1), rule 2 (line 2)');
  });

  it.each([
    ['does not parse', 'permit(principal,\n action', /^the policy cannot be used: line 2, column 8: /],
    [
      'does not type-check',
      'permit(principal, action, resource) when { context.foo == 1 };',
      /line 1, column \d+: .*foo/,
    ],
    [
      'names an action that is not there',
      'forbid(principal, action == Action::"cal-webhook", resource);',
      /did you mean/,
    ],
    [
      'names an origin that is not there',
      'forbid(principal, action, resource) when { principal.origin == Origin::"outsid" };',
      /outsid/,
    ],
    [
      'reads an optional argument unguarded',
      'forbid(principal, action == Action::"remember", resource) when { context.args.tags.contains("x") };',
      /tags/,
    ],
    ['has templates', 'permit(principal == ?principal, action, resource);', /template/],
    [
      'has one id twice',
      '@id("a") permit(principal, action, resource); @id("a") forbid(principal, action, resource);',
      /two rules/,
    ],
  ])('denies everything under a text that %s, and says where (I3)', async (_, text, reason) => {
    const policy = await load(text);
    for (const action of [remember, tickets, reply()]) {
      const ruling = ask(policy, { action });
      expect(ruling.tier).toBe('deny');
      expect(ruling.reason).toMatch(reason);
    }
  });

  it('denies what it cannot evaluate (I3): arguments of another form, overflow', async () => {
    const silent = await load('permit(principal, action == Action::"forget", resource);');
    expect(ask(silent, { action: toolCall({ args: {} }) })).toStrictEqual(NOT_EVALUATED);
    expect(ask(silent, { action: toolCall({ tool: 'no-such-tool', args: {} }) })).toStrictEqual(NOT_EVALUATED);
    const overflow = await load(
      '@id("big") forbid(principal, action, resource) when { context.hour * 9223372036854775807 > 0 }; permit(principal, action, resource);',
    );
    expect(ask(overflow)).toStrictEqual({ tier: 'deny', reason: 'the policy rule big failed when evaluated' });
  });

  it('denies everything while the engine is not there, and asks for it again', async () => {
    let calls = 0;
    const broken = buildLoadPolicy(() => {
      calls += 1;
      return Promise.reject(new Error('not installed'));
    });
    const text = 'permit(principal, action, resource);';
    const reason = 'the policy cannot be used: the policy engine could not be loaded';
    expect(ask(await broken(text))).toStrictEqual({ tier: 'deny', reason });
    expect(ask(await broken(text))).toStrictEqual({ tier: 'deny', reason });
    expect(calls).toBe(2);
  });

  it('does not load the engine without a policy', async () => {
    const never = buildLoadPolicy(() => Promise.reject(new Error('loaded')));
    expect(await never('')).toBe(NO_POLICY);
    expect(ask(NO_POLICY)).toStrictEqual(SILENT);
  });

  it('keeps the last text ready and names each by its hash', async () => {
    const text = '@id("x") permit(principal, action, resource);';
    const policy = await load(text);
    expect(await load(text)).toBe(policy);
    expect(policy.hash).toBe(policyHash(text));
    expect(policyHash(`${text} `)).not.toBe(policy.hash);
    expect(policyHash('')).toBe('');
  });

  it.each([
    ['one tool', 'forbid(principal, action == Action::"forget", resource);', ['forget']],
    ['webhooks', 'forbid(principal, action in Action::"any-webhook", resource);', ['call-webhook']],
    [
      'a list',
      'forbid(principal, action in [Action::"recall", Action::"any-webhook"], resource);',
      ['call-webhook', 'recall'],
    ],
    [
      'only what is forbidden without a condition',
      'forbid(principal, action, resource) when { context.hour < 3 };',
      [],
    ],
  ])('hides from the model %s', async (_, text, hidden) => {
    expect([...(await load(text)).hiddenTools].sort()).toStrictEqual(hidden);
  });
});
