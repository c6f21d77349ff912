/**
 * Where the command writes: results on standard output, everything else on standard error, colour
 * only on a terminal that wants it. With `--json` results are one JSON value and nothing else.
 */
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

export interface Stream {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Terminal {
  readonly isJson: boolean;
  /** A result line. Text from outside must have gone through `printable` before. */
  readonly line: (text?: string) => void;
  readonly json: (value: unknown) => void;
  /** A remark for the person, on standard error. */
  readonly remark: (text: string) => void;
  /** One line that is overwritten: only on a terminal, never in JSON. Empty clears it. */
  readonly progress: (text: string) => void;
  readonly paint: (style: Style, text: string) => string;
  readonly columns: number;
}

export const buildTerminal = (
  out: Stream,
  err: Stream,
  isJson: boolean,
  env: Readonly<Record<string, string | undefined>>,
): Terminal => {
  const isColour = out.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb' && !isJson;
  let hasProgress = false;
  const clear = (): void => {
    if (hasProgress) err.write('\r\u001b[K');
    hasProgress = false;
  };
  return {
    isJson,
    line: (text = '') => {
      clear();
      out.write(`${text}\n`);
    },
    json: (value) => {
      clear();
      out.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    remark: (text) => {
      clear();
      err.write(`${text}\n`);
    },
    progress: (text) => {
      if (err.isTTY !== true || isJson) return;
      clear();
      if (text !== '') err.write(text);
      hasProgress = text !== '';
    },
    paint: (style, text) => (isColour ? styleText(style, text, { validateStream: false }) : text),
    columns: out.columns ?? 120,
  };
};
