/** Asks at a terminal, in lines that are never redrawn: a screen reader can follow them. */
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { CommandContext } from '../command.ts';
import { CliError, EXIT } from '../terminal.ts';

export interface Choice<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly hint?: string;
}

export interface Questions {
  /** Begins a step. */
  readonly title: (words: string) => void;
  readonly tell: (line: string) => void;
  /** @param check says what is wrong with an answer. @returns empty for no answer */
  readonly ask: (message: string, check?: (answer: string) => string | undefined, shown?: string) => Promise<string>;
  readonly askSecret: (message: string) => Promise<string>;
  readonly choose: <V extends string>(message: string, choices: readonly Choice<V>[]) => Promise<V>;
  readonly confirm: (message: string) => Promise<boolean>;
  /** Tells that work goes on, until it ends. */
  readonly during: <T>(message: string, work: (report: (message: string) => void) => Promise<T>) => Promise<T>;
  readonly close: () => void;
}

const ended = (): CliError =>
  new CliError(
    EXIT.failed,
    'the set-up was ended; what was taken is in .env',
    'npx passepartout setup goes on with it',
  );

/** Ctrl-C ends the set-up while it works, too. */
const untilCtrlC = async <T>(reader: Interface, work: Promise<T>): Promise<T> => {
  const done = new AbortController();
  const cancelled = once(reader, 'SIGINT', { signal: done.signal }).then(() => Promise.reject(ended()));
  try {
    return await Promise.race([work, cancelled]);
  } finally {
    done.abort();
  }
};

export const openQuestions = ({ input, output }: CommandContext): Questions => {
  let isHidden = false;
  const shown = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!isHidden) output.write(chunk.toString());
      done();
    },
  });
  const isTerminal = 'isTTY' in input && input.isTTY === true;
  const reader = createInterface({ input, output: shown, terminal: isTerminal });
  const typed = reader[Symbol.asyncIterator]();
  reader.on('SIGINT', () => reader.close());
  const tell = (line: string): void => void output.write(`${line}\n`);
  const readLine = async (): Promise<string> => {
    const { value, done } = await typed.next();
    if (done === true) throw ended();
    return value.trim();
  };
  const ask: Questions['ask'] = async (message, check, current) => {
    for (;;) {
      tell(current === undefined ? message : `${message} (Enter for ${current})`);
      const answer = (await readLine()) || (current ?? '');
      const problem = check?.(answer);
      if (problem === undefined) return answer;
      tell(problem);
    }
  };
  return {
    title: (words) => tell(`\n${words}`),
    tell,
    ask,
    askSecret: async (message) => {
      tell(message);
      isHidden = isTerminal;
      try {
        return await readLine();
      } finally {
        isHidden = false;
      }
    },
    choose: async (message, choices) => {
      const lines = choices.map(
        ({ label, hint }, n) => `  ${n + 1}  ${label}${hint === undefined ? '' : ` (${hint})`}`,
      );
      const isNumber = (answer: string): string | undefined =>
        choices[Number(answer) - 1] === undefined ? `Type a number from 1 to ${choices.length}.` : undefined;
      const answer = await ask([message, ...lines].join('\n'), isNumber);
      const found = choices[Number(answer) - 1];
      if (found === undefined) throw ended();
      return found.value;
    },
    confirm: async (message) => {
      const isAnswer = (answer: string): string | undefined =>
        /^(?:y|yes|n|no|)$/i.test(answer) ? undefined : 'Type y or n.';
      return /^y/i.test(await ask(`${message} (y/n)`, isAnswer));
    },
    during: (message, work) => {
      tell(`${message} …`);
      return untilCtrlC(reader, work(tell));
    },
    close: () => reader.close(),
  };
};
