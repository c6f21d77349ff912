/**
 * A program in a real pseudo-terminal, and the screen that a person sees of it: xterm reads what
 * the program writes, with its styles, line breaks and cursor movements.
 */
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { until } from './stack.ts';

/** Lines that scrolled away and are still read. */
const SCROLLBACK_LINES = 2_000;

export interface Screen {
  /** All lines so far, without the spaces behind them. Lines that the terminal broke are one. */
  readonly text: () => string;
  /** The characters of the newest line with these words that are shown in a style. */
  readonly styled: (line: string, style: 'bold' | 'dim' | 'colour') => string;
  /** Types as a person would; `\r` is the Enter key. */
  readonly type: (keys: string) => void;
  /** Waits until the screen shows it, and gives its text. */
  readonly shows: (what: string | RegExp) => Promise<string>;
  readonly resize: (columns: number, rows: number) => void;
  /** Waits until it has ended; gives its exit code. */
  readonly ends: () => Promise<number>;
  /** Presses Ctrl-C until it has. */
  readonly end: () => Promise<number>;
}

export interface ScreenOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly columns?: number | undefined;
}

export const openScreen = (line: string, { folder, env, columns = 100 }: ScreenOptions): Screen => {
  const rows = 30;
  const screen = new xterm.Terminal({ cols: columns, rows, scrollback: SCROLLBACK_LINES, allowProposedApi: true });
  const program = spawn('sh', ['-c', `exec ${line}`], { cwd: folder, env: { ...env }, cols: columns, rows });
  let code: number | undefined;
  program.onData((data) => screen.write(data));
  program.onExit(({ exitCode }) => {
    code = exitCode;
  });
  const lines = (): readonly { readonly n: number; readonly text: string }[] => {
    const all: { n: number; text: string }[] = [];
    const { active } = screen.buffer;
    for (let n = 0; n < active.length; n += 1) {
      const row = active.getLine(n);
      const text = row?.translateToString(true) ?? '';
      const last = all.at(-1);
      if (row?.isWrapped === true && last !== undefined) last.text += text;
      else all.push({ n, text });
    }
    return all;
  };
  const text = (): string =>
    lines()
      .map((one) => one.text)
      .join('\n')
      .trimEnd();
  const ends = async (): Promise<number> => (await until(`${line} ends`, () => code !== undefined && { code })).code;
  return {
    text,
    styled: (words, style) => {
      const row = screen.buffer.active.getLine(lines().findLast((one) => one.text.includes(words))?.n ?? -1);
      const cells = Array.from({ length: row?.length ?? 0 }, (_, n) => row?.getCell(n));
      const has = { bold: 'isBold', dim: 'isDim' } as const;
      return cells
        .filter((cell) => (style === 'colour' ? cell?.isFgDefault() === false : cell?.[has[style]]() !== 0))
        .map((cell) => cell?.getChars() ?? '')
        .join('');
    },
    type: (keys) => program.write(keys),
    shows: (what) =>
      until(`${line} shows ${what}`, () => {
        const shown = text();
        if (typeof what === 'string' ? shown.includes(what) : what.test(shown)) return shown;
        if (code !== undefined) throw new Error(`${line} has ended`);
        return false;
      }).catch((error: unknown) => {
        throw new Error(`${String(error)}; the screen showed:\n${text()}`);
      }),
    resize: (width, height) => {
      screen.resize(width, height);
      program.resize(width, height);
    },
    ends,
    end: () => {
      if (code === undefined) program.write('\u0003');
      return ends();
    },
  };
};
