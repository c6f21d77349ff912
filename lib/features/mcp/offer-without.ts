/** Leaves out the tools of an MCP server whose description holds a secret (I11). */
import { findSecret } from '../../core/gates/rules/find-secrets.ts';
import type { McpSession } from './servers.ts';
import type { McpOutcome } from './session.ts';

/** A tool whose description holds a secret is none that an approver could accept. */
const cleanOffer = (outcome: McpOutcome, secrets: ReadonlyMap<string, string>): McpOutcome =>
  'offered' in outcome
    ? { ...outcome, offered: outcome.offered.filter((tool) => findSecret(JSON.stringify(tool), secrets) === undefined) }
    : outcome;

export const offerWithout = (
  { listServerTools, callServerTool, ...session }: McpSession,
  secrets: ReadonlyMap<string, string>,
): McpSession => ({
  ...session,
  listServerTools: async (...asked) => cleanOffer(await listServerTools(...asked), secrets),
  callServerTool: async (...called) => cleanOffer(await callServerTool(...called), secrets),
});
