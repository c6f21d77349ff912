/**
 * Finds rules that ask for an amount or a recipient which nobody declares: a webhook or MCP tool
 * that such a rule can reach must name the field. Says what to write. The judge takes such a call
 * for the largest amount to a new recipient. Pure but for the engine's caches.
 */
import { defined } from '../../core/base/defined.ts';
import type { Cedar } from '../../core/judge/code/cedar-engine.ts';
import type { Declared, DeclaredTool, Targets } from '../../core/judge/declared.ts';
import { type FactName, isFieldSent, suggestPath } from '../../core/store/declared-facts.ts';
import { acceptWords } from '../../core/tools/accept-words.ts';
import { type McpCatalogue, usableTools } from '../../core/tools/mcp-catalogue.ts';
import type { Webhooks } from '../../core/tools/webhooks.ts';
import type { PolicyRule } from './cedar.ts';
import { canReach } from './policy-reach.ts';

const ASKED = ['recipient', 'amount'] as const satisfies readonly FactName[];
type AskedFact = (typeof ASKED)[number];

/** The words that would declare what a target does not. */
interface Writable {
  readonly write?: { readonly [name in AskedFact]?: string | undefined } | undefined;
}
/** The declarations of all targets, as programs are told. */
export interface ShownTargets {
  readonly webhookCalls: Readonly<Record<string, Declared & Writable>>;
  readonly tools: Readonly<Record<string, DeclaredTool & Writable & { readonly server: string }>>;
}
export const NONE_SHOWN: ShownTargets = { webhookCalls: {}, tools: {} };

/** For the judge. */
export const readShown = ({ webhookCalls, tools }: ShownTargets): Targets => ({
  webhookCalls,
  findTool: (tool) => (Object.hasOwn(tools, tool) ? tools[tool] : undefined),
});

const USUAL = { recipient: ['to', 'string'], amount: ['amount', 'number'] } as const;

const lackedBy = (declared: Declared): readonly AskedFact[] => ASKED.filter((name) => declared[name] === undefined);

const webhookLine = (name: AskedFact, call: Webhooks['webhookCalls'][string]): string => {
  const path = suggestPath(name, call.body, isFieldSent(call));
  const [field, type] = USUAL[name];
  const schema = path === undefined ? `; it needs a field such as "${field}":{"type":"${type}"} in its "body"` : '';
  return `add "${name}":"${path ?? field}" to its entry in WEBHOOK_TARGETS (on AWS WEBHOOK_URLS)${schema}`;
};

const shown = <T extends Declared>({ recipient, amount, currency }: T, words: (name: AskedFact) => string) => {
  const facts = defined({ recipient, amount, currency });
  return { ...facts, write: Object.fromEntries(lackedBy(facts).map((name) => [name, words(name)])) };
};

/** As the judge takes them, with the line that would declare what is missing. */
export const showTargets = (webhookCalls: Webhooks['webhookCalls'], mcp: McpCatalogue): ShownTargets => ({
  webhookCalls: Object.fromEntries(
    Object.entries(webhookCalls).map(([name, call]) => [
      name,
      { ...shown(call, (fact) => webhookLine(fact, call)), ...(call.parts.length > 0 && { parts: call.parts }) },
    ]),
  ),
  tools: Object.fromEntries(
    mcp.servers.flatMap((server) =>
      usableTools({ ...mcp, servers: [server] }).map((tool) => {
        const words = (fact: AskedFact): string => {
          const path = suggestPath(fact, tool.inputSchema, () => true) ?? '<field>';
          return `npx passepartout mcp accept ${acceptWords(server, { ...tool, [fact]: path })}`;
        };
        return [tool.name, { ...shown(tool, words), server: server.name, remote: tool.remote }];
      }),
    ),
  ),
});

const QUESTIONS: Readonly<Record<AskedFact, string>> = {
  recipient: 'who receives a call of',
  amount: 'the amount of a call of',
};

/** @returns a sentence for each rule and target; empty if all that is asked for is declared */
export const findUndeclared = (
  cedar: Cedar,
  rules: readonly PolicyRule[],
  { webhookCalls, tools }: ShownTargets,
): readonly string[] => {
  const places = [
    ...Object.entries(webhookCalls).map(([name, target]) => {
      const call = { action: 'call-webhook', to: name, args: { webhook: name } };
      return { what: `the webhook ${name}`, target, call };
    }),
    ...Object.entries(tools).map(([name, target]) => {
      const { server, remote } = target;
      return { what: name, target, call: { action: 'mcp-call', to: `mcp-${server}`, args: { server, tool: remote } } };
    }),
  ];
  return rules.flatMap((rule) =>
    places.flatMap(({ what, target, call }) => {
      const lacked = lackedBy(target).filter((name) => rule.asksFor.includes(name));
      if (lacked.length === 0 || !canReach(cedar, rule, call)) return [];
      return lacked.map(
        (name) =>
          `${rule.name} (line ${rule.line}) asks ${QUESTIONS[name]} ${what}, which names no field for it: ${target.write?.[name] ?? ''}; or name other targets in the rule`,
      );
    }),
  );
};
