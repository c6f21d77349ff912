/**
 * Lines that a person types in a terminal: a pasted text is one message, also if the terminal does
 * not mark it; a line that ends with `\` goes on; earlier lines come back, also after a new start.
 */
import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { PassThrough } from 'node:stream';

/** Lines of earlier chats that are kept. */
const CHAT_HISTORY_LINES = 500;
/** Asks the terminal to mark what is pasted, and ends it (xterm's bracketed paste mode). */
const PASTE_MARKS = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const;
/** Nobody types a next line within this time: both were pasted. */
const PASTED_LINE_MS = 50;

export interface LinesInput {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly isTerminal: boolean;
  /** Earlier lines are kept here; nowhere if absent. */
  readonly historyFile?: string | undefined;
  /** How the beginning of a line may go on. */
  readonly complete?: (line: string) => Promise<readonly string[]>;
}

export interface Lines {
  /** Of readline: its prompt, and the line being typed. */
  readonly editor: Interface;
  /** Each message; ends with the input. */
  readonly messages: AsyncIterable<string>;
  /** Whether a part of a message was typed or pasted already. */
  readonly isBegun: () => boolean;
  /** Drops what was typed and not sent. */
  readonly drop: () => void;
  readonly close: () => void;
}

/** @returns the newest first, as readline has them */
const readHistory = (file: string): string[] => {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const kept = lines.filter((line) => line !== '').slice(-CHAT_HISTORY_LINES);
  writeHistory(file, kept);
  return kept.toReversed();
};

const writeHistory = (file: string, lines: readonly string[]): void => {
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  chmodSync(file, 0o600);
};

/**
 * Not with a space before it, as in shells. Other chats may be open: each adds to the file, and
 * none writes again what was forgotten in another.
 */
const noteLine = (file: string, line: string): void => {
  if (/^\s*\/forget\b/i.test(line)) writeHistory(file, []);
  else if (!/^(?: |$)/.test(line)) appendFileSync(file, `${line}\n`, { mode: 0o600 });
};

/** @param onStart a marked paste begins, which is a message of its own */
const followPastes = (input: NodeJS.ReadableStream, onStart: () => void): (() => boolean) => {
  let isPasting = false;
  input.on('keypress', (_: unknown, key?: { readonly name?: string }) => {
    if (key?.name === 'paste-start') onStart();
    if (key?.name === 'paste-start' || key?.name === 'paste-end') isPasting = key.name === 'paste-start';
  });
  return () => isPasting;
};

export const readLines = ({ input, output, isTerminal, historyFile, complete }: LinesInput): Lines => {
  const editor = createInterface({
    input,
    ...(isTerminal ? { output } : {}),
    terminal: isTerminal,
    prompt: '> ',
    history: isTerminal && historyFile !== undefined ? readHistory(historyFile) : [],
    historySize: CHAT_HISTORY_LINES,
    removeHistoryDuplicates: true,
    ...(isTerminal && complete !== undefined
      ? {
          completer: (line: string, done: (error: null, result: [string[], string]) => void) =>
            void complete(line).then(
              (found) => done(null, [[...found], line]),
              () => done(null, [[], line]),
            ),
        }
      : {}),
  });
  const messages = new PassThrough({ objectMode: true });
  let begun: readonly string[] = [];
  let ending: NodeJS.Timeout | undefined;
  const send = (): void => {
    clearTimeout(ending);
    ending = undefined;
    messages.write(begun.join('\n'));
    begun = [];
  };
  const sendIfEnding = (): void => {
    if (ending !== undefined) send();
  };
  const isPasting = isTerminal ? followPastes(input, sendIfEnding) : () => false;
  // Here and not where messages are read: by then a paste may be over.
  editor.on('line', (line) => {
    clearTimeout(ending);
    ending = undefined;
    const isContinued = isTerminal && line.endsWith('\\');
    begun = [...begun, isContinued ? line.slice(0, -1) : line];
    if (isContinued || isPasting()) return;
    // The last line of a paste may have no end.
    if (isTerminal) ending = setTimeout(() => editor.line === '' && send(), PASTED_LINE_MS);
    else send();
  });
  editor.once('close', () => {
    sendIfEnding();
    messages.end();
  });
  if (isTerminal) output.write(PASTE_MARKS.on);
  if (isTerminal && historyFile !== undefined) editor.on('line', (line) => noteLine(historyFile, line));
  return {
    editor,
    messages,
    isBegun: () => begun.length > 0 || editor.line !== '',
    drop: () => {
      clearTimeout(ending);
      ending = undefined;
      begun = [];
      for (const name of ['e', 'u']) editor.write(null, { ctrl: true, name });
    },
    close: () => {
      if (isTerminal) output.write(PASTE_MARKS.off);
      editor.close();
    },
  };
};
