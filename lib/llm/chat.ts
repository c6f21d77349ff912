/**
 * The words Reason and the model adapters share: what is asked of a model and what comes back, in no vendor's types.
 * `content` and tool calls of an answer are `unknown` or raw text on purpose: only `parseProposal` may give them meaning.
 */
import type { JsonObject } from '../base/json.ts';
import type { Provider } from './providers.ts';

/** A tool call as it stands in a conversation. `argumentsText` is JSON text, as the wire has it. */
export interface ToolCallText {
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
}

export type ChatMessage =
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly calls: readonly ToolCallText[] }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

/** One entry of a request's `tools`, in the OpenAI shape that all providers accept. */
export interface ToolEntry {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject };
}

/** What a model is asked. `tokens` is the estimate for all of it, so that a too small provider can be skipped. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolEntry[];
  readonly tokens: number;
}

/** A tool call as a model sent it; nothing is checked yet. */
export interface RawToolCall {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly argumentsText?: unknown;
}

/** What a model answered, unjudged. Token counts are the provider's own, where it gave them. */
export interface ModelAnswer {
  readonly content?: unknown;
  readonly toolCalls: readonly RawToolCall[];
  /** The model that answered, as the provider names it (a router may choose another than was asked). */
  readonly model: string;
  /** It says that it holds an answer back because of what that is about. */
  readonly isWithheld?: boolean;
  /** It ends where it reached the most tokens it may have. */
  readonly isCut?: boolean;
  readonly inputTokens?: number;
  /** Of those, read from the provider's cache. */
  readonly cachedTokens?: number;
  readonly outputTokens?: number;
}

/** An answer on its way: all its text so far, and whether it calls a tool. After a provider failed it begins anew. */
export interface Heard {
  readonly text: string;
  readonly hasCalls: boolean;
}
/** Told each piece of an answer as it comes; never throws, and holds nothing up. */
export type Hear = (heard: Heard) => void;

/**
 * Asks one provider once, within `timeoutMs`. Fails by throwing anything; `classifyProviderError` says what it was.
 * @param hear where somebody listens, the answer is streamed by a provider that can; it comes back whole all the same
 */
export type Ask = (provider: Provider, request: ModelRequest, timeoutMs: number, hear?: Hear) => Promise<ModelAnswer>;
