/** `signals`: what came in and where it stands, newest first. */
import type { Command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { paintWith } from '../paint-word.ts';
import { printable, printableCut } from '../printable.ts';

const STATE_CHARS = 13;

export const signals: Command = {
  name: 'signals',
  usage: '',
  summary: 'list signals, newest first',
  options: {
    state: { type: 'string', value: 'state', help: 'only those in this state' },
    limit: { type: 'string', value: 'n', help: 'at most so many, 1 to 100 (default 20)' },
    cursor: { type: 'string', value: 'cursor', help: 'go on where an earlier list ended' },
  },
  argCount: [0, 0],
  run: async ({ client, terminal, text }) => {
    const query = new URLSearchParams();
    for (const name of ['state', 'limit', 'cursor']) {
      const value = text(name);
      if (value !== undefined) query.set(name, value);
    }
    const list = await (await client()).signals(query);
    if (terminal.isJson) {
      terminal.json(list);
      return EXIT.ok;
    }
    const paint = paintWith(terminal);
    const idChars = Math.max(0, ...list.signals.map((signal) => signal.id.length));
    for (const signal of list.signals) {
      const at = new Date(signal.receivedAt).toISOString().slice(5, 19).replace('T', ' ');
      const head = `${at}  ${paint(signal.state, printable(signal.state).padEnd(STATE_CHARS))}  ${printable(signal.id).padEnd(idChars)}`;
      const room = Math.max(20, terminal.columns - idChars - STATE_CHARS - 22);
      terminal.line(`${head}  ${printableCut(signal.text, room)}`);
    }
    if (list.signals.length === 0) terminal.remark('no signals');
    if (list.cursor !== undefined) terminal.remark(`more: --cursor ${printable(list.cursor)}`);
    return EXIT.ok;
  },
};
