/** Calls of a program's functions as lines of an answer: a JSON object each. Pure. */
import * as z from 'zod/mini';
import { JsonObject, readJson } from '../../core/base/json.ts';

export interface FunctionCall {
  readonly name: string;
  /** JSON of an object. */
  readonly arguments: string;
}

const CallLine = z.strictObject({ call: z.string(), arguments: JsonObject });

export const callLine = (call: string, args: JsonObject): string => JSON.stringify({ call, arguments: args });

/** Takes the calls of offered functions out of an answer's words. */
export const splitCalls = (
  text: string,
  names: ReadonlySet<string>,
): { readonly words: string; readonly calls: readonly FunctionCall[] } => {
  const calls: FunctionCall[] = [];
  const lines = text.split('\n').filter((line) => {
    const { data } = CallLine.safeParse(readJson(line));
    if (data === undefined || !names.has(data.call)) return true;
    calls.push({ name: data.call, arguments: JSON.stringify(data.arguments) });
    return false;
  });
  return { words: lines.join('\n').trim(), calls };
};
