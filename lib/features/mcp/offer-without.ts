/** Leaves out the tools of an MCP server whose description holds a secret (I11). */
import { OUTPUT_HIDDEN } from '../../core/evidence/runner-records.ts';
import { findSecret } from '../../core/gates/rules/find-secrets.ts';
import type { McpSession } from './servers.ts';
import type { McpOutcome, ServerAccess } from './session.ts';

/** A tool whose description holds a secret is none that an approver could accept. */
const cleanOffer = (outcome: McpOutcome, secrets: ReadonlyMap<string, string>): McpOutcome =>
  'offered' in outcome
    ? { ...outcome, offered: outcome.offered.filter((tool) => findSecret(JSON.stringify(tool), secrets) === undefined) }
    : outcome;

/** A server may repeat the token of a login that it was shown. */
const clean = (outcome: McpOutcome, { login }: ServerAccess, secrets: ReadonlyMap<string, string>): McpOutcome => {
  const shown = login?.shown ?? new Map<string, string>();
  const all = cleanOffer(outcome, new Map([...secrets, ...shown]));
  const isRepeated = all.kind === 'done' && findSecret(all.text, shown)?.isConfigured === true;
  return isRepeated ? { ...all, text: OUTPUT_HIDDEN } : all;
};

export const offerWithout = (
  { listServerTools, callServerTool, ...session }: McpSession,
  secrets: ReadonlyMap<string, string>,
): McpSession => ({
  ...session,
  listServerTools: async (...asked) => clean(await listServerTools(...asked), asked[0], secrets),
  callServerTool: async (...called) => clean(await callServerTool(...called), called[0], secrets),
});
