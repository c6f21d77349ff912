import { describe, expect, it } from 'vitest';
import { analysePolicy, type PolicyFindings } from '../../../infra/features/policy/analyse-policy.ts';
import { buildDefaultPolicy } from '../../../infra/features/policy/default-policy.ts';
import { importCedar } from '../../../lib/core/judge/code/cedar-engine.ts';
import { ChannelId } from '../../../lib/core/signal/channels.ts';
import { CommandClass } from '../../../lib/core/signal/facts.ts';
import { compilePolicy } from '../../../lib/features/policy/compile-policy.ts';
import { ORIGINS, POLICY_TOOLS } from '../../../lib/features/policy/policy-domain.ts';
import { policyActions } from '../../../lib/features/policy/policy-reach.ts';
import { reply, toolCall } from '../../core/gates/samples.ts';
import { sampleJob } from '../jobs/sample-job.ts';

const cedar = await importCedar();
const NOTHING: PolicyFindings = { problems: [], never: [], idle: [], alwaysDenied: [], overlaps: [] };

describe('analysePolicy', () => {
  it.each<[string, string, Partial<PolicyFindings>]>([
    [
      'rules whose hours exclude each other',
      '@id("x") permit(principal, action, resource) when { context.hour > 5 && context.hour < 3 };',
      { never: ['x (line 1)'] },
    ],
    [
      'rules the type checker proves impossible',
      '\n@id("x") permit(principal, action == Action::"recall", resource) when { context.args.query like "a" && false };',
      { never: ['x (line 2)'] },
    ],
    [
      'rules for a target the action never has',
      '@id("x") permit(principal, action == Action::"recall", resource) when { resource.target == "webhook" };',
      { never: ['x (line 1)'] },
    ],
    [
      'nothing of a rule that depends on what is left open',
      'permit(principal, action == Action::"recall", resource) when { context.args.query like "a*" && resource.name == "" };',
      {},
    ],
    [
      'permits a forbid always wins over, and what is always denied',
      '@id("p") permit(principal, action == Action::"forget", resource) when { context.hour > 8 }; @id("f") forbid(principal, action == Action::"forget", resource);',
      {
        idle: ['p: f always wins over it'],
        alwaysDenied: ['forget, by f'],
        overlaps: ['p (permit) and f (forbid) both speak about forget: forbid wins'],
      },
    ],
    [
      'an action denied by rules that cover it together',
      '@id("early") forbid(principal, action == Action::"recall", resource) when { context.hour < 12 }; @id("late") forbid(principal, action == Action::"recall", resource) when { context.hour >= 12 };',
      { alwaysDenied: ['recall, by early, late'] },
    ],
    [
      'permits that an @ask always turns into a question',
      '@id("p") permit(principal, action == Action::"recall", resource); @id("a") @ask("") permit(principal, action in Action::"any-tool", resource);',
      {
        idle: ['p: a always wins over it'],
        overlaps: ['p (permit) and a (ask) both speak about recall: ask wins'],
      },
    ],
  ])('names %s', (_, text, findings) => {
    expect(analysePolicy(cedar, text)).toStrictEqual({ ...NOTHING, ...findings });
  });

  it('names where a text does not parse, and nothing else', () => {
    const misspelt = 'permit (principal, action, resource) when { context.orgin == Origin::"owner" };';
    expect(analysePolicy(cedar, misspelt).problems).toStrictEqual([
      expect.stringMatching(
        /`orgin` in context not found; did you mean principal\.origin\? \(Action::"[^"]+" and \d+ others\)$/,
      ),
    ]);
    const { problems, ...rest } = analysePolicy(cedar, '\npermit(');
    expect(problems).toStrictEqual([expect.stringMatching(/^line 2, column \d+: /)]);
    expect({ ...rest, problems: [] }).toStrictEqual(NOTHING);
  });
});

describe('buildDefaultPolicy', () => {
  it('is a policy without any finding', () => {
    expect(analysePolicy(cedar, buildDefaultPolicy())).toStrictEqual(NOTHING);
  });

  it('gives every action the tier it has without a policy', () => {
    const policy = compilePolicy(cedar, buildDefaultPolicy());
    const request = { space: 'default', session: 'console:main', now: 0 };
    const provider = { name: 'x', url: 'https://x.example/', models: 'y', order: 'x' };
    const args = {
      'read-file': { path: 'x' },
      'write-file': { path: 'x', content: '' },
      'edit-file': { path: 'x', find: 'y', replace: '' },
      'list-files': { path: 'x' },
      'search-files': { path: 'x', pattern: 'y' },
      'fetch-url': { url: 'x' },
      'search-web': { query: 'x', service: 'brave' },
      remember: { text: 'x' },
      recall: { query: 'x' },
      'edit-memory': { id: 'x' },
      'start-project': { title: 'x' },
      forget: { id: 'x' },
      rollback: { to: 1, head: 2, changes: [] },
      revert: { signal: 'x' },
      ingest: { tree: 'x', nodes: 1 },
      'ingest-file': { n: 0, hash: 'x', name: 'x' },
      'summarise-session': { text: 'x' },
      calculate: { expression: '1' },
      'run-code': { language: 'javascript', code: '1' },
      'read-output': { id: 'x' },
      'read-attachment': { kind: 'a voice message', file: 'x' },
      'add-mcp-server': { server: 'x', url: 'https://x.example/' },
      'accept-mcp-server': { server: 'x', offer: '0123456789ab' },
      'remove-mcp-server': { server: 'x' },
      'list-mcp-events': { server: 'x', url: 'https://x.example/' },
      'poll-mcp-events': { server: 'x', url: 'https://x.example/', events: 'x' },
      'log-in-mcp-server': { server: 'x', url: 'https://x.example/', answer: 'a' },
      'log-out-mcp-server': { server: 'x', url: 'https://x.example/' },
      'pair-runner': { name: 'x', codeHash: '0'.repeat(64) },
      'pause-runner': { name: 'x' },
      'resume-runner': { name: 'x' },
      'remove-runner': { name: 'x' },
      'add-provider': provider,
      'add-local-provider': provider,
      'try-provider': provider,
      'try-local-provider': provider,
      'order-providers': provider,
      'remove-chat': { chat: '1' },
      'change-setting': { name: 'TELEGRAM_APPROVERS', value: '1' },
      'add-skill': { files: [], trust: 'outside' },
      'keep-skill-file': { text: 'x' },
      'remove-skill': { name: 'x' },
      'switch-skill-jobs': { name: 'x', isOn: true },
      'read-skill': { skill: 'x' },
      'run-skill': { skill: 'x', tool: 'y', args: {} },
      'edit-skill': { skill: 'x', file: 'x', replace: 'x', with: 'y', before: 'x', after: 'x' },
      'accept-offer': { offer: {} },
      'mcp-call': { server: 'x', tool: 'y' },
      'schedule-job': sampleJob({ when: { kind: 'every', minutes: 1, from: 0 } }),
      'pause-job': { name: 'x' },
      'resume-job': { name: 'x' },
      'remove-job': { name: 'x' },
      'run-job': { name: 'x' },
      'run-runbook': { runbook: 'x', hash: '0', inputs: {}, approveWhole: false },
      'ask-person': { question: 'x' },
      'propose-plan': { steps: [{ tool: 'x', args: {} }] },
      'give-answer': { text: 'x' },
      'mend-memory': { mends: [{ kind: 'close', id: 'x' }] },
      'keep-notes': { from: 0, until: 1, turns: ['x'], answer: '[]' },
      'keep-insight': { text: 'x', notes: ['x'], isNew: true },
      delegate: { words: 'x', tools: ['recall'], capUsd: 1, depth: 1 },
      'read-notes': { id: 'x' },
      'arrange-notes': { note: 'x' },
      'write-plan': { title: 'x', steps: [{ words: 'x', tool: 'y', args: {} }] },
      'run-plan': { plan: 'x', title: 'x', steps: [], hash: '0', approveWhole: true },
      'mark-plan': { plan: 'x' },
    };
    const classes = CommandClass.options.map((found) => {
      const action = toolCall({ tool: 'shell', args: { cmd: 'x' } });
      const shell = { rulesVersion: 1, dangers: [], class: found };
      return policy.rule({ ...request, action, origin: 'owner', isPlainReply: false, shell }).tier;
    });
    expect(classes).toStrictEqual(['allow', 'ask', 'ask', 'ask', 'ask']);
    const others = POLICY_TOOLS.filter(({ effects }) => effects?.runsCommand === undefined);
    const tools = others.flatMap(({ name, tier }) =>
      ORIGINS.map((origin) => {
        const values = name === 'call-webhook' ? { webhook: 'x', body: {} } : (Reflect.get(args, name) ?? {});
        const action = toolCall({ tool: name, args: values });
        return [name, policy.rule({ ...request, action, origin, isPlainReply: false }).tier, tier];
      }),
    );
    expect(tools.filter(([, ruled, usual]) => ruled !== usual)).toStrictEqual([]);
    const texts = [true, false].map(
      (isPlainReply) => policy.rule({ ...request, action: reply(), origin: 'owner', isPlainReply }).tier,
    );
    expect(texts).toStrictEqual(['allow', 'ask']);
    expect(policyActions().length).toBe(POLICY_TOOLS.length + ChannelId.options.length + 1);
  });
});
