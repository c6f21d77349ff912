/** The verbs of logins at MCP servers. */
import * as z from 'zod/mini';
import { ProtocolError } from '../../core/base/errors.ts';
import type { Change } from '../../core/operations/operation.ts';
import { MCP_SERVER_NAME } from '../../core/signal/mcp-name.ts';

const server = z
  .string()
  .check(
    z.regex(MCP_SERVER_NAME, { error: 'must be one lower-case word of at most 16 letters and digits' }),
    z.describe('name of the server'),
  );
const changing = { kind: 'change', needs: 'approver', isTypedYes: true, words: ['server'] } as const;

/** A code with some claims, sealed. */
const ANSWER_CHARS_MAX = 12_000;

/** A browser's answer is a secret until it is spent: a terminal takes and seals it. */
export const mcpLogin = {
  ...changing,
  name: 'mcp login',
  summary: 'log in at a server in a browser; in a terminal only',
  undoes: { 'log-out-mcp-server': 'In a terminal, "npx passepartout mcp login <server>" logs in anew.' },
  args: z.strictObject({
    server,
    redirect: z.optional(
      z
        .string()
        .check(
          z.regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/callback$/, { error: 'must be an address of the terminal' }),
          z.describe('address to which the browser brings its answer'),
        ),
    ),
    answer: z.optional(
      z
        .string()
        .check(
          z.regex(/^[\w-]+$/, { error: 'must be sealed' }),
          z.maxLength(ANSWER_CHARS_MAX),
          z.describe('what the browser answered, sealed for this login'),
        ),
    ),
  }),
  readWords: (rest) => {
    throw new ProtocolError(
      `a browser asks you, and its answer is a secret; in a terminal: npx passepartout mcp login ${rest || '<server>'}`,
    );
  },
} as const satisfies Change;

export const mcpLogout = {
  ...changing,
  name: 'mcp logout',
  summary: 'log out of a server, revoke its tokens and erase them',
  undoes: { 'log-in-mcp-server': '/mcp logout, with the name of the server, ends the login.' },
  args: z.strictObject({ server }),
} as const satisfies Change;

export const CONSENT_OPERATIONS = [mcpLogin, mcpLogout] as const;
