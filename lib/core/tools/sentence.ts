/** The sentence of a tool's call in another language than English, of arguments that fit. */
import type { Json } from '../base/json.ts';

export type Args = Readonly<Record<string, Json | undefined>>;
export type Sentence = (args: Args) => string;
