/** `approvals`: what waits for a person. */
import type { Command } from '../command.ts';
import { approvalLines } from '../describe-action.ts';
import { EXIT } from '../exit-codes.ts';

export const approvals: Command = {
  name: 'approvals',
  usage: '',
  summary: 'list what waits for an approval',
  argCount: [0, 0],
  run: async ({ client, terminal, now }) => {
    const answer = await (await client()).approvals();
    if (terminal.isJson) {
      terminal.json(answer);
      return EXIT.ok;
    }
    if (answer.approvals.length === 0) terminal.remark('nothing waits for an approval');
    for (const approval of answer.approvals) for (const line of approvalLines(approval, now())) terminal.line(line);
    return EXIT.ok;
  },
};
