/** Leaves out what an MCP server repeats of our secrets: tools, results, data of events (I11). */
import { OUTPUT_HIDDEN } from '../../core/evidence/runner-records.ts';
import { findSecret } from '../../core/gates/rules/find-secrets.ts';
import type { McpSession } from './servers.ts';
import type { EventServer, McpOutcome, ServerAccess } from './session.ts';

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

/** An event that repeats one comes without its data. */
const cleanEvents = (server: EventServer, access: ServerAccess, secrets: ReadonlyMap<string, string>): EventServer => ({
  ...server,
  poll: async (...asked) => {
    const page = await server.poll(...asked);
    if (typeof page === 'number') return page;
    const known = new Map([...secrets, ...(access.login?.shown ?? [])]);
    const isClean = (one: object): boolean => findSecret(JSON.stringify(one), known)?.isConfigured !== true;
    return {
      ...page,
      events: page.events.map((one) => (isClean(one) ? one : { ...one, data: { text: OUTPUT_HIDDEN } })),
    };
  },
});

export const offerWithout = (
  { listServerTools, callServerTool, withServerEvents }: McpSession,
  secrets: ReadonlyMap<string, string>,
): McpSession => ({
  withServerEvents: (access, work) => withServerEvents(access, (server) => work(cleanEvents(server, access, secrets))),
  listServerTools: async (...asked) => clean(await listServerTools(...asked), asked[0], secrets),
  callServerTool: async (...called) => clean(await callServerTool(...called), called[0], secrets),
});
