/**
 * `approve` and `deny`: a person's decision on one exact action, followed until it is known what
 * became of it.
 */

import { GRANT_HOURS_DEFAULT, GRANT_USES_DEFAULT } from '../../../lib/base/limits.ts';
import type { Client } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { CLI_DECISION_WAIT_S } from '../limits.ts';
import { printable, printableLines } from '../printable.ts';
import { waitForTurn } from '../wait-for-turn.ts';

const WHOLE_ID = /^[0-9a-f]{32}$/;
const ID_START = /^[0-9a-f]{6,31}$/;

/** A whole id, or the start of exactly one that waits. */
export const findApprovalId = async (client: Client, given: string): Promise<string> => {
  const wanted = given.toLowerCase();
  if (WHOLE_ID.test(wanted)) return wanted;
  if (!ID_START.test(wanted))
    throw new CliError(EXIT.usage, 'that is not an approval id', 'passepartout approvals lists them');
  const { approvals } = await client.approvals();
  const matching = approvals.flatMap(({ id }) => (id?.startsWith(wanted) ? [id] : []));
  const [only, ...others] = matching;
  if (only === undefined)
    throw new CliError(EXIT.failed, 'no waiting approval starts like that', 'passepartout approvals lists them');
  if (others.length > 0)
    throw new CliError(EXIT.usage, 'several waiting approvals start like that; give more of the id');
  return only;
};

const decide = async (context: CommandContext, decision: 'approve' | 'allow-similar' | 'deny'): Promise<ExitCode> => {
  const { terminal, now, sleep } = context;
  const client = await context.client();
  const id = await findApprovalId(client, context.args[0] ?? '');
  const accepted = await client.decide(id, decision);
  const { view, outcome } = await waitForTurn({ client, now, sleep }, accepted.id, CLI_DECISION_WAIT_S * 1000);
  if (terminal.isJson) terminal.json(view);
  else {
    for (const text of view.replies) terminal.line(printableLines(text));
    if (outcome === 'timed-out')
      terminal.remark(`accepted, and still under way: passepartout why ${printable(accepted.id)}`);
    else if (view.replies.length === 0)
      terminal.remark(`accepted; passepartout why ${printable(accepted.id)} says what became of it`);
  }
  if (outcome === 'timed-out') return EXIT.failed;
  return view.state === 'acted' ? EXIT.ok : EXIT.failed;
};

export const approve: Command = {
  name: 'approve',
  usage: '<approval>',
  summary: 'approve one waiting action, once',
  options: {
    similar: {
      type: 'boolean',
      help: `and let this very action pass in this conversation ${GRANT_USES_DEFAULT} more times within ${GRANT_HOURS_DEFAULT} h`,
    },
  },
  argCount: [1, 1],
  run: (context) => decide(context, context.flag('similar') ? 'allow-similar' : 'approve'),
};

export const deny: Command = {
  name: 'deny',
  usage: '<approval>',
  summary: 'deny one waiting action',
  argCount: [1, 1],
  run: (context) => decide(context, 'deny'),
};
