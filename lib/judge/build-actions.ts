/**
 * Turns a proposal into the actions that the gates judge. Every default is filled in here, before
 * the first gate (I4): where a reply goes, which address a webhook has. Nothing the model wrote can
 * set author, template, card or route.
 */
import { defined } from '../base/defined.ts';
import { type Action, normaliseName, replyAction, ToolName } from '../signal/action.ts';
import type { Proposal, ProposedCall } from '../signal/decision.ts';
import { mcpTargetOf } from '../signal/mcp-name.ts';
import type { ReplyRoute } from '../signal/signal.ts';
import { findTool } from '../tools/catalogue.ts';

type WebhookUrls = Readonly<Record<string, string>>;

/** @param webhookUrls configured outgoing webhooks and MCP servers (`mcp-<server>`), name → URL */
export const buildActions = (proposal: Proposal, reply: ReplyRoute, webhookUrls: WebhookUrls): readonly Action[] => [
  ...(proposal.text === undefined || proposal.text === '' ? [] : [replyAction(proposal.text, reply)]),
  ...proposal.calls.map((call) => buildCall(call, webhookUrls)),
];

const buildCall = (call: ProposedCall, webhookUrls: WebhookUrls): Action => {
  const name = ToolName.safeParse(normaliseName(call.tool));
  const base = {
    // A call with an unusable name stays in the trace, as a call of a tool that does not exist.
    tool: name.success ? name.data : 'unknown-tool',
    args: call.args,
    explanation: call.explanation,
    author: 'model',
  } as const;
  const server = mcpTargetOf(base.tool);
  if (server === undefined && findTool(base.tool)?.target !== 'webhook') return { ...base, target: 'tool' };
  const to = server ?? (typeof call.args.webhook === 'string' ? normaliseName(call.args.webhook) : '');
  const url = Object.hasOwn(webhookUrls, to) ? webhookUrls[to] : undefined;
  return { ...base, target: 'webhook', to, ...defined({ url }) };
};
