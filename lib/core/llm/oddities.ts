/**
 * The ways in which a compatible server differs from the interface it follows, as codes in the
 * day's counter. Nothing is wrong for them: what comes is read all the same. `doctor` names them,
 * one line a model. Pure.
 */
import * as z from 'zod/mini';
import { readJson } from '../base/json.ts';
import { shortName } from '../money/day-spend.ts';
import type { Item } from '../store/table.ts';

const WORDS = {
  'no-reason': 'says no reason for the end of an answer',
  'no-usage': 'does not count tokens, so that its costs are estimated',
  'no-stream': 'answers whole where a stream was asked for',
  unnumbered: 'does not number its calls',
  thoughts: 'leaves thoughts in the text (start it with its reader of thoughts)',
  'written-calls': 'leaves calls in the text (start it with its reader of tool calls)',
} as const;
export type Oddity = keyof typeof WORDS;

const isOddity = (code: string): code is Oddity => Object.hasOwn(WORDS, code);

interface Server {
  readonly name: string;
  readonly model: string;
}

const Stored = z.object({ name: z.string(), model: z.string(), codes: z.array(z.string()) });

const PREFIX = 'o_';

const storedIn = (value: unknown): z.infer<typeof Stored> | undefined =>
  typeof value === 'string' ? Stored.safeParse(readJson(value)).data : undefined;

/** The attribute to set after an answer; none if nothing new was seen today. */
export const oddityMark = (
  item: Item | undefined,
  { name, model }: Server,
  seen: readonly Oddity[] = [],
): Readonly<Record<string, string>> => {
  const attribute = `${PREFIX}${shortName(`${name}\n${model}`)}`;
  const known = storedIn(item?.[attribute])?.codes ?? [];
  if (seen.every((code) => known.includes(code))) return {};
  return { [attribute]: JSON.stringify({ name, model, codes: [...new Set([...known, ...seen])].toSorted() }) };
};

/** A line for each model of which something was seen today. */
export const describeOddities = (item: Item | undefined): readonly string[] =>
  Object.entries(item ?? {}).flatMap(([attribute, value]) => {
    const stored = attribute.startsWith(PREFIX) ? storedIn(value) : undefined;
    if (stored === undefined) return [];
    const words = stored.codes.filter(isOddity).map((code) => WORDS[code]);
    return words.length === 0 ? [] : [`${stored.name} (${stored.model}) ${words.join('; ')}`];
  });
