/**
 * Recipient and amount of a call are facts of the owner's declaration alone. Around a fixed effect
 * everything that a model may add is generated: names in any case, nested, as lists, as texts, and
 * other spellings of the target. Each variant must get the same verdicts and the same counts.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { buildCall, buildCalls } from '../../../lib/core/judge/build-actions.ts';
import { importCedar } from '../../../lib/core/judge/code/cedar-engine.ts';
import type { EarlierSources } from '../../../lib/core/judge/fact-sources.ts';
import { gatherFacts } from '../../../lib/core/judge/gather-facts.ts';
import type { PastReading } from '../../../lib/core/judge/space-policy.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { Key } from '../../../lib/core/store/keys.ts';
import type { Item } from '../../../lib/core/store/table.ts';
import { NO_MCP } from '../../../lib/core/tools/mcp-catalogue.ts';
import { readWebhooks } from '../../../lib/core/tools/webhooks.ts';
import { compilePolicy } from '../../../lib/features/policy/compile-policy.ts';
import { fc } from '../../support/fast-check.ts';

const cedar = await importCedar();
const POLICY = compilePolicy(
  cedar,
  `@id("free") permit(principal, action, resource);
@id("three") forbid(principal, action, resource) when { context.past.to.day >= 3 };
@id("new") @ask("") permit(principal, action in Action::"any-webhook", resource)
when { (resource.name like "pay*" || resource.name == "mcp-bank") && context.past.to.isFirst };
@id("named") forbid(principal, action == Action::"call-webhook", resource)
when { context.args.webhook == "deploy" && context.past.to.day >= 2 };
@id("budget") forbid(principal, action in Action::"any-webhook", resource)
when { resource.name like "pay*" && context.amount + context.past.to.amount > 2000 };`,
);

const FACTS = { recipient: 'to', amount: 'sum.amount' };
const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    to: { type: 'string' },
    sum: { type: 'object', properties: { amount: { type: 'number' } } },
  },
};
const webhooks = readWebhooks({
  deploy: 'https://hooks.example.com/deploy',
  room: 'https://hooks.example.com/{room}/{to}',
  pay: { url: 'https://hooks.example.com/pay', body: { ...SCHEMA, additionalProperties: true }, ...FACTS },
  'pay-closed': { url: 'https://hooks.example.com/pay', body: SCHEMA, ...FACTS },
});
const tool = (remote: string, facts: object) => ({
  ...{ remote, name: `mcp-bank-${remote}`, description: '', inputSchema: SCHEMA, hash: remote },
  ...facts,
});
const mcp = {
  ...NO_MCP,
  servers: [
    {
      ...{ name: 'bank', url: 'https://bank.example/', by: 'me', at: 0 },
      accepted: [tool('send', FACTS), tool('look', {})],
    },
  ],
};

/** Of the space, with as much of a table as counting needs. */
const startSpace = () => {
  const items = new Map<string, Item>();
  const keyText = ({ pk, sk }: Key): string => `${pk} ${sk}`;
  const table = { load: async (keys: readonly Key[]) => keys.map((key) => items.get(keyText(key))) };
  const begin = (reading: PastReading | undefined, at: number): void => {
    for (const write of reading?.count({ at, id: `con-${at}#0` }) ?? [])
      if (write.kind === 'update') items.set(keyText(write.key), { ...write.key, ...write.change.set });
  };
  return { table, begin };
};

type Spelling = (text: string) => string;
type Made = (noise: JsonObject, spelling: Spelling) => readonly Action[];
const urls = { ...webhooks.webhookUrls, 'mcp-bank': 'https://bank.example/' };
const made = (name: string, args: JsonObject): readonly Action[] => [
  buildCall({ tool: name, args, explanation: 'why' }, { webhookUrls: urls }),
];
const paid = (noise: JsonObject, spelling: Spelling): JsonObject => ({
  ...noise,
  to: spelling('ann@example.org'),
  sum: { ...noise, amount: spelling('9') === '9' ? 9 : '9.00' },
});
/** Nobody may set these for a target whose declaration names them. */
const without = (noise: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(noise).filter(([name]) => !['to', 'sum', 'amount'].includes(name)));

const EFFECTS: Readonly<Record<string, Made>> = {
  'a webhook that declares nothing': (noise, spelling) =>
    made('call-webhook', { ...noise, webhook: spelling('deploy'), body: noise }),
  'a webhook whose address is made of fields': (noise, spelling) =>
    made('Call_Webhook', { webhook: spelling('room'), body: { ...noise, room: JSON.stringify(noise) } }),
  'a webhook that declares both, and takes more': (noise, spelling) =>
    made('call-webhook', { ...noise, webhook: spelling('pay'), body: paid(without(noise), spelling) }),
  'a webhook that declares both': (noise, spelling) =>
    made('call-webhook', { webhook: spelling('pay-closed'), body: paid(without(noise), spelling) }),
  'an MCP tool that declares both': (noise, spelling) => made('mcp-bank-send', paid(without(noise), spelling)),
  'an MCP tool that declares nothing': (noise) => made('mcp_bank_look', noise),
  'a text to a chat of ours': (noise) =>
    buildCalls(
      { tool: 'send-message', args: { to: 'mum', text: `hello ${JSON.stringify(noise)}` }, explanation: 'why' },
      { webhookUrls: urls, places: new Map([['mum', [{ target: 'telegram', to: '77' }]]]) },
    ),
};

/** Verdicts and counts of four calls, one after the other. */
const play = async (calls: readonly (readonly Action[])[]) => {
  const { table, begin } = startSpace();
  const seen: unknown[] = [];
  for (const [n, [action]] of calls.entries()) {
    if (action === undefined) throw new Error('there is no action');
    const before: NonNullable<EarlierSources['before']> = { signalId: `con-${n + 1}` };
    const { tier, policyReason } = await gatherFacts(action, {
      ...{ stage: 'reason', now: n + 1, space: 'default', reply: { target: 'console', to: 'main' }, origin: 'owner' },
      ...{ turn: { askedBy: 'approver' }, session: 's', earlier: { table, before }, setup: webhooks },
      state: { policyVersion: 'p', policy: POLICY, mcp },
    });
    const { tool: byTool, to } = before.reading?.past ?? {};
    // How often the very same words were said depends on the words.
    seen.push({ tier, reason: policyReason.replace(/, the same \d+/, ''), byTool, to });
    begin(before.reading, n + 1);
  }
  return seen;
};

const NAMES = ['to', 'recipient', 'email', 'cc', 'bcc', 'iban', 'account', 'amount', 'amount_cents', 'payment'].concat(
  ...['currency', 'price', 'headers', 'url', 'target', 'sum', 'Idempotency-Key'],
);
const name = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom('as-is', 'upper', 'first', 'wide', 'plural'))
  .map(([one, how]) => {
    if (how === 'upper') return one.toUpperCase();
    if (how === 'first') return one.charAt(0).toUpperCase() + one.slice(1);
    if (how === 'wide') return ` ${one}`;
    return how === 'plural' ? `${one}s` : one;
  });
const value = fc.oneof(
  fc.constantFrom('mallory@example.org', '0', '-900', '9e9', '1,5', '', 'EUR', 'ann@example.org'),
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.boolean(),
  fc.constant(null),
);
const noise = fc.letrec<{ object: JsonObject; any: JsonObject[string] }>((tie) => ({
  object: fc.dictionary(name, tie('any'), { maxKeys: 6 }),
  any: fc.oneof({ maxDepth: 3, withCrossShrink: true }, value, fc.array(tie('any'), { maxLength: 3 }), tie('object')),
})).object;
const spelling = fc.constantFrom<Spelling[]>(
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => ` ${text} `,
  (text) => text.normalize('NFKD'),
  (text) => text.replace('a', '\uff41'),
);

describe('fields that nobody vouches for', () => {
  it.each(Object.keys(EFFECTS))('change neither verdict nor count of %s', async (what) => {
    const effect = EFFECTS[what] as Made;
    const plain = await play([1, 2, 3, 4].map(() => effect({}, (text) => text)));
    expect(new Set(plain.map((one) => (one as { tier: string }).tier)).has('deny')).toBe(true);
    const four = fc.array(fc.tuple(noise, spelling), { minLength: 4, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(four, async (calls) => {
        expect(await play(calls.map(([added, spelt]) => effect(added, spelt)))).toStrictEqual(plain);
      }),
      { numRuns: 40 },
    );
  });
});
