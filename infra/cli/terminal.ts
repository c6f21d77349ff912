/**
 * All that the command tells a person or a script. Results go to standard output, everything else
 * to standard error. With `--json` the result is one JSON value and nothing else.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { styleText } from 'node:util';
import { PassepartoutError } from '../../lib/core/base/errors.ts';
import { makeVisible } from '../../lib/core/base/make-visible.ts';

export const EXIT = {
  ok: 0,
  /** It failed, was refused, could not be reached, or had not ended in time. */
  failed: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /** `verify`: evidence agrees with itself, but a part is missing, or no key or anchor holds it. */
  unproven: 3,
  /** `verify`: the anchor has leaves that the export does not. */
  older: 4,
  /** `verify`: the file ends in the middle. */
  cut: 5,
  /** `verify`: an action that is no approval card is not shown. */
  withheld: 6,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a code. The message says what is wrong, `advice` what to do about it. */
export class CliError extends PassepartoutError {
  override readonly name: string = 'CliError';
  readonly exitCode: ExitCode;
  readonly advice: string;
  constructor(exitCode: ExitCode, message: string, advice = '') {
    super(message, false);
    this.exitCode = exitCode;
    this.advice = advice;
  }
}

/** @throws CliError if the folder of a file that is to be written is not there */
export const checkPlace = (file: string): void => {
  if (!existsSync(dirname(file))) throw new CliError(EXIT.usage, `there is no folder ${printable(dirname(file))}`);
};

/** @throws CliError (exit 2) if the file cannot be read */
export const readText = (folder: string, file: string): string => {
  try {
    return readFileSync(resolve(folder, file), 'utf8');
  } catch {
    throw new CliError(EXIT.usage, `${printable(file)} cannot be read`);
  }
};

type Style = Parameters<typeof styleText>[0];

export interface Stream {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Terminal {
  readonly isJson: boolean;
  /** Writes a result line. Text from outside must have gone through `printable` before. */
  readonly line: (text?: string) => void;
  /** The same for words that are not the command's own, which stay as they are. */
  readonly quote: (text: string) => void;
  readonly json: (value: unknown) => void;
  /** Writes a remark for the person, on standard error. */
  readonly remark: (text: string) => void;
  /** Writes one line that is overwritten, only on a terminal and not in JSON. Empty clears it. */
  readonly progress: (text: string) => void;
  readonly paint: (style: Style, text: string) => string;
  /** A text in the language of the terminal; its lines are said by themselves. */
  readonly say: (text: string) => string;
  readonly columns: number;
}

/** Lines to paste that talk to a stack; a runner, a witness and `verify` talk to none. */
const ON_STACK = /npx passepartout (?!(?:runner|verify|witness|help)\b|.*--stack)/g;

/**
 * @param stack the deployed stack that was named: lines to paste name it too
 * @param say says its lines in the language of the terminal
 */
export const buildTerminal = (
  out: Stream,
  err: Stream,
  isJson: boolean,
  env: Readonly<Record<string, string | undefined>>,
  stack?: string,
  say = (text: string): string => text,
): Terminal => {
  const isColour = out.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb' && !isJson;
  let hasProgress = false;
  const write = (stream: Stream, text: string, isOwn = true): void => {
    if (hasProgress) err.write('\r\u001b[K');
    hasProgress = false;
    const said = isJson || !isOwn ? text : say(text);
    stream.write(stack === undefined ? said : said.replace(ON_STACK, `$&--stack ${stack} `));
  };
  return {
    isJson,
    line: (text = '') => write(out, `${text}\n`),
    quote: (text) => write(out, `${text}\n`, false),
    json: (value) => write(out, `${JSON.stringify(value, null, 2)}\n`),
    remark: (text) => write(err, `${text}\n`),
    progress: (text) => {
      if (err.isTTY !== true || isJson) return;
      write(err, text);
      hasProgress = text !== '';
    },
    paint: (style, text) => (isColour ? styleText(style, say(text), { validateStream: false }) : text),
    say: isJson ? (text) => text : say,
    columns: out.columns ?? 120,
  };
};

/** Writes an answer: as JSON with `--json`, else as these lines. */
export const show = (terminal: Terminal, answer: unknown, lines: readonly string[]): void => {
  if (terminal.isJson) terminal.json(answer);
  else for (const line of lines) terminal.line(line);
};

/** The same with the words of a chat, which the stack says in the language of its reader. */
export const showWords = (terminal: Terminal, answer: unknown, words: readonly string[]): void => {
  if (terminal.isJson) terminal.json(answer);
  else for (const line of words) terminal.quote(line);
};

/** Text from outside as one line that moves no cursor and looks like nothing else. */
export const printable = (text: string): string => makeVisible(text);

export const causeOf = (error: unknown): string =>
  error instanceof Error ? printable(error.message.replace(/\s+/g, ' ')) || error.name : 'unknown error';

/** The same for several lines: tabs become spaces, and CR LF becomes LF. */
export const printableLines = (text: string): string =>
  makeVisible(text.replaceAll('\r\n', '\n').replaceAll('\t', '    '), true);

export const printableCut = (text: string, charsMax: number): string => {
  const line = printable(text.replace(/\s+/g, ' ').trim());
  return line.length <= charsMax ? line : `${line.slice(0, charsMax - 1)}…`;
};

/** `1 file`, `2 files`, `3 leaves` */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

const COLOURS: readonly (readonly [Style, ReadonlySet<string>])[] = [
  ['green', new Set(['pass', 'act', 'acted', 'done', 'healthy', 'ok', 'handed on'])],
  ['yellow', new Set(['ask', 'modify', 'suspended', 'pending', 'claimed', 'waiting', 'handed', 'degraded'])],
  [
    'red',
    new Set(['block', 'refuse', 'refused', 'failed', 'unknown', 'dropped', 'dead-lettered', 'unhealthy', 'wrong']),
  ],
];

/** Paints a verdict or state: green went through, yellow waits for a person, red did not happen. */
export type PaintWord = (word: string, padded: string) => string;

export const paintWith =
  (terminal: Pick<Terminal, 'paint'>): PaintWord =>
  (word, padded) => {
    const colour = COLOURS.find(([, words]) => words.has(word))?.[0];
    return colour === undefined ? padded : terminal.paint(colour, padded);
  };
