/** The verb that subscribes to events of an MCP server. */
import * as z from 'zod/mini';
import type { Change } from '../../core/operations/operation.ts';
import { MCP_SERVER_NAME } from '../../core/signal/mcp-name.ts';
import { EVENT_NAMES } from './event-names.ts';

export const mcpEvents = {
  kind: 'change',
  name: 'mcp events',
  summary: 'which events a server has; with names: make the job that reads them',
  args: z.strictObject({
    server: z
      .string()
      .check(
        z.regex(MCP_SERVER_NAME, { error: 'must be one lower-case word of at most 16 letters and digits' }),
        z.describe('name of the server'),
      ),
    events: z.optional(
      z
        .string()
        .check(
          z.regex(EVENT_NAMES, { error: 'must be at most 8 names with commas between' }),
          z.describe('names of its events, with commas between'),
        ),
    ),
  }),
  words: ['server', 'events'],
  needs: 'approver',
  isTypedYes: true,
} as const satisfies Change;

export const POLLING_OPERATIONS = [mcpEvents] as const;
