/** Asks at a terminal: with `@clack/prompts`, or as lines that a screen reader can follow. */
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { defined } from '../../../lib/core/base/defined.ts';
import type { CommandContext } from '../command.ts';
import { CliError, EXIT, type Terminal } from '../terminal.ts';

interface AnswerOption<V extends string> {
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
  /** @param first where the cursor stands, if a cursor chooses */
  readonly choose: <V extends string>(message: string, choices: readonly AnswerOption<V>[], first?: V) => Promise<V>;
  readonly confirm: (message: string) => Promise<boolean>;
  /** Tells that work goes on, until it ends. */
  readonly during: <T>(message: string, work: (report: (message: string) => void) => Promise<T>) => Promise<T>;
  readonly close: () => void;
}

/** Of a line about work that goes on: it fits a narrow terminal. */
const WORK_CHARS_MAX = 60;

const ended = (): CliError =>
  new CliError(EXIT.failed, 'the set-up was ended; what was taken is in .env', 'the same command goes on with it');

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

const askedWords = (say: Terminal['say'], message: string, current = ''): string =>
  current === '' ? say(message) : `${say(message)} ${say(`(Enter for ${current})`)}`;

const saidIf = (say: Terminal['say'], text: string | undefined): string | undefined => text && say(text);

const openPrompts = async ({ input, output, terminal: { say } }: CommandContext): Promise<Questions> => {
  const prompts = await import('@clack/prompts');
  const wordsOf = async (prompt: Promise<string | symbol>): Promise<string> => {
    const answer = await prompt;
    if (typeof answer === 'symbol') throw ended();
    return answer.trim();
  };
  return {
    title: (words) => prompts.log.step(say(words)),
    tell: (line) => prompts.log.message(say(line), { spacing: 0 }),
    // As in lines, Enter takes what is there: an address that is typed replaces it.
    ask: (message, check, current = '') =>
      wordsOf(
        prompts.text({
          message: askedWords(say, message, current),
          defaultValue: current,
          validate: (answer = '') => saidIf(say, check?.(answer.trim() || current)),
        }),
      ),
    askSecret: (message) => wordsOf(prompts.password({ message: say(message) })),
    choose: async (message, choices, first) => {
      const options = choices.map((choice) => ({
        ...choice,
        label: say(choice.label),
        ...defined({ hint: saidIf(say, choice.hint) }),
      }));
      const answer = await wordsOf(
        prompts.select<string>({ message: say(message), options, ...defined({ initialValue: first }) }),
      );
      const found = choices.find(({ value }) => value === answer);
      if (found === undefined) throw ended();
      return found.value;
    },
    confirm: async (message) => {
      const answer = await prompts.confirm({ message: say(message) });
      if (typeof answer === 'symbol') throw ended();
      return answer;
    },
    during: async (message, work) => {
      // The spinner of the prompts would end the process at Ctrl-C, as if all were well.
      const redraw = (words: string): void => void output.write(`\r\x1b[K${words}`);
      const report = (line: string): void => redraw(`│  ${say(line).slice(0, WORK_CHARS_MAX)} …`);
      // Raw mode: Ctrl-C reaches this process alone, and what is typed meanwhile is not shown.
      const reader = createInterface({ input, terminal: true });
      report(message);
      try {
        return await untilCtrlC(reader, work(report));
      } finally {
        reader.close();
        redraw('');
      }
    },
    close: () => undefined,
  };
};

const openLines = ({ input, output, terminal: { say } }: CommandContext): Questions => {
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
  const tell = (line: string): void => void output.write(`${say(line)}\n`);
  const readLine = async (): Promise<string> => {
    const { value, done } = await typed.next();
    if (done === true) throw ended();
    return value.trim();
  };
  const ask: Questions['ask'] = async (message, check, current) => {
    for (;;) {
      tell(askedWords(say, message, current));
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
        ({ label, hint }, n) => `  ${n + 1}  ${say(label)}${hint === undefined ? '' : ` (${say(hint)})`}`,
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
        /^(?:y|yes|j|ja|n|no|nein|)$/i.test(answer) ? undefined : 'Type y or n.';
      return /^[yj]/i.test(await ask(`${say(message)} (y/n)`, isAnswer));
    },
    during: (message, work) => {
      tell(`${say(message)} …`);
      return untilCtrlC(reader, work(tell));
    },
    close: () => reader.close(),
  };
};

/** @param isPlain asks with lines, whatever the terminal can */
export const openQuestions = (context: CommandContext, isPlain: boolean): Promise<Questions> => {
  const { env, input, output } = context;
  const isTerminal = 'isTTY' in input && input.isTTY === true && output.isTTY === true;
  const isWished = !isPlain && !env.NO_COLOR && !env.CI && env.TERM !== 'dumb';
  return isTerminal && isWished ? openPrompts(context) : Promise.resolve(openLines(context));
};
