/**
 * Says who receives an action, and how much, as somebody vouches for it: the owner's declaration of
 * a webhook or MCP tool, or code that resolved the chat of a text. A field that only a model names
 * is never such a fact. A target without a declaration counts as itself. Pure.
 */
import { canonicalJson } from '../../core/base/canonical.ts';
import { withoutHidden } from '../../core/base/hidden-text.ts';
import { findDeclared, type Targets } from '../../core/judge/declared.ts';
import type { Vouched } from '../../core/judge/space-policy.ts';
import { type Action, withOneName } from '../../core/signal/action.ts';
import { isMcpTool, mcpTargetOf } from '../../core/signal/mcp-name.ts';
import { valueAt } from '../../core/store/declared-facts.ts';

/** A policy knows every tool of another server as `mcp-call`, and each webhook by one spelling. */
export const policyActionOf = (action: Action, { findTool }: Targets): Action => {
  const target = mcpTargetOf(action.tool);
  if (target === undefined) return withOneName(action);
  const tool = findTool?.(action.tool ?? '')?.remote ?? (action.tool ?? '').slice(target.length + 1);
  return { ...action, tool: 'mcp-call', args: { server: (action.to ?? '').replace(/^mcp-/, ''), tool } };
};

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

export const vouchedOf = (action: Action, targets: Targets): Vouched => {
  const { target, url = '', args } = action;
  if (target !== 'webhook') return { recipient: '', amount: 0, url };
  const { recipient, amount, currency, parts = [] } = findDeclared(action, targets);
  const fields = isMcpTool(action.tool) ? args : args?.body;
  const isCurrencyGiven = currency === undefined || typeof valueAt(fields, currency) === 'string';
  return {
    recipient: recipient === undefined ? undefined : readRecipient(valueAt(fields, recipient)),
    amount: amount === undefined ? undefined : isCurrencyGiven ? readAmount(valueAt(fields, amount)) : AMOUNT_MAX,
    url: parts.length > 0 ? '' : url,
  };
};
