/**
 * The MCP server, both eras of the protocol from one factory (revision 2026-07-28, and 2025-11-25
 * and older). It holds no session and no power: each request carries the token of its caller, and
 * the console decides. A yes is given by an approver alone: an answer to an elicitation is never
 * read, only what became of the signal.
 */
import { createHash } from 'node:crypto';
import {
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { VERSION } from '../../core/base/version.ts';
import type { Scope } from '../../core/edge/console/tokens.ts';
import { type RunDeps, runTool, type ToolOutcome } from './run-tool.ts';
import { type DoorTool, toolsFor } from './tools.ts';

/** The caller, as the console knows the token. */
export interface DoorCaller {
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly token: string;
}

export interface ServeDeps extends RunDeps {
  readonly tools: readonly DoorTool[];
  readonly caller: DoorCaller;
  /** Address at which an approver decides. */
  readonly page: string;
  /** Whether the client speaks revision 2026-07-28 or newer. */
  readonly isModern: boolean;
}

/** The extension of events by its name (SEP-3415). */
const EVENTS = 'io.modelcontextprotocol/events';

/** An approver has this long to decide before the call has to be looked up by its id. */
const STATE_SECONDS_MAX = 3_600;

const Sealed = z.object({ id: z.string() });

const INSTRUCTIONS =
  'Tools of a personal agent whose every action is judged by gates. Some actions wait for a yes of its owner, ' +
  'which no tool here can give: tell the person where to decide, then call result with the id.';

/** A client that can open a page for its person is sent there; any other is told in words. */
const mayOpenPage = (server: Server): boolean => {
  const { elicitation } = server.getClientCapabilities() ?? {};
  return elicitation !== undefined && 'url' in elicitation;
};

const say = ({ text, data, isError }: Extract<ToolOutcome, { kind: 'answered' }>): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: { ...data },
  isError,
});

export const buildServer = (deps: ServeDeps): Server => {
  const { tools, caller, page, isModern } = deps;
  const mine = toolsFor(tools, caller.name, caller.scopes);
  const codec = createRequestStateCodec<{ readonly id: string }>({
    // Bound to the token: nobody else's state opens here, and no further secret is needed.
    key: createHash('sha256').update(`door state\n${caller.token}`).digest(),
    ttlSeconds: STATE_SECONDS_MAX,
    bind: ({ mcpReq }) => `${mcpReq.method}`,
  });
  const server = new Server(
    { name: 'passepartout', title: 'Passepartout', version: VERSION },
    {
      // Events are defined for the newest revision on.
      capabilities: { tools: {}, ...(isModern ? { extensions: { [EVENTS]: {} } } : {}) },
      instructions: INSTRUCTIONS,
      requestState: { verify: codec.verify },
    },
  );
  if (isModern) {
    // Loaded by the few requests that ask for them.
    const load = () => import('./events.ts');
    const params = z.looseObject({});
    server.setRequestHandler('events/list', { params }, async () =>
      (await load()).listEvents({ kind: 'script', ...caller }),
    );
    server.setRequestHandler('events/poll', { params }, async (asked) => (await load()).pollEvents(deps, asked));
  }
  server.setRequestHandler('tools/list', () => ({
    tools: mine.map(({ name, description, inputSchema, annotations }) => ({
      ...{ name, description, annotations },
      inputSchema: { ...inputSchema },
    })),
  }));
  const waitsFor = async (
    context: ServerContext,
    { id, text }: Extract<ToolOutcome, { kind: 'waiting' }>,
  ): Promise<CallToolResult | InputRequiredResult> => {
    if (!isModern || !mayOpenPage(server))
      return say({ kind: 'answered', text, data: { id, turn: 'waiting' }, isError: false });
    return inputRequired({
      inputRequests: { decide: inputRequired.elicitUrl({ message: text, url: page }) },
      requestState: await codec.mint({ id }, context),
    });
  };
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = mine.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'this token has no such tool; tools/list gives those it has',
      );
    const { data: sealed } = Sealed.safeParse(context.mcpReq.requestState());
    const outcome = await runTool(deps, tool, params.arguments ?? {}, sealed?.id).catch((error: unknown) => {
      if (error instanceof z.core.$ZodError)
        return { kind: 'answered', text: z.prettifyError(error), data: {}, isError: true } as const;
      throw error;
    });
    return outcome.kind === 'waiting' ? waitsFor(context, outcome) : say(outcome);
  });
  return server;
};
