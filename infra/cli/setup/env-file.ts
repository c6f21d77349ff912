/**
 * Changes settings in `.env` and leaves every other line as it is. The file as it was stays beside
 * it as `.env.before`. Both are their owner's alone (mode 600).
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { CliError, causeOf, EXIT } from '../terminal.ts';

export type Settings = Readonly<Record<string, string>>;

const PLAIN = /^[\w.:/@,+=*-]*$/;

/** @throws CliError if no quotes of `.env` hold the value */
const quoted = (name: string, value: string): string => {
  if (PLAIN.test(value)) return value;
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark));
  const isOneLine = !/[\r\n\0]/.test(value);
  if (quote !== undefined && isOneLine && !(quote === '"' && value.includes('\\'))) return `${quote}${value}${quote}`;
  throw new CliError(EXIT.usage, `${name} cannot be written into .env: it has line feeds, or quotes of every kind`);
};

const notHere = (name: string): CliError =>
  new CliError(EXIT.usage, `.env has a line about ${name} that cannot be changed here; edit it yourself`);

const nameOf = (line: string): string | undefined => /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1];

/**
 * The last line that sets a name is replaced, because it wins; an empty value takes it out. Pure.
 * @throws CliError if other settings would read differently then
 */
export const withSettings = (text: string, settings: Settings): string => {
  const before = parseEnv(text);
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  for (const [name, value] of Object.entries(settings)) {
    const at = lines.findLastIndex((line) => nameOf(line) === name);
    // The value goes on in lines that would stay behind.
    if (parseEnv(lines[at] ?? '')[name] !== before[name]) throw notHere(name);
    const line = value === '' ? [] : [`${name}=${quoted(name, value)}`];
    lines.splice(at < 0 ? lines.length : at, at < 0 ? 0 : 1, ...line);
  }
  const result = lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  const read = parseEnv(result);
  const wanted: NodeJS.Dict<string> = { ...before, ...settings };
  const changed = Object.keys({ ...wanted, ...read }).find((name) => (wanted[name] ?? '') !== (read[name] ?? ''));
  if (changed === undefined) return result;
  throw notHere(changed);
};

/** A rename puts the whole file in place, or nothing. */
const writePrivately = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/** @returns lines that say where the file of before is; none if there was none */
export const writeSettings = (folder: string, settings: Settings): readonly string[] => {
  const file = join(folder, '.env');
  const isThere = existsSync(file);
  const text = withSettings(isThere ? readFileSync(file, 'utf8') : '', settings);
  try {
    if (isThere) writePrivately(`${file}.before`, readFileSync(file, 'utf8'));
    writePrivately(file, text);
    return isThere ? ['.env.before is the .env of before; it holds keys too.'] : [];
  } catch (error) {
    throw new CliError(EXIT.failed, `${file} cannot be written: ${causeOf(error)}`);
  }
};
