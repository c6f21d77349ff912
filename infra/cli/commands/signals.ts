/** `signals`, `redrive`, and `effects resolve`: what a person found out about an unknown effect. */

import type * as z from 'zod/mini';
import { defined } from '../../../lib/core/base/defined.ts';
import { signals } from '../../../lib/core/edge/console/console-verbs.ts';
import { why } from '../../../lib/core/verbs/signals/operations.ts';
import { sensorWords } from '../../../lib/core/verbs/signals/sensor-words.ts';
import { performLook, redriveSignal, resolveEffect } from '../client.ts';
import type { Command } from '../command.ts';
import type { LocalPart, LocalParts } from '../operation-command.ts';
import { CliError, EXIT, paintWith, printable, printableCut, show } from '../terminal.ts';

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

export const redrive: Command = {
  name: 'redrive',
  usage: '<signal>',
  summary: 'take up a dead-lettered signal again; nothing already done is repeated',
  argCount: [1, 1],
  run: async ({ args, access, terminal }) => {
    const stack = await access();
    // It may be the start of an id.
    const { id } = await performLook(stack, why, { id: args[0] ?? '' });
    const answer = await redriveSignal(stack, id);
    show(terminal, answer, [`${printable(answer.id)} is on its way again`]);
    return EXIT.ok;
  },
};

interface Resolution {
  readonly signalId: string;
  readonly n: number;
  readonly resolution: 'done' | 'retry';
}

/** Reads `<signal>#<n> done`, and `<signal> <n> done`. @throws CliError (exit 2) */
export const parseResolution = (args: readonly string[]): Resolution => {
  const [verb, target = '', ...rest] = args;
  const [, signalId = target, inTarget] = /^(.+)#(\d{1,3})$/.exec(target) ?? [];
  const [n = '', resolution, ...more] = inTarget === undefined ? rest : [inTarget, ...rest];
  const isKnown = resolution === 'done' || resolution === 'retry';
  if (verb !== 'resolve' || more.length > 0 || !/^\d{1,3}$/.test(n) || !isKnown)
    throw new CliError(EXIT.usage, 'usage: npx passepartout effects resolve <signal>#<n> done|retry');
  return { signalId, n: Number(n), resolution };
};

export const effects: Command = {
  name: 'effects',
  usage: 'resolve <signal>#<n> done|retry',
  summary: 'say what became of an effect that failed or is unknown: it happened, or may be tried again',
  argCount: [3, 4],
  run: async ({ args, access, terminal }) => {
    const { signalId, n, resolution } = parseResolution(args);
    const answer = await resolveEffect(await access(), signalId, n, resolution);
    const outcome = resolution === 'done' ? 'counts as done' : 'will be tried again';
    show(terminal, answer, [`effect ${n} of ${printable(answer.id)} ${outcome}`]);
    return EXIT.ok;
  },
};
