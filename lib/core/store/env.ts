/** Settings of the environment. A bad one is one ConfigError with all names, and no value. */
import { ConfigError } from '../base/errors.ts';
import {
  type Environment,
  type FunctionName,
  type SettingName,
  settingOf,
  settingsOf,
  type Values,
  type Variables,
} from './settings.ts';

/** Reads a setting whose form only its room knows. A returned text says what is wrong. */
export type Parsers = Readonly<Partial<Record<SettingName, (text: string) => unknown>>>;
type Parsed<P extends Parsers> = {
  readonly [N in keyof P]: P[N] extends (text: string) => infer T ? Exclude<T, string> : never;
};

const readOne = (name: SettingName, source: Variables, parsers: Parsers, problems: string[]): unknown => {
  const { schema, default: usual } = settingOf(name);
  // An empty variable counts as unset.
  const text = source[name] || usual;
  if (text === undefined) return undefined;
  // Used once: compiling the schema would take longer than running it.
  const { data, error } = schema.safeParse(text, { jitless: true });
  if (error !== undefined) {
    problems.push(...error.issues.map(({ message }) => `${name}: ${message}`));
    return undefined;
  }
  const parse = parsers[name];
  if (parse === undefined) return data;
  const value = parse(text);
  if (typeof value !== 'string') return value;
  problems.push(`${name}: ${value}`);
  return undefined;
};

/** Adds a line to `problems` for each that does not fit. Only without one do the types hold. */
export function readSettings<N extends SettingName>(
  names: readonly N[],
  source: Variables,
  problems: string[],
  parsers?: Parsers,
): Values<N>;
export function readSettings(
  names: readonly SettingName[],
  source: Variables,
  problems: string[],
  parsers: Parsers = {},
): object {
  return Object.fromEntries(names.map((name) => [name, readOne(name, source, parsers, problems)]));
}

/** Reads a function's environment. @throws ConfigError naming every faulty variable */
export function readEnvironment<F extends FunctionName, P extends Parsers = Record<never, never>>(
  functionName: F,
  source?: Variables,
  parsers?: P,
): Omit<Environment<F>, keyof P> & Parsed<P>;
export function readEnvironment(
  functionName: FunctionName,
  source: Variables = process.env,
  parsers?: Parsers,
): object {
  const names = settingsOf(functionName);
  const problems = names
    .filter((name) => settingOf(name).isRequired === true && !source[name])
    .map((name) => `${name} is missing`);
  const values = readSettings(names, source, problems, parsers);
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}
