/** `approvals` shows each action in its own words, which no answer of a chat repeats. */
import { approvals, type ShownApproval } from '../../../lib/core/verbs/approvals/operations.ts';
import { performLook } from '../client.ts';
import type { CommandContext } from '../command.ts';
import { approvalLine, approvalLines, decidingLines } from '../describe-action.ts';
import type { LocalParts } from '../operation-command.ts';
import { CliError, EXIT, type ExitCode, printable, show } from '../terminal.ts';

const LIST_ALL = 'npx passepartout approvals --all lists them';

const isOpen = ({ stage }: ShownApproval): boolean => stage === 'PLAN';

const list = async (context: CommandContext, [wanted = '']: readonly string[]): Promise<ExitCode> => {
  const { access, terminal, now, flag, text } = context;
  const hasAll = flag('all') || wanted !== '';
  const state = text('state') ?? (hasAll ? 'all' : undefined);
  const answer = await performLook(await access(), approvals, state === undefined ? {} : { state });
  const found = answer.approvals.filter(({ id }) => wanted === '' || id?.startsWith(wanted.toLowerCase()));
  if (wanted !== '' && found.length === 0)
    throw new CliError(EXIT.failed, `no approval begins with ${printable(wanted)}`, LIST_ALL);
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
  if (found.length === 0 && !terminal.isJson)
    terminal.remark(state === undefined ? 'nothing waits for an approval' : 'no approvals');
  return EXIT.ok;
};

export const approvalsParts: LocalParts = {
  '': {
    form: '[approval]',
    options: {
      all: { type: 'boolean', help: 'all of each, and also those that are decided, newest first' },
      state: { type: 'string', value: 'state', help: 'only plan, approved, denied, expired or done' },
    },
    run: list,
  },
};
