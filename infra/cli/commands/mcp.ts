/**
 * `mcp list|add|accept|remove`: MCP servers and their tools. Says it as the command of the chat
 * does; whoever has the approver's token here has named the address or the hash themselves, so that
 * their yes is given with it.
 */
import { randomUUID } from 'node:crypto';
import { CARD_TEXT, type SignalAnswer } from '../answers.ts';
import type { Client } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { CLI_POLL_MS, CLI_WAIT_S_DEFAULT } from '../limits.ts';
import { printable, printableLines } from '../printable.ts';
import { waitForTurn } from '../wait-for-turn.ts';

const VERBS: Readonly<Record<string, number>> = { list: 1, add: 3, accept: 3, remove: 2 };

/** Approves the one action of the command, and waits until it has ended. */
const approve = async ({ now, sleep }: CommandContext, client: Client, id: string): Promise<SignalAnswer> => {
  const { approvals } = await client.approvals();
  const found = approvals.find((one) => one.signalId === id)?.id;
  if (found === undefined) throw new CliError(EXIT.failed, "this needs the approver's token, or a yes in the chat");
  await client.decide(found, 'approve');
  const end = now() + CLI_WAIT_S_DEFAULT * 1000;
  for (;;) {
    const view = await client.signal(id);
    if (view.state !== 'suspended' && view.replies.some((text) => text !== CARD_TEXT)) return view;
    if (now() > end)
      throw new CliError(EXIT.failed, `it has not ended yet; passepartout why ${printable(id)} says how far it is`);
    await sleep(CLI_POLL_MS.at(-1) ?? 1000);
  }
};

export const mcp: Command = {
  name: 'mcp',
  usage: 'list | add <name> <address> | accept <name> <hash> | remove <name>',
  summary: 'tools of other servers (MCP): see, let in, accept, take away',
  argCount: [1, 3],
  run: async (context): Promise<ExitCode> => {
    const { args, terminal, now, sleep } = context;
    const [verb = ''] = args;
    if (!Object.hasOwn(VERBS, verb) || VERBS[verb] !== args.length)
      throw new CliError(EXIT.usage, `usage: passepartout mcp ${mcp.usage}`);
    const client = await context.client();
    const text = `/mcp ${args.join(' ')}`;
    const { id } = await client.post({ text, session: 'main', idempotencyKey: randomUUID() });
    const { view } = await waitForTurn({ client, now, sleep }, id, CLI_WAIT_S_DEFAULT * 1000);
    const ended = view.turn === 'waiting' ? await approve(context, client, id) : view;
    if (terminal.isJson) terminal.json(ended);
    else for (const reply of ended.replies) if (reply !== CARD_TEXT) terminal.line(printableLines(reply));
    return ended.effects.every(({ state }) => state === 'done') ? EXIT.ok : EXIT.failed;
  },
};
