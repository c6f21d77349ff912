/** Writes one line of JSON an event: codes, ids and numbers, never texts or secrets (I11). */
type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const ORDER: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

export type Log = (
  level: LogLevel,
  event: string,
  fields?: Readonly<Record<string, string | number | boolean>>,
) => void;

/** @param threshold lowest level written; an unknown one counts as `info` */
export const buildLog = (threshold: string | undefined): Log => {
  const least = threshold === 'debug' || threshold === 'warn' || threshold === 'error' ? ORDER[threshold] : ORDER.info;
  return (level, event, fields = {}) => {
    if (ORDER[level] >= least) process.stdout.write(`${JSON.stringify({ level, event, ...fields })}\n`);
  };
};
