/**
 * Makes a command of each noun: its verbs are operations. One that needs files has its own part.
 */
import * as z from 'zod/mini';
import { nearest } from '../../lib/core/base/distance.ts';
import { JsonObject } from '../../lib/core/base/json.ts';
import { onReadersClock } from '../../lib/core/channels/moments.ts';
import type { Operation } from '../../lib/core/operations/operation.ts';
import { findOperation, usageOf } from '../../lib/core/operations/read-words.ts';
import { isTyped } from '../../lib/core/operations/rights.ts';
import { performDirect, performLook } from './client.ts';
import type { Command, CommandContext, CommandOption } from './command.ts';
import { shellLines } from './shell-lines.ts';
import { CliError, EXIT, type ExitCode, printable, show, showWords } from './terminal.ts';

/** Additions of the command line to a verb: options and arguments that it makes of files. */
export interface LocalPart {
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** How its words are written. */
  readonly form?: string;
  readonly summary?: string;
  /** Does all of it. @param words those behind the verb */
  readonly run: (context: CommandContext, words: readonly string[]) => Promise<ExitCode>;
}

/** By verb; '' for the noun alone. */
export type LocalParts = Readonly<Record<string, LocalPart>>;

const verbOf = ({ name }: Operation): string => name.split(' ')[1] ?? '';

const kebab = (field: string): string => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const placesOf = ({ words = [] }: Operation): readonly string[] => words.map((word) => word.replace('…', ''));

/** A form of its own is for chats: here each field is an option. */
const optionFields = (operation: Operation): readonly string[] =>
  Object.keys(operation.args.shape).filter((field) => !placesOf(operation).includes(field));

const JsonField = z.looseObject({ type: z.optional(z.string()), description: z.optional(z.string()) });

const optionOf = (verb: string, schema: z.core.$ZodType): CommandOption => {
  const { type, description = '' } = JsonField.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const help = verb === '' ? description : `${verb}: ${description}`;
  return type === 'boolean' ? { type: 'boolean', help } : { type: 'string', value: type ?? 'text', help };
};

const optionsOf = (operations: readonly Operation[], parts: LocalParts): NonNullable<Command['options']> => {
  const made = operations
    .filter((operation) => parts[verbOf(operation)] === undefined)
    .flatMap((operation) =>
      optionFields(operation).map((field) => [
        kebab(field),
        optionOf(verbOf(operation), operation.args.shape[field] ?? z.unknown()),
      ]),
    );
  return Object.assign(Object.fromEntries(made), ...Object.values(parts).map(({ options = {} }) => options));
};

/** Their lines hold times and words of code alone, so a person reads them on their own clock. */
const TOLD_BY_CLOCK: ReadonlySet<string> = new Set(['grants', 'budget', 'status', 'health', 'doctor', 'jobs list']);

/** Arguments by their place, and those that are options. @throws CliError (exit 2) */
const argsOf = (operation: Operation, words: readonly string[], context: CommandContext): JsonObject => {
  if (operation.kind === 'direct' && operation.readWords !== undefined)
    try {
      return JsonObject.parse(operation.readWords(words.join(' ')));
    } catch {
      throw new CliError(EXIT.usage, `usage: npx passepartout ${usageOf(operation)}`);
    }
  const { words: places = [] } = operation;
  const byPlace = places.flatMap((place, n) => {
    const given = place.endsWith('…') ? words.slice(n).join(' ') : words[n];
    return given === undefined || given === '' ? [] : [[place.replace('…', ''), given]];
  });
  const isTooMany = words.length > places.length && places.at(-1)?.endsWith('…') !== true;
  if (isTooMany) throw new CliError(EXIT.usage, `usage: npx passepartout ${usageOf(operation)}`);
  const given = optionFields(operation).flatMap((field) => {
    const value = context.flag(kebab(field)) ? true : context.text(kebab(field));
    return value === undefined ? [] : [[field, value]];
  });
  return JsonObject.parse(Object.fromEntries([...byPlace, ...given]));
};

const perform = async (context: CommandContext, operation: Operation, words: readonly string[]): Promise<ExitCode> => {
  const args = argsOf(operation, words, context);
  const problem = z.safeParse(operation.args, args).error?.issues[0];
  if (problem?.path[0] !== undefined && !Object.hasOwn(args, String(problem.path[0])))
    throw new CliError(EXIT.usage, `usage: npx passepartout ${usageOf(operation)}`);
  if (operation.kind === 'change') return (await import('./change.ts')).runChange(context, operation, args);
  if (operation.kind === 'direct') {
    const answer = await performDirect(await context.access(), operation, args);
    show(context.terminal, answer, [printable(operation.said(answer))]);
    return EXIT.ok;
  }
  const answer = await performLook(await context.access(), operation, args, context.text('session'));
  const now = context.now();
  const lines = TOLD_BY_CLOCK.has(operation.name)
    ? answer.lines.map((line) => onReadersClock(line, now))
    : answer.lines;
  showWords(context.terminal, answer, lines.map(shellLines));
  return EXIT.ok;
};

/** @param words those behind the noun. @throws CliError (exit 2) if no operation fits them */
export const runNoun = (
  context: CommandContext,
  operations: readonly Operation[],
  noun: string,
  words: readonly string[],
): Promise<ExitCode> => {
  const [verb = '', ...behind] = words;
  const found = findOperation(operations, noun, words.join(' '))?.operation;
  if (found === undefined) {
    const verbs = operations.flatMap(({ name }) => (name.startsWith(`${noun} `) ? [name.slice(noun.length + 1)] : []));
    const meant = nearest(verb, verbs);
    const guess = meant === undefined ? '' : `; did you mean "${noun} ${meant}"?`;
    const hint = `npx passepartout help ${noun} says how to write it`;
    throw new CliError(EXIT.usage, `${noun} does not take "${printable(words.join(' '))}"${guess}`, hint);
  }
  const isNamed = verbOf(found) !== '' && verbOf(found) === verb.toLowerCase();
  return perform(context, found, isNamed ? behind : words);
};

/** Others say by themselves how they are written. */
const leastWords = ({ kind, name, form, words = [] }: Operation): number =>
  kind === 'direct' ? name.split(' ').length - 1 + (form?.split(' ') ?? words).length : 0;

const SESSION: CommandOption = { type: 'string', value: 'name', help: 'the conversation it is about (default: main)' };

/** @param summary of the noun; that of its only operation if absent */
export const buildCommand = (
  noun: string,
  operations: readonly Operation[],
  parts: LocalParts,
  summary?: string,
): Command => {
  const forms = [
    ...operations
      .filter((operation) => parts[verbOf(operation)] === undefined)
      .map((operation) => usageOf(operation).slice(noun.length + 1)),
    ...Object.entries(parts).map(([verb, { form = '' }]) => `${verb} ${form}`.trim()),
  ];
  const usage = forms.filter((form) => form !== '').join(' | ');
  const local = (verb: string, { form = '' }: LocalPart): string => `${noun} ${verb} ${form}`.trim();
  return {
    name: noun,
    usage,
    summary: summary ?? operations[0]?.summary ?? '',
    verbs: [
      ...operations.flatMap((operation) => {
        const part = parts[verbOf(operation)];
        if (part === undefined) return [[usageOf(operation), operation.summary] as const];
        return part.summary === undefined ? [[local(verbOf(operation), part), operation.summary] as const] : [];
      }),
      ...Object.entries(parts).flatMap(([verb, part]) =>
        part.summary === undefined ? [] : [[local(verb, part), part.summary] as const],
      ),
    ],
    options: { ...optionsOf(operations, parts), ...(operations.some(isTyped) ? { session: SESSION } : {}) },
    argCount: [Math.min(...operations.map(leastWords)), 128],
    run: async (context) => {
      const [verb = '', ...behind] = context.args;
      const isVerb = Object.hasOwn(parts, verb) && verb !== '';
      const part = isVerb || operations.some((one) => verbOf(one) === verb && verb !== '') ? parts[verb] : parts[''];
      if (part !== undefined) return part.run(context, isVerb ? behind : context.args);
      return runNoun(context, operations, noun, context.args);
    },
  };
};
