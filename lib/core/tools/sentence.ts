/** The sentence of a tool's call in another language than English, of arguments that fit. */
import type { Json, JsonObject } from '../base/json.ts';

export type Args = Readonly<Record<string, Json | undefined>>;
/** @param nameCall says a call that is a part of this one */
export type Sentence = (args: Args, nameCall: (tool: string, args: JsonObject) => string) => string;
