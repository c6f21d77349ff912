/**
 * The MCP server a space has let in: everything its tool is called with is kept, and what it
 * answers to a task is whatever a test set for it. `letIn` is what an approver does once: add it,
 * and accept what it offers.
 */
import { type StrangeServer, startStrangeServer, tool } from '../support/mcp-server.ts';
import { APPROVER_TOKEN, type TestStack, until } from '../support/stack.ts';

export interface Tracker {
  readonly server: StrangeServer;
  /** Arguments of every call, as JSON. */
  readonly calls: readonly string[];
  /** What it answers when it is asked for this task. */
  readonly answers: Map<string, string>;
}

export const startTracker = async (): Promise<Tracker> => {
  const calls: string[] = [];
  const answers = new Map<string, string>();
  const server = await startStrangeServer(({ method, params }) => {
    if (method === 'tools/list')
      return { tools: [tool('find_issue', 'Finds issues.', { word: { type: 'string' }, id: { type: 'string' } })] };
    if (method !== 'tools/call') return undefined;
    const asked = JSON.stringify(params?.arguments);
    calls.push(asked);
    const task = [...answers.keys()].find((key) => asked.includes(`"${key}"`));
    return { content: [{ type: 'text', text: (task === undefined ? undefined : answers.get(task)) ?? 'no issue' }] };
  });
  return { server, calls, answers };
};

/** Types a command as the owner and says yes to it. @returns what it put out */
const command = async (stack: TestStack, text: string): Promise<string> => {
  const { body } = await stack.api<{ id: string }>('POST', '/api/messages', { text, session: 'setup' });
  await stack.settled(body.id);
  const { body: open } = await stack.api<{ approvals: { id: string; signalId: string }[] }>(
    'GET',
    '/api/approvals',
    undefined,
    APPROVER_TOKEN,
  );
  const asked = open.approvals.find(({ signalId }) => signalId === body.id);
  if (asked !== undefined)
    await stack.api('POST', `/api/approvals/${asked.id}`, { decision: 'approve' }, APPROVER_TOKEN);
  const view = await until(`${text.split(' ')[0]} is done`, async () => {
    const now = await stack.signal(body.id);
    return now.effects.some(({ state }) => state === 'done' || state === 'failed') && now.isTurnClosed && now;
  });
  const [effect] = view.effects;
  if (effect?.state !== 'done') throw new Error(`${text} is ${effect?.state}: ${effect?.reason}`);
  return effect.output ?? '';
};

export const letIn = async (stack: TestStack, { server }: Tracker): Promise<void> => {
  const offered = await command(stack, `/mcp add tracker ${server.url}`);
  const offer = /\/mcp accept tracker ([0-9a-f]{12})/.exec(offered)?.[1] ?? '';
  await command(stack, `/mcp accept tracker ${offer}`);
};

/** The owner has a note forgotten. */
export const forgetNote = async (stack: TestStack, id: string): Promise<void> => {
  await command(stack, `/forget ${id}`);
};
