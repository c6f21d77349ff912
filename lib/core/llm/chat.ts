/**
 * Questions to a model and its answers, in no vendor's types. Content and tool calls of an
 * answer are `unknown` or raw text on purpose: only `parseProposal` gives them meaning.
 */
import type { JsonObject } from '../base/json.ts';
import type { Picture } from '../signal/picture.ts';
import type { Oddity } from './oddities.ts';
import type { Provider } from './providers.ts';

/** A tool call in a conversation. `argumentsText` is JSON text. */
export interface ToolCallText {
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
}

/** Thoughts before a call, for the provider that had them: some refuse the call without. */
export interface Thoughts {
  readonly by: string;
  readonly text: string;
}

export type ChatMessage =
  | { readonly role: 'user'; readonly content: string; readonly pictures?: readonly Picture[] }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly calls: readonly ToolCallText[];
      readonly thoughts?: Thoughts;
    }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

/** An entry of a request's `tools`, in the shape that all providers accept. */
export interface ToolEntry {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject };
}

/** `tokens` is an estimate, so that a provider with too small a window is skipped. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolEntry[];
  readonly tokens: number;
  /** Bytes of pictures by their hashes, as `data:` addresses. A missing one is not shown. */
  readonly pictureData?: ReadonlyMap<string, string>;
}

/** A tool call as a model sent it, unchecked. */
export interface RawToolCall {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly argumentsText?: unknown;
}

/** An answer, unchecked. Token counts are the provider's, if it gave them. */
export interface ModelAnswer {
  readonly content?: unknown;
  readonly toolCalls: readonly RawToolCall[];
  /** Thoughts that came in a field of their own. */
  readonly thoughts?: string;
  /** The model's name in the answer; a router may have chosen another model. */
  readonly model: string;
  /** The provider holds the answer back because of its content. */
  readonly isWithheld?: boolean;
  /** It ends because it reached its most tokens. */
  readonly isCut?: boolean;
  readonly inputTokens?: number;
  /** The part of these tokens that came from the provider's cache. */
  readonly cachedTokens?: number;
  readonly outputTokens?: number;
  /** How the server differs from the interface it follows; only for people. */
  readonly oddities?: readonly Oddity[];
}

/** An answer so far. After a provider failed it starts again. */
export interface Heard {
  readonly text: string;
  readonly hasCalls: boolean;
}
/** Given each piece of an answer; never throws, and never blocks. */
export type Hear = (heard: Heard) => void;

/**
 * Asks one provider once. Throws anything.
 * @param timeoutMs of the provider; @param latestMs when it ends however busy this process is
 * @param hear if given, it is streamed where possible
 */
export type Ask = (
  provider: Provider,
  request: ModelRequest,
  timeoutMs: number,
  hear?: Hear,
  latestMs?: number,
) => Promise<ModelAnswer>;
