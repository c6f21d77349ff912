/**
 * All a prompt is made of, as plain values: gathered and stored by others, assembled here. Two equal inputs give the same
 * prompt, byte for byte, so a stored hash stands for a prompt that is never stored itself. Texts come as pieces with an
 * origin (I13); approval cards and notices are never among them (I5).
 */
import type { ToolDescription } from '../llm/describe-tools.ts';
import type { ProposedCall } from '../signal/proposal.ts';
import type { ActionResult, Origin, TextPiece } from '../signal/signal.ts';
import type { MemoryContext } from './foveal.ts';

/** A conversation's summary as a prompt shows it. */
export interface SessionSummary {
  readonly id: string;
  readonly version: number;
  readonly origin: Origin;
  readonly text: string;
}

/** A finished turn, in short: what was said to the agent, what it said, which tools it used. */
export interface HistoryTurn {
  readonly user: readonly TextPiece[];
  /** `origin` is the one its prompt had: what was written from outside text is outside text. */
  readonly agent: readonly { readonly text: string; readonly origin: Origin }[];
  readonly tools: readonly { readonly tool: string; readonly state: string }[];
}

/**
 * One step of the running turn, oldest first; the first is its root's `input`.
 * - `answer`:  a decided proposal; `origin` is the origin its own prompt had (as its facts say)
 * - `results`: what became of actions; `n` counts the answer's actions: its text first, where it has one, then its calls
 */
export type TurnStep =
  | { readonly kind: 'input'; readonly pieces: readonly TextPiece[] }
  | {
      readonly kind: 'answer';
      readonly text?: string | undefined;
      readonly calls: readonly ProposedCall[];
      readonly origin: Origin;
    }
  | { readonly kind: 'results'; readonly results: readonly ActionResult[] };

export interface PromptInput {
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA time zone; an unknown one counts as UTC. */
  readonly zone: string;
  readonly version: string;
  readonly providers: readonly string[];
  readonly gates: readonly string[];
  /** Version of the gate set. */
  readonly gateSet?: string | undefined;
  /** Name of the agent; empty for "Passepartout". */
  readonly assistant: string;
  /** Name of the owner; empty for "the owner". */
  readonly user: string;
  /** How the agent is to speak, in the owner's words; empty for the usual. */
  readonly style?: string | undefined;
  /** Standing instructions of the active skills; never trimmed. */
  readonly mandates: readonly string[];
  readonly tools: readonly ToolDescription[];
  /** Of memory, what this prompt looks at; absent where it looks at none. */
  readonly memory?: MemoryContext | undefined;
  /** Ledger events of the session as codes, oldest first. */
  readonly logs: readonly string[];
  /** Finished turns of the session, oldest first. */
  readonly history: readonly HistoryTurn[];
  /** Of what was before them. */
  readonly summary?: SessionSummary | undefined;
  readonly turn: readonly TurnStep[];
  /** Newer messages that wait for this turn to end, oldest first. */
  readonly mailbox: readonly (readonly TextPiece[])[];
  /** Why attempt `n` of this signal was rejected. */
  readonly rejection?: { readonly n: number; readonly reasons: readonly string[] } | undefined;
  /** Epoch milliseconds. */
  readonly sessionStartedAt: number;
  /** What the day's budget has left, in words. */
  readonly budgetLeft?: string | undefined;
  /** Standing yeses in force. */
  readonly grantsInForce?: number | undefined;
  /** Bound for all of it; `promptTokensMax` of the cascade. Absent: PROMPT_TOKENS_MAX. */
  readonly tokensMax?: number | undefined;
}
