/**
 * Finds rules that ask for an amount or a recipient which nobody declares: a webhook or MCP tool
 * that such a rule can reach must name the field. Says what to write. The judge takes such a call
 * for the largest amount to a new recipient. Pure but for the engine's caches.
 */
import { type FactName, suggestPath } from '../../store/declared-facts.ts';
import { isFieldSent } from '../../store/setting-forms.ts';
import { acceptWords, type McpCatalogue, usableTools } from '../../tools/mcp/catalogue.ts';
import type { Webhooks } from '../../tools/webhooks.ts';
import type { PolicyRule } from './cedar.ts';
import { canReach } from './policy-reach.ts';
import type { Cedar } from './space-policy.ts';
import { type Declared, type Targets, targetsOf } from './vouched.ts';

const ASKED = ['recipient', 'amount'] as const satisfies readonly FactName[];
type Asked = (typeof ASKED)[number];

/** A target with the words that would declare what it does not. */
export interface ShownTarget extends Declared {
  /** Of an MCP tool: its server, and the server's own name for it. */
  readonly server?: string | undefined;
  readonly remote?: string | undefined;
  readonly write?: { readonly [name in Asked]?: string | undefined } | undefined;
}
export interface ShownTargets extends Targets {
  readonly webhooks: Readonly<Record<string, ShownTarget>>;
  readonly tools: Readonly<Record<string, ShownTarget>>;
}

const USUAL = { recipient: ['to', 'string'], amount: ['amount', 'number'] } as const;

const lackedBy = (declared: Declared): readonly Asked[] => ASKED.filter((name) => declared[name] === undefined);

const writeOf = (declared: Declared, words: (name: Asked) => string) =>
  Object.fromEntries(lackedBy(declared).map((name) => [name, words(name)]));

const webhookLine = (name: Asked, call: Webhooks['webhookCalls'][string]): string => {
  const path = suggestPath(name, call.body, isFieldSent(call));
  const [field, type] = USUAL[name];
  const schema = path === undefined ? `; it needs a field such as "${field}":{"type":"${type}"} in its "body"` : '';
  return `add "${name}":"${path ?? field}" to its entry in WEBHOOK_TARGETS (on AWS WEBHOOK_URLS)${schema}`;
};

/** As the judge takes them, with the line that would declare what is missing. */
export const showTargets = (webhookCalls: Webhooks['webhookCalls'] = {}, mcp: McpCatalogue): ShownTargets => {
  const { webhooks, tools } = targetsOf(webhookCalls, mcp);
  const known = usableTools(mcp).flatMap((tool) => {
    const server = mcp.servers.find(({ accepted }) => accepted.includes(tool));
    const declared = tools[tool.name];
    return server === undefined || declared === undefined ? [] : [{ tool, server, declared }];
  });
  return {
    webhooks: Object.fromEntries(
      Object.entries(webhookCalls).map(([name, call]) => {
        const declared = webhooks[name] ?? {};
        return [name, { ...declared, write: writeOf(declared, (fact) => webhookLine(fact, call)) }];
      }),
    ),
    tools: Object.fromEntries(
      known.map(({ tool, server, declared }) => {
        const words = (fact: Asked): string => {
          const path = suggestPath(fact, tool.inputSchema, () => true) ?? '<field>';
          return `npx passepartout mcp accept ${acceptWords(server, { ...tool, [fact]: path })}`;
        };
        return [tool.name, { ...declared, server: server.name, remote: tool.remote, write: writeOf(declared, words) }];
      }),
    ),
  };
};

const QUESTIONS: Readonly<Record<Asked, string>> = {
  recipient: 'who receives a call of',
  amount: 'the amount of a call of',
};

/** @returns a sentence for each rule and target; empty if all that is asked for is declared */
export const findUndeclared = (
  cedar: Cedar,
  rules: readonly PolicyRule[],
  { webhooks, tools }: ShownTargets,
): readonly string[] => {
  const places = [
    ...Object.entries(webhooks).map(([name, target]) => {
      const call = { action: 'call-webhook', to: name, args: { webhook: name } };
      return { what: `the webhook ${name}`, target, call };
    }),
    ...Object.entries(tools).map(([name, target]) => {
      const { server = '', remote = '' } = target;
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
