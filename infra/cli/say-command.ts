/**
 * Says one of the chat's commands from a terminal, follows it until it is answered, and shows the
 * answer.
 */
import { randomUUID } from 'node:crypto';
import type { CommandContext } from './command.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { CLI_DECISION_WAIT_S } from './limits.ts';
import { printable, printableLines } from './printable.ts';
import { waitForTurn } from './wait-for-turn.ts';

/** @param isRefusal whether an answer, by how its fixed text begins, says that it was not done */
export const sayCommand = async (
  { client: connect, terminal, now, sleep }: CommandContext,
  text: string,
  isRefusal: (reply: string) => boolean,
): Promise<ExitCode> => {
  const client = await connect();
  const { id } = await client.post({ text, session: 'main', idempotencyKey: randomUUID() });
  const { view, outcome } = await waitForTurn({ client, now, sleep }, id, CLI_DECISION_WAIT_S * 1000);
  if (terminal.isJson) terminal.json(view);
  else for (const reply of view.replies) terminal.line(printableLines(reply));
  if (outcome !== 'timed-out') return view.replies.some(isRefusal) ? EXIT.failed : EXIT.ok;
  terminal.remark(`still ${printable(view.state)}; passepartout why ${printable(id)} says how far it is`);
  return EXIT.failed;
};

/** How the answers to `/identity` and `/skill` begin where nothing was changed. */
export const isSettingRefusal = (reply: string): boolean =>
  /^(Only an approver|Nothing was changed|That command)/.test(reply);
