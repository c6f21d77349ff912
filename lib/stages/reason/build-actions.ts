/**
 * From a proposal to the actions the gates judge. Every default is filled in here, before the first gate (I4): where a
 * reply goes, which address a webhook has. Nothing the model wrote can set author, template, card or route.
 */
import { defined } from '../../base/defined.ts';
import { type Action, normaliseName, ToolName } from '../../signal/action.ts';
import { mcpTargetOf } from '../../signal/mcp-name.ts';
import type { Proposal, ProposedCall } from '../../signal/proposal.ts';
import { replyAction } from '../../signal/reply.ts';
import type { ReplyRoute } from '../../signal/signal.ts';
import { findTool } from '../../tools/catalogue.ts';

/** @param webhookUrls configured outgoing webhooks and MCP servers (`mcp-<server>`), name → URL. */
export const buildActions = (
  proposal: Proposal,
  reply: ReplyRoute,
  webhookUrls: Readonly<Record<string, string>>,
): readonly Action[] => [
  ...(proposal.text === undefined || proposal.text === '' ? [] : [replyAction(proposal.text, reply)]),
  ...proposal.calls.map((call) => callAction(call, webhookUrls)),
];

const callAction = (call: ProposedCall, webhookUrls: Readonly<Record<string, string>>): Action => {
  const tool = ToolName.safeParse(normaliseName(call.tool));
  // An unusable name keeps the call as a call to a tool that does not exist, so that the trace says what was refused.
  const base = {
    tool: tool.success ? tool.data : 'unknown-tool',
    args: call.args,
    explanation: call.explanation,
    author: 'model',
  } as const;
  const server = mcpTargetOf(base.tool);
  if (server !== undefined) {
    const url = Object.hasOwn(webhookUrls, server) ? webhookUrls[server] : undefined;
    return { ...base, target: 'webhook', to: server, ...defined({ url }) };
  }
  if (findTool(base.tool)?.target !== 'webhook') return { ...base, target: 'tool' };
  const to = typeof call.args.webhook === 'string' ? normaliseName(call.args.webhook) : '';
  const url = Object.hasOwn(webhookUrls, to) ? webhookUrls[to] : undefined;
  return { ...base, target: 'webhook', to, ...defined({ url }) };
};
