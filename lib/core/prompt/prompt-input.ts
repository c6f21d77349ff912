/**
 * All values that a prompt is made of, gathered and stored by others. Equal inputs give the same
 * prompt, byte for byte, so a stored hash stands for a prompt that is never stored. Texts come as
 * pieces with an origin (I13); approval cards and notices are never among them (I5).
 */
import type { Thoughts } from '../llm/chat.ts';
import type { ToolDescription } from '../llm/describe-tools.ts';
import type { ProposedCall } from '../signal/decision.ts';
import type { Picture } from '../signal/picture.ts';
import type { ActionResult, Origin, TextPiece } from '../signal/signal.ts';
import type { MemoryContext } from './foveal.ts';

export interface SessionSummary {
  readonly id: string;
  readonly version: number;
  readonly origin: Origin;
  readonly text: string;
}

export interface HistoryTurn {
  readonly user: readonly TextPiece[];
  /** `origin` is that of its prompt: an answer to outside text is outside text. */
  readonly agent: readonly { readonly text: string; readonly origin: Origin }[];
  readonly tools: readonly { readonly tool: string; readonly state: string }[];
}

/**
 * One step of the running turn; the first is the root's `input`.
 * - `answer`: a decided proposal, with the origin of its own prompt
 * - `results`: results of actions; `n` counts the answer's actions, its text first, then its calls
 */
export type TurnStep =
  | { readonly kind: 'input'; readonly pieces: readonly TextPiece[]; readonly pictures?: readonly Picture[] }
  | {
      readonly kind: 'answer';
      readonly text?: string | undefined;
      readonly calls: readonly ProposedCall[];
      readonly thoughts?: Thoughts;
      readonly origin: Origin;
    }
  | { readonly kind: 'results'; readonly results: readonly ActionResult[] };

export interface PromptInput {
  readonly now: number;
  /** IANA time zone; an unknown one counts as UTC. */
  readonly zone: string;
  readonly version: string;
  readonly providers: readonly string[];
  readonly gates: readonly string[];
  /** Version of the gate set. */
  readonly gateSet?: string | undefined;
  /** Empty for "Passepartout". */
  readonly assistant: string;
  /** Empty for "the owner". */
  readonly user: string;
  /** How the agent speaks, in the owner's words; empty for the usual. */
  readonly style?: string | undefined;
  /** Mandates of the active skills; never cut. */
  readonly mandates: readonly string[];
  readonly tools: readonly ToolDescription[];
  /** One call of the only tool answers the turn, as its task says: no text is an answer. */
  readonly hasOnlyTool?: boolean;
  /** Skills that the model may read; a description only if its words count as the owner's. */
  readonly skills?: readonly { readonly name: string; readonly description?: string }[] | undefined;
  /** Instructions of the skill that the turn triggered. */
  readonly skill?: { readonly name: string; readonly origin: Origin; readonly text: string } | undefined;
  /** Blocks that code of the owner's skills computed; those that do not fit are left out. */
  readonly computed?: readonly string[] | undefined;
  /** Absent if the prompt looks at no memory. */
  readonly memory?: MemoryContext | undefined;
  /** Ledger events of the session as codes, oldest first. */
  readonly logs: readonly string[];
  readonly history: readonly HistoryTurn[];
  readonly summary?: SessionSummary | undefined;
  readonly turn: readonly TurnStep[];
  /** Newer messages that wait for this turn, oldest first. */
  readonly mailbox: readonly (readonly TextPiece[])[];
  /** Why attempt `n` of this signal was rejected. */
  readonly rejection?: { readonly n: number; readonly reasons: readonly string[] } | undefined;
  readonly sessionStartedAt: number;
  /** The rest of the day's budget, in words. */
  readonly budgetLeft?: string | undefined;
  readonly grantsInForce?: number | undefined;
  /** How many rules there are, and which were learned. */
  readonly rules?: string | undefined;
  /** Bound of the whole prompt, `promptTokensMax` of the cascade; PROMPT_TOKENS_MAX if absent. */
  readonly tokensMax?: number | undefined;
  /** Window of the first provider's model, as its provider or the owner says it. */
  readonly modelTokens?: number | undefined;
  /** Window of a model that takes pictures, which come on top of that bound; none if absent. */
  readonly windowTokens?: number | undefined;
}
