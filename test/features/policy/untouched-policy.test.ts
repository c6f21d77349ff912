/**
 * The policy that `policy init` writes, unchanged, gives every action the outcome it has without a
 * policy: whoever wrote it, whatever tool it calls and whatever kind of signal it answers. So a
 * trial of it on what was judged without it flips nothing.
 */
import type { Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildDefaultPolicy } from '../../../infra/features/policy/default-policy.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { buildCall } from '../../../lib/core/judge/build-actions.ts';
import { importCedar } from '../../../lib/core/judge/code/cedar-engine.ts';
import type { FactSources } from '../../../lib/core/judge/fact-sources.ts';
import { judgeAction } from '../../../lib/core/judge/judge.ts';
import { NO_POLICY, type SpacePolicy } from '../../../lib/core/judge/space-policy.ts';
import { type Action, replyAction } from '../../../lib/core/signal/action.ts';
import { Asker } from '../../../lib/core/signal/asker.ts';
import type { JudgedAction } from '../../../lib/core/signal/decision.ts';
import { SENSOR_NAMES } from '../../../lib/core/signal/signal.ts';
import type { McpCatalogue } from '../../../lib/core/tools/mcp-catalogue.ts';
import { compilePolicy } from '../../../lib/features/policy/compile-policy.ts';
import { ORIGINS, POLICY_TOOLS } from '../../../lib/features/policy/policy-domain.ts';
import { tryPolicy } from '../../../lib/features/policy/try-policy.ts';
import { sampleEvidence } from '../../core/stages/sample-evidence.ts';
import { fc } from '../../support/fast-check.ts';

const cedar = await importCedar();
const UNTOUCHED = compilePolicy(cedar, buildDefaultPolicy());

const REPLY = { target: 'console', to: 'main' } as const;
const URLS = { tickets: 'https://hooks.example.com/tickets', 'mcp-desk': 'https://desk.example.com/mcp' };
const MCP: McpCatalogue = {
  schemaVersion: 1,
  round: 1,
  servers: [
    {
      name: 'desk',
      url: URLS['mcp-desk'],
      by: 'telegram:7',
      at: 1,
      accepted: [
        {
          remote: 'get_Issue',
          name: 'mcp-desk-get-issue',
          description: 'x',
          inputSchema: { type: 'object' },
          hash: 'h',
        },
      ],
    },
  ],
};

const ARGS = [
  {},
  { text: 'the bike is blue' },
  { cmd: 'ls -l', folder: '/home/you' },
  { cmd: 'rm -rf build' },
  { cmd: 'npm test' },
  { cmd: 'curl https://example.com' },
  { webhook: 'tickets', body: { job: 'morning', text: 'Good morning' } },
  { webhook: 'tickets', body: { title: 'Disk is full' } },
  { name: 'stretch' },
  { url: 'https://example.com/' },
] as const;
const TOOL_NAMES = [...POLICY_TOOLS.map(({ name }) => name), 'mcp-desk-get-issue', 'mcp-desk-gone', 'no-such-tool'];
const EXPLANATION = 'The owner asked for exactly this.';

const callOf = (tool: string, args: (typeof ARGS)[number]): Action =>
  buildCall({ tool, args, explanation: EXPLANATION }, { webhookUrls: URLS });

const actions: Arbitrary<Action> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.constantFrom(REPLY, { target: 'telegram', to: '8' } as const).map((to) => replyAction('Yes.', to)),
  },
  {
    weight: 9,
    arbitrary: fc.tuple(fc.constantFrom(...TOOL_NAMES), fc.constantFrom(...ARGS)).map((one) => callOf(...one)),
  },
);

const asked = fc.record({
  action: actions,
  author: fc.constantFrom('model' as const, 'owner' as const),
  sensor: fc.constantFrom(...SENSOR_NAMES),
  origin: fc.constantFrom(...ORIGINS),
  askedBy: fc.constantFrom(...Asker.options),
  session: fc.constantFrom('console:main', 'job:morning', 'run:0123456789ab'),
  isSkillOff: fc.boolean(),
  hasCopy: fc.boolean(),
});

type Asked = typeof asked extends Arbitrary<infer One> ? One : never;

const ASKS: Asked = {
  action: callOf('call-webhook', ARGS[7]),
  author: 'model',
  sensor: 'chat-message',
  origin: 'owner',
  askedBy: 'approver',
  session: 'console:main',
  isSkillOff: false,
  hasCopy: false,
};

const sourcesOf = (
  { sensor, origin, askedBy, session, isSkillOff, hasCopy }: Asked,
  policy: SpacePolicy,
): FactSources => ({
  stage: 'reason',
  now: 1_790_000_000_000,
  space: 'default',
  reply: REPLY,
  origin,
  session,
  sensor,
  turn: { askedBy },
  setup: { webhookUrls: { tickets: URLS.tickets }, resolveAddresses: async () => ['93.184.215.14'] },
  state: {
    policyVersion: 'p',
    policy,
    chatMemory: 'open',
    whyOff: () => (isSkillOff ? 'the skill notes is off' : undefined),
    mcp: MCP,
  },
  copies: hasCopy
    ? [
        { target: 'webhook', to: 'tickets' },
        { target: 'telegram', to: '8' },
      ]
    : [],
});

const judge = (one: Asked, policy: SpacePolicy) =>
  judgeAction(
    GATE_SET,
    { ...one.action, author: one.action.target === 'tool' ? one.author : 'model' },
    sourcesOf(one, policy),
  );

const trialOf = (one: Asked, judged: JudgedAction, policy: SpacePolicy) =>
  tryPolicy(GATE_SET, policy, sampleEvidence('con-1', [judged], { session: one.session }));

describe('the policy that policy init writes, unchanged', () => {
  it('changes no outcome, and a trial of it flips nothing', async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(asked, async (one) => {
        const without = await judge(one, NO_POLICY);
        const under = await judge(one, UNTOUCHED);
        outcomes.add(without.outcome);
        expect(under.outcome).toBe(without.outcome);
        for (const judged of [without, under])
          expect(trialOf(one, judged, UNTOUCHED)).toStrictEqual({ actionCount: 1, flips: [] });
      }),
      // Few calls are made up that a person is asked about: one is there for certain.
      { numRuns: 1_000, examples: [[ASKS]] },
    );
    expect(outcomes).toStrictEqual(new Set(['pass', 'ask', 'block']));
  });
});

describe('tryPolicy', () => {
  it.each(['permit(principal, action, resource);', '@ask("") permit(principal, action, resource);'])(
    'tells the outcome that there would have been under %s',
    async (text) => {
      const policy = compilePolicy(cedar, text);
      await fc.assert(
        fc.asyncProperty(asked, async (one) => {
          const without = await judge(one, NO_POLICY);
          const [flip] = trialOf(one, without, policy).flips;
          expect(flip?.after ?? without.outcome).toBe((await judge(one, policy)).outcome);
        }),
        { numRuns: 500 },
      );
    },
  );
});
