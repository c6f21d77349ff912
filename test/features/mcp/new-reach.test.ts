/**
 * A change of power says first, in plain lines, which kinds of action become possible that were
 * not: one row for each kind of card, and for each command that changes power without one.
 */

import { describe, expect, it } from 'vitest';
import { sayNewSettings } from '../../../infra/cli/setup/setting-reach.ts';
import { sayReach, type TierOf } from '../../../lib/core/approvals/say-reach.ts';
import { buildSimilarCard } from '../../../lib/core/judge/card.ts';
import { importCedar } from '../../../lib/core/judge/code/cedar-engine.ts';
import { formContext } from '../../../lib/core/judge/form-context.ts';
import { NO_POLICY, type SpacePolicy } from '../../../lib/core/judge/space-policy.ts';
import { buildTierOf } from '../../../lib/core/judge/tier-of.ts';
import type { Mark } from '../../../lib/core/tools/marks.ts';
import { NO_MCP } from '../../../lib/core/tools/mcp-catalogue.ts';
import type { FormContext, ToolForm } from '../../../lib/core/tools/tool.ts';
import { describeOffer } from '../../../lib/features/learning/describe-offer.ts';
import { OFFER_FORM } from '../../../lib/features/learning/offer-form.ts';
import { buildMcpTools } from '../../../lib/features/mcp/build-tools.ts';
import { sayNewTools } from '../../../lib/features/mcp/say-new-tools.ts';
import { compilePolicy } from '../../../lib/features/policy/compile-policy.ts';
import { sayNewReach } from '../../../lib/features/policy/policy-reach.ts';
import { runnerReach } from '../../../lib/features/runner/runner-reach.ts';
import { parseSkill } from '../../../lib/features/skills/parse-skill.ts';
import { describeFile, type SkillText, versionOf } from '../../../lib/features/skills/skill-files.ts';
import { ADD_SKILL_FORM } from '../../../lib/features/skills/tools/add-skill-form.ts';
import { EDIT_SKILL_FORM } from '../../../lib/features/skills/tools/edit-skill-form.ts';
import { approvalWith, NOW } from '../../core/approvals/samples.ts';
import { describeMarked } from '../../support/marked.ts';

const cedar = await importCedar();
const NOTHING = 'No kind of action becomes possible that was not.';
const NO_CONTEXT = {} as FormContext;
const policy = (text: string): SpacePolicy => compilePolicy(cedar, text);
const MOMENT = { space: 'default', now: NOW, session: 'main' };
const tierUnder = (rules: SpacePolicy): TierOf => buildTierOf({ policy: rules, mcp: NO_MCP }, MOMENT);

const TEXT = { path: 'SKILL.md', text: '---\nname: house\ndescription: Rules.\n---\nDrink tea.\n' };
const MORE = `targets:
  - { name: shop, url: "https://shop.example/hook" }
functions:
  - { name: count, file: count.js, gives: tool, description: Counts., args: { type: object } }
jobs:
  - { name: morning, cron: "0 8 * * *", prompt: Say hello. }
`;
const CODE = { path: 'count.js', text: 'function tool() { return 1; }\n' };
const WHOLE = [TEXT, { path: 'passepartout.yaml', text: MORE }, CODE];
const ADDED = 'Newly possible without a question: its tool count, the job house-morning begins by itself.';

const contextOf = (inForce: readonly SkillText[], rules: SpacePolicy): FormContext => {
  const parsed = parseSkill(inForce);
  const definition = parsed.kind === 'skill' ? parsed.definition : undefined;
  const skill = { name: 'house', hash: versionOf(inForce.map(describeFile)), trust: 'owner', definition };
  const readSkill = async () =>
    (definition === undefined ? undefined : { skill, files: inForce, machineFiles: [] }) as never;
  const facts = formContext({
    now: NOW,
    reply: { target: 'console', to: 'main' },
    reads: { loadLookups: async () => ({ readSkill }) },
  } as never);
  return { ...facts, tierOf: tierUnder(rules) };
};

const REACH_LINE =
  /^(?:Newly possible |Denied by your policy |Which kinds of action become |From now on only |No longer possible)/;

/** The lines about reach among those that the card of a call never folds. */
const notableOf = async (form: ToolForm, args: object, context: FormContext): Promise<readonly string[]> => {
  const whole = args as Parameters<ToolForm['describe']>[0];
  return (await describeMarked(form, whole, context)).notable.filter((line) => REACH_LINE.test(line));
};

const added = (files: readonly object[], inForce: readonly SkillText[] = [], rules = NO_POLICY) =>
  notableOf(ADD_SKILL_FORM, { files, trust: 'owner' }, contextOf(inForce, rules));

const edited = async () => {
  const context = contextOf(WHOLE, NO_POLICY);
  const draft = { skill: 'house', file: 'passepartout.yaml', replace: 'name: shop', with: 'name: mall' };
  return notableOf(EDIT_SKILL_FORM, await EDIT_SKILL_FORM.complete(draft, context), context);
};

const EVIDENCE = ['con-1', 'con-2', 'con-3'].map((id) => ({ id, at: NOW }));
const COMMON = { shape: 'a'.repeat(64), evidence: EVIDENCE };
const RULE = '@id("learned-1") forbid(principal, action == Action::"call-webhook", resource);';
const learned = (offer: Parameters<typeof describeOffer>[0]): Promise<readonly string[]> => {
  const facts = { days: 14, approval: approvalWith() };
  const context = {
    ...NO_CONTEXT,
    loadPowers: async () => ({
      learning: {
        describe: async (_offer: unknown, _now: number, mark?: Mark) => {
          const reach = offer.kind === 'rule' ? sayNewReach(cedar, '', RULE, undefined, mark) : [];
          return describeOffer(offer, { ...facts, reach }, mark);
        },
        look: () => Promise.reject(new Error('a card looks for nothing')),
        accept: () => Promise.reject(new Error('a card accepts nothing')),
      },
    }),
  };
  return notableOf(OFFER_FORM, { offer }, context);
};

const MCP_TOOLS = buildMcpTools('tracker', [{ name: 'find', inputSchema: { type: 'object', properties: {} } }]);
const serverUnder = (rules: SpacePolicy) => {
  const server = { name: 'tracker', url: 'https://tracker.example', accepted: [], offered: MCP_TOOLS };
  const mcp = { ...NO_MCP, servers: [server as never] };
  const args = { server: 'tracker', offer: '0'.repeat(12) };
  const action = { target: 'tool', tool: 'accept-mcp-server', args, explanation: '', author: 'owner' } as const;
  return sayNewTools(action, { policy: rules, mcp }, MOMENT);
};

const ALLOW = { read: ['/home/me/notes'], write: ['/home/me/site'], programs: ['any'], hasNetwork: true };
const NO_ALLOW = { read: [], write: [], programs: ['any'], hasNetwork: true };

const TOKEN = (scopes: readonly string[]) => JSON.stringify({ backup: { token: 't'.repeat(43), scopes } });
const HOOKS = (more: object) => ({
  WEBHOOK_TARGETS: JSON.stringify({ own: { url: 'https://own.example/a' }, ...more }),
});
const UNDER = expect.stringMatching(/^Your policy may permit or deny such calls/);

const ANY_WEBHOOK = '@id("a") permit(principal, action in Action::"any-webhook", resource);';
const NO_WEBHOOK = '@id("a") forbid(principal, action in Action::"any-webhook", resource);';

describe('a change of power says which kinds of action become possible', () => {
  it.each<[string, () => readonly string[] | Promise<readonly string[]>, readonly unknown[]]>([
    [
      'a policy',
      () => sayNewReach(cedar, '', ANY_WEBHOOK),
      [expect.stringMatching(/^Newly possible without a question: .*call-webhook/)],
    ],
    [
      'a grant by “Allow similar”',
      () =>
        buildSimilarCard(approvalWith(), NOW)
          .text.split('\n')
          .filter((line) => REACH_LINE.test(line)),
      ['Newly possible without a question: call-webhook to tickets, exactly as below.'],
    ],
    [
      'a learned grant',
      () => learned({ ...COMMON, kind: 'grant', action: 'con-1#0', loosen: [], count: 3, hours: 336 }),
      ['Newly possible without a question: call-webhook to tickets, exactly as below.'],
    ],
    ['a learned rule', () => learned({ ...COMMON, kind: 'rule', rule: RULE }), ['No longer possible: call-webhook.']],
    ['a learned skill', () => learned({ ...COMMON, kind: 'skill', name: 'tea', files: [TEXT] }), []],
    ['an added skill of text alone', () => added([TEXT]), []],
    [
      'an added skill with powers',
      () => added(WHOLE),
      [ADDED, 'Newly possible after your yes to each call: the webhook shop (POST to shop.example).'],
    ],
    [
      'the same under a policy that permits webhooks',
      () => added(WHOLE, [], policy(ANY_WEBHOOK)),
      [`Newly possible without a question: the webhook shop (POST to shop.example), ${ADDED.split(': ')[1]}`],
    ],
    [
      'the same under a policy that forbids them',
      () => added(WHOLE, [], policy(NO_WEBHOOK)),
      [ADDED, 'Denied by your policy all the same: the webhook shop (POST to shop.example).'],
    ],
    ['a skill that is in force already', () => added(WHOLE, WHOLE), []],
    [
      'a skill of which a part goes',
      () => added([TEXT], WHOLE),
      [expect.stringMatching(/^No longer possible: the webhook shop .*, its tool count, the job house-morning/)],
    ],
    [
      'a skill of which only hashes came',
      () => added(WHOLE.map(describeFile)),
      ['Which kinds of action become possible cannot be told from hashes alone.'],
    ],
    [
      'an edited skill',
      edited,
      [
        'Newly possible after your yes to each call: the webhook mall (POST to shop.example).',
        'No longer possible: the webhook shop (POST to shop.example).',
      ],
    ],
    [
      'folders of a machine',
      () => sayReach(runnerReach(NO_ALLOW), runnerReach(ALLOW)),
      [
        'Newly possible without a question: reading in /home/me/notes, reading in /home/me/site.',
        'Newly possible after your yes to each call: changing files in /home/me/site, running any program, reaching the network.',
      ],
    ],
    [
      'a webhook of the settings',
      () => sayNewSettings(HOOKS({}), HOOKS({ shop: { url: 'https://shop.example/b' } })),
      ['Newly possible after your yes to each call: the webhook shop (POST to shop.example).', UNDER],
    ],
    [
      'a webhook of the settings that goes',
      () => sayNewSettings(HOOKS({ shop: { url: 'https://shop.example/b' } }), HOOKS({})),
      [NOTHING, 'No longer possible: the webhook shop (POST to shop.example).', UNDER],
    ],
    [
      'a wider token of a script',
      () => sayNewSettings({ API_TOKENS: TOKEN(['read']) }, { API_TOKENS: TOKEN(['read', 'speak-as-owner']) }),
      [
        expect.stringMatching(
          /^Newly possible without a question: the script backup writes as you in conversations of its own, and does .*\bjobs add\b/,
        ),
      ],
    ],
    [
      'the same tokens again',
      () => sayNewSettings({ API_TOKENS: TOKEN(['read']) }, { API_TOKENS: TOKEN(['read']) }),
      [NOTHING],
    ],
    ['another setting', () => sayNewSettings({}, { TIME_ZONE: 'UTC' }), []],
    [
      "another server's tools",
      () => serverUnder(NO_POLICY),
      ['Newly possible after your yes to each call: mcp-tracker-find.'],
    ],
    [
      'the same under a policy that forbids them',
      () => serverUnder(policy('@id("a") forbid(principal, action == Action::"mcp-call", resource);')),
      [NOTHING, 'Denied by your policy all the same: mcp-tracker-find.'],
    ],
  ])('%s', async (_, told, lines) => {
    expect(await told()).toStrictEqual(lines);
  });
});
