/** The verbs of settings: which chats are served, and which tools of other servers there are. */
import * as z from 'zod/mini';
import { ChatId } from '../../ledger/paired-chats.ts';
import type { Change } from '../../operations/operation.ts';
import { MCP_SERVER_NAME } from '../../signal/mcp-name.ts';

const list = { kind: 'change', args: z.strictObject({}), needs: 'owner', isDefault: true } as const;
const changing = { kind: 'change', needs: 'approver', isTypedYes: true } as const;

export const chatsList = {
  ...list,
  name: 'chats list',
  summary: 'the paired chats; a new one is paired in a terminal: npx passepartout pair',
  where: 'named',
} as const satisfies Change;

export const chatsRemove = {
  ...changing,
  name: 'chats remove',
  summary: 'serve a paired chat no more',
  args: z.strictObject({ chat: z.pipe(z.string().check(z.describe('id of the chat')), ChatId) }),
  words: ['chat'],
  where: 'named',
} as const satisfies Change;

const server = z
  .string()
  .check(
    z.regex(MCP_SERVER_NAME, { error: 'must be one lower-case word of at most 16 letters and digits' }),
    z.describe('name of the server'),
  );

export const mcpList = {
  ...list,
  name: 'mcp list',
  summary: 'the servers and their tools, and what changed since they were accepted',
} as const satisfies Change;

export const mcpAdd = {
  ...changing,
  name: 'mcp add',
  summary: 'ask a server which tools it offers, and show them',
  args: z.strictObject({
    server,
    url: z.pipe(
      z.url().check(z.describe('address of the server')),
      z.transform((url) => new URL(url).href),
    ),
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
  }),
  words: ['server', 'offer'],
} as const satisfies Change;

export const mcpRemove = {
  ...changing,
  name: 'mcp remove',
  summary: 'take a server and its tools away',
  args: z.strictObject({ server }),
  words: ['server'],
} as const satisfies Change;

export const SETTING_OPERATIONS = [chatsList, chatsRemove, mcpList, mcpAdd, mcpAccept, mcpRemove] as const;
