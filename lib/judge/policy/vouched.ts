/**
 * Says who receives an action, and how much, as somebody vouches for it: the owner's declaration of
 * a webhook or MCP tool, or code that resolved the chat of a text. A field that only a model names
 * is never such a fact. A target without a declaration counts as itself. Pure.
 */
import { canonicalJson } from '../../base/canonical.ts';
import { withoutHidden } from '../../base/hidden-text.ts';
import type { Action } from '../../signal/action.ts';
import { isMcpTool } from '../../signal/mcp-name.ts';
import { type DeclaredFacts, FACT_NAMES, valueAt } from '../../store/declared-facts.ts';
import { mcpKey } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Table } from '../../store/table.ts';
import { type McpCatalogue, NO_MCP, readMcpCatalogue, usableTools } from '../../tools/mcp/catalogue.ts';
import type { Webhooks } from '../../tools/webhooks.ts';

/** @see DeclaredFacts */
export interface Declared extends DeclaredFacts {
  /** Its address is made of fields of the call, so it tells no calls apart. */
  readonly hasParts?: true | undefined;
}

/** The owner's declarations: of webhooks by name, of MCP tools by their whole name. */
export interface Targets {
  readonly webhooks: Readonly<Record<string, Declared>>;
  readonly tools: Readonly<Record<string, Declared>>;
}
export const NO_TARGETS: Targets = { webhooks: {}, tools: {} };

const factsOf = (given: DeclaredFacts): DeclaredFacts =>
  Object.fromEntries(FACT_NAMES.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));

export const targetsOf = (webhookCalls: Webhooks['webhookCalls'] = {}, mcp: McpCatalogue = NO_MCP): Targets => ({
  webhooks: Object.fromEntries(
    Object.entries(webhookCalls).map(([name, call]) => [
      name,
      { ...factsOf(call), ...(call.parts.length > 0 && { hasParts: true as const }) },
    ]),
  ),
  tools: Object.fromEntries(usableTools(mcp).map((tool) => [tool.name, factsOf(tool)])),
});

export const loadTargets = async (
  table: Pick<Table, 'load'>,
  space: string,
  webhookCalls: Webhooks['webhookCalls'] | undefined,
): Promise<Targets> => targetsOf(webhookCalls, readMcpCatalogue(await loadItem(table, mcpKey(space))));

export interface Vouched {
  /** Empty for the target itself; undefined if it declares none, or it cannot be read. */
  readonly recipient: string | undefined;
  /** In hundredths; undefined if the target declares none. */
  readonly amount: number | undefined;
  /** The address, if it does not depend on what is sent. */
  readonly url: string;
}

/** Stands for an amount that cannot be read, and for more: a limit stops it. */
export const AMOUNT_MAX = 1_000_000_000_000;

/** One spelling: without case, hidden characters and further spaces. */
const readRecipient = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return value === undefined ? undefined : canonicalJson(value);
  return withoutHidden(value.normalize('NFKC')).replace(/\s+/gu, ' ').trim().toLowerCase();
};

/** In hundredths, rounded up. */
export const readAmount = (value: unknown): number => {
  const isPlain = typeof value === 'number' || (typeof value === 'string' && /^\d{1,12}(?:\.\d+)?$/.test(value));
  const hundredths = isPlain ? Math.ceil(Math.abs(Number(value)) * 100 - 1e-6) : AMOUNT_MAX;
  return Math.min(hundredths, AMOUNT_MAX);
};

const findDeclared = ({ tool = '', to = '' }: Action, { webhooks, tools }: Targets): Declared => {
  const [known, name] = isMcpTool(tool) ? [tools, tool] : [webhooks, to];
  return (Object.hasOwn(known, name) ? known[name] : undefined) ?? {};
};

export const vouchedOf = (action: Action, targets: Targets): Vouched => {
  const { target, url = '', args } = action;
  if (target !== 'webhook') return { recipient: '', amount: 0, url };
  const { recipient, amount, currency, hasParts } = findDeclared(action, targets);
  const fields = isMcpTool(action.tool) ? args : args?.body;
  const isCurrencyGiven = currency === undefined || typeof valueAt(fields, currency) === 'string';
  return {
    recipient: recipient === undefined ? undefined : readRecipient(valueAt(fields, recipient)),
    amount: amount === undefined ? undefined : isCurrencyGiven ? readAmount(valueAt(fields, amount)) : AMOUNT_MAX,
    url: hasParts ? '' : url,
  };
};
