/** `signals`: the list in columns, as wide as the terminal. */

import type * as z from 'zod/mini';
import { defined } from '../../../lib/core/base/defined.ts';
import { signals } from '../../../lib/core/edge/console/console-verbs.ts';
import { sensorWords } from '../../../lib/core/verbs/signals/sensor-words.ts';
import { performLook } from '../client.ts';
import type { LocalPart, LocalParts } from '../operation-command.ts';
import { EXIT, paintWith, printable, printableCut, show } from '../terminal.ts';

const STATE_CHARS = 13;
/** Fewer say too little: the id has a line of its own then. */
const TEXT_CHARS_MIN = 30;

type Listed = z.output<typeof signals.data>['signals'][number];

/** Its name, and not what somebody wrote. */
const isOwn = ({ about, sensor = '', text }: Listed): boolean => about !== undefined || text === sensorWords(sensor);

const list: LocalPart = {
  options: {
    state: { type: 'string', value: 'state', help: 'only those in this state' },
    limit: { type: 'string', value: 'n', help: 'at most so many, 1 to 100 (default 20)' },
    cursor: { type: 'string', value: 'cursor', help: 'go on where an earlier list ended' },
  },
  run: async ({ access, terminal, text }) => {
    const query = defined({ state: text('state'), limit: text('limit'), cursor: text('cursor') });
    const { lines: _, ...answer } = await performLook(await access(), signals, query);
    const paint = paintWith(terminal);
    const idChars = Math.max(0, ...answer.signals.map(({ id }) => id.length));
    const states = answer.signals.map(({ outcome, state }) => terminal.say(printable(outcome ?? state)));
    const stateChars = Math.max(STATE_CHARS, ...states.map(({ length }) => length));
    const roomChars = terminal.columns - stateChars - 20;
    const textChars = roomChars - idChars - 2;
    const isOneLine = textChars >= TEXT_CHARS_MIN;
    const filter = (['state', 'limit'] as const).flatMap((name) =>
      text(name) === undefined ? [] : [`--${name} ${text(name)}`],
    );
    const lines = answer.signals.map((signal, n) => {
      const at = `${new Date(signal.receivedAt).toISOString().slice(5, 19).replace('T', ' ')}Z`;
      const state = paint(signal.outcome ?? signal.state, (states[n] ?? '').padEnd(stateChars));
      const words = isOwn(signal) ? terminal.say(signal.text) : signal.text;
      const id = printable(signal.id);
      return isOneLine
        ? `${at}  ${state}  ${id.padEnd(idChars)}  ${printableCut(words, textChars)}`
        : `${at}  ${state}  ${printableCut(words, Math.max(roomChars, TEXT_CHARS_MIN))}\n  ${terminal.paint('dim', id)}`;
    });
    show(terminal, answer, lines);
    if (terminal.isJson) return EXIT.ok;
    if (lines.length === 0) terminal.remark(answer.cursor === undefined ? 'no signals' : 'no signals among the newest');
    if (answer.cursor !== undefined)
      terminal.remark(
        `older ones: npx passepartout signals ${[...filter, `--cursor ${answer.cursor}`].map(printable).join(' ')}`,
      );
    return EXIT.ok;
  },
};

export const signalsParts: LocalParts = { '': list };
