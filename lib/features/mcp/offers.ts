/**
 * The tools that a server on one of the owner's machines offers, as the machine said it last: a
 * request that the machine signed, kept in a row of its own. `mcp add` and `mcp list` read it.
 */
import * as z from 'zod/mini';
import { JsonObject } from '../../core/base/json.ts';
import { MCP_SERVER_NAME } from '../../core/signal/mcp-name.ts';
import { type Key, runnerKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Table } from '../../core/store/table.ts';
import { MCP_TOOLS_MAX, type McpTool } from '../../core/tools/mcp-catalogue.ts';

/** Characters of a machine's own words about a fault. */
const PROBLEM_CHARS_MAX = 300;

/** The word of a machine about one server: its tools, or why there are none. */
export const MachineOffer = z.strictObject({
  server: z.string().check(z.regex(MCP_SERVER_NAME)),
  /** Of all its tools, also those that cannot be used. */
  count: z.int(),
  tools: z
    .array(z.strictObject({ name: z.string(), description: z.string(), inputSchema: JsonObject, isRead: z.boolean() }))
    .check(z.maxLength(MCP_TOOLS_MAX)),
  problem: z.optional(z.string().check(z.maxLength(PROBLEM_CHARS_MAX))),
});
export type MachineOffer = z.infer<typeof MachineOffer>;

export const buildOffer = (server: string, offered: readonly McpTool[], count: number): MachineOffer => ({
  server,
  count,
  tools: offered.map(({ remote, description, inputSchema, declaresRead }) => ({
    name: remote,
    description,
    inputSchema,
    isRead: declaresRead === true,
  })),
});

export const buildNoOffer = (server: string, problem: string): MachineOffer => ({
  server,
  count: 0,
  tools: [],
  problem: problem.toWellFormed().slice(0, PROBLEM_CHARS_MAX),
});

const Row = z.object({ schemaVersion: z.literal(1), offer: z.string() });

const offerKey = (space: string, machine: string, server: string): Key => ({
  pk: runnerKeys.partition(space),
  sk: `offer#${machine}#${server}`,
});

/** The newest word counts. */
export const keepOffer = async (
  table: Pick<Table, 'put'>,
  space: string,
  machine: string,
  offer: MachineOffer,
): Promise<void> => {
  await table.put(offerKey(space, machine, offer.server), { schemaVersion: 1, offer: JSON.stringify(offer) });
};

/** @returns undefined if the machine said nothing of this server that can be read */
export const loadOffer = async (
  table: Pick<Table, 'load'>,
  space: string,
  machine: string,
  server: string,
): Promise<MachineOffer | undefined> => {
  const row = Row.safeParse(await loadItem(table, offerKey(space, machine, server)));
  return row.success ? MachineOffer.safeParse(JSON.parse(row.data.offer)).data : undefined;
};
