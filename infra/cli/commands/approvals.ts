/**
 * `approvals` lists actions that wait for a person, or all flight plans: what was asked, and what
 * became of it. `approve` and `deny` decide on one exact action, and wait until that is done.
 */

import { findTypedId } from '../../../lib/approvals/approval.ts';
import { GRANT_HOURS_DEFAULT, GRANT_USES_DEFAULT } from '../../../lib/base/limits.ts';
import type { ShownApproval } from '../answers.ts';
import { decideApproval, loadApprovals, type StackAccess } from '../client.ts';
import type { Command, CommandContext } from '../command.ts';
import { approvalLine, approvalLines, decidingLines } from '../describe-action.ts';
import { CliError, EXIT, type ExitCode, printable, shellLines, show } from '../terminal.ts';
import { waitForAnswer } from '../turn.ts';

const LIST_ALL = 'npx passepartout approvals --all lists them';

export const approvals: Command = {
  name: 'approvals',
  usage: '[approval]',
  summary: 'list what waits for an approval, or show all of one',
  options: {
    all: { type: 'boolean', help: 'all of each, and also those that are decided, newest first' },
    state: { type: 'string', value: 'state', help: 'only plan, approved, denied, expired or done' },
  },
  argCount: [0, 1],
  run: async ({ access, args: [wanted = ''], terminal, now, flag, text }) => {
    const hasAll = flag('all') || wanted !== '';
    const state = text('state') ?? (hasAll ? 'all' : undefined);
    const answer = await loadApprovals(await access(), state);
    const found = answer.approvals.filter(({ id }) => wanted === '' || id?.startsWith(wanted.toLowerCase()));
    if (wanted !== '' && found.length === 0)
      throw new CliError(EXIT.failed, `no approval begins with ${printable(wanted)}`, LIST_ALL);
    const isOpen = ({ stage }: ShownApproval): boolean => stage === 'PLAN';
    const lines = hasAll
      ? found.flatMap((approval) => [
          ...approvalLines(approval, now(), true),
          ...(isOpen(approval) ? decidingLines(approval, 'shell', true) : []),
        ])
      : [
          ...found.map((approval) => approvalLine(approval, now())),
          ...found
            .filter(isOpen)
            .slice(0, 1)
            .flatMap(({ id }) => decidingLines({ id: id && '<id>' }, 'shell')),
        ];
    show(terminal, { ...answer, approvals: found }, lines);
    if (terminal.isJson) return EXIT.ok;
    if (found.length === 0) terminal.remark(state === undefined ? 'nothing waits for an approval' : 'no approvals');
    return EXIT.ok;
  },
};

const WHOLE_ID = /^[0-9a-f]{32}$/;

/** @param given a whole id, or the start of exactly one. @throws CliError */
export const findApprovalId = async (access: StackAccess, given: string): Promise<string> => {
  if (WHOLE_ID.test(given.toLowerCase())) return given.toLowerCase();
  const { approvals: all } = await loadApprovals(access, 'all');
  const found = findTypedId(
    all.flatMap(({ id }) => id ?? []),
    given,
  );
  if (found !== undefined) return found;
  throw new CliError(EXIT.usage, 'that is not the id of one approval', 'npx passepartout approvals lists them');
};

const decide = async (context: CommandContext, decision: 'approve' | 'allow-similar' | 'deny'): Promise<ExitCode> => {
  const { terminal } = context;
  const access = await context.access();
  const approvalId = await findApprovalId(access, context.args[0] ?? '');
  const accepted = await decideApproval(access, approvalId, decision);
  const { view, isTimedOut } = await waitForAnswer(context, accepted.id);
  const why = `npx passepartout why ${printable(accepted.id)}`;
  show(terminal, view, view.replies.map(shellLines));
  if (isTimedOut && !terminal.isJson) terminal.remark(`accepted, and still under way: ${why}`);
  else if (view.replies.length === 0 && !terminal.isJson) terminal.remark(`accepted; ${why} says what became of it`);
  const { approvals: all } = await loadApprovals(access, 'all');
  const stage = all.find(({ id }) => id === approvalId)?.stage ?? '';
  const isAsWanted = (decision === 'deny' ? ['DENIED'] : ['APPROVED', 'DONE']).includes(stage);
  return !isTimedOut && isAsWanted ? EXIT.ok : EXIT.failed;
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
