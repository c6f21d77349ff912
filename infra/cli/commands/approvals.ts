/**
 * `approvals`: what waits for a person; with `--all` or `--state`, the flight plans: what was asked
 * and what became of it.
 */
import type { Command } from '../command.ts';
import { approvalLines, planLines } from '../describe-action.ts';
import { EXIT } from '../exit-codes.ts';

export const approvals: Command = {
  name: 'approvals',
  usage: '',
  summary: 'list what waits for an approval',
  options: {
    all: { type: 'boolean', help: 'also those that are decided, newest first' },
    state: { type: 'string', value: 'state', help: 'only plan, approved, denied, expired or done' },
  },
  argCount: [0, 0],
  run: async ({ client, terminal, now, flag, text }) => {
    const state = text('state') ?? (flag('all') ? 'all' : undefined);
    const answer = await (state === undefined ? (await client()).approvals() : (await client()).plans(state));
    if (terminal.isJson) {
      terminal.json(answer);
      return EXIT.ok;
    }
    if (answer.approvals.length === 0)
      terminal.remark(state === undefined ? 'nothing waits for an approval' : 'no approvals');
    for (const approval of answer.approvals) {
      const isOpen = approval.stage === 'PLAN';
      for (const line of isOpen ? approvalLines(approval, now()) : planLines(approval)) terminal.line(line);
    }
    return EXIT.ok;
  },
};
