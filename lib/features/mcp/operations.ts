/** The verbs of MCP: tools of other servers. */
import * as z from 'zod/mini';
import type { Change } from '../../core/operations/operation.ts';
import { MCP_FACTS_CHARS_MAX, MCP_SERVER_NAME } from '../../core/signal/mcp-name.ts';
import { machineOf } from '../../core/signal/runner-tools.ts';
import { SafeUrl } from '../../core/store/setting-forms.ts';

const changing = { kind: 'change', needs: 'approver', isTypedYes: true } as const;
const server = z
  .string()
  .check(
    z.regex(MCP_SERVER_NAME, { error: 'must be one lower-case word of at most 16 letters and digits' }),
    z.describe('name of the server'),
  );

export const mcpList = {
  kind: 'change',
  args: z.strictObject({}),
  needs: 'owner',
  isDefault: true,
  name: 'mcp list',
  summary: 'the servers and their tools, and what changed since they were accepted',
} as const satisfies Change;

const atMachine = (name: string): string => `runner://${name}/`;

/** An https address, or the name of a paired machine. */
const place = z.pipe(
  z.string().check(
    z.refine((given) => machineOf(atMachine(given)) !== undefined || SafeUrl.safeParse(given).success, {
      error: 'must be an https address (plain http only on this machine)',
    }),
    z.describe('address of the server, or the machine that starts it'),
  ),
  z.transform((given) => (machineOf(atMachine(given)) === undefined ? new URL(given).href : atMachine(given))),
);

export const mcpAdd = {
  ...changing,
  name: 'mcp add',
  summary: 'ask a server which tools it offers, and show them',
  undoes: { 'remove-mcp-server': '/mcp add, with its address, asks it anew.' },
  args: z.strictObject({
    server,
    url: place,
  }),
  words: ['server', 'url'],
} as const satisfies Change;

export const mcpAccept = {
  ...changing,
  name: 'mcp accept',
  summary: 'let in exactly the tools that were shown',
  args: z.strictObject({
    server,
    offer: z
      .string()
      .check(
        z.regex(/^[0-9a-f]{12}$/, { error: 'must be the hash that was shown' }),
        z.describe('hash that was shown with the tools'),
      ),
    facts: z.optional(
      z
        .string()
        .check(
          z.maxLength(MCP_FACTS_CHARS_MAX),
          z.describe('what policies count by, as in pay.amount=amount; reads that pass unasked, as in reads=list,get'),
        ),
    ),
  }),
  words: ['server', 'offer', 'facts…'],
} as const satisfies Change;

export const mcpRemove = {
  ...changing,
  name: 'mcp remove',
  summary: 'take a server and its tools away',
  undoes: { 'add-mcp-server': ['offered'], 'accept-mcp-server': ['accepted'] },
  args: z.strictObject({ server }),
  words: ['server'],
} as const satisfies Change;

export const MCP_OPERATIONS = [mcpList, mcpAdd, mcpAccept, mcpRemove] as const;
