/** The type of a feature's part in Reason, loaded with the stage: only what most turns need. */
import type { FormReads } from '../../judge/fact-sources.ts';
import type { OwnerSettings } from '../../ledger/owner-settings.ts';
import type { RecordingEnv } from '../../llm/audio-endpoint.ts';
import type { StepCue, TierFacts } from '../../llm/choose-model.ts';
import type { ToolDescription } from '../../llm/describe-tools.ts';
import type { PromptInput } from '../../prompt/prompt-input.ts';
import type { Attachment } from '../../signal/attachment.ts';
import type { Decision, ModelFailure, Proposal, ShownSkill } from '../../signal/decision.ts';
import type { Payload, ReplyRoute } from '../../signal/signal.ts';
import type { Table } from '../../store/table.ts';
import type { TurnRecords } from '../../store/turn-records.ts';
import type { Webhooks } from '../../tools/webhooks.ts';
import type { LoadedTurn } from './load-turn.ts';
import type { ReasonDeps, TurnContext } from './reason-deps.ts';

/** The signal whose calls are judged. */
export interface ReadContext {
  readonly table: Pick<Table, 'load' | 'put'>;
  readonly space: string;
  readonly signalId: string;
}

/** The part of a feature in one turn, made before the turn's first attempt. */
export interface TurnPart {
  /** The text that the turn is shown, as a decision names it, with the tools that it leaves. */
  readonly shown?: ShownSkill | undefined;
  /** False for a tool of the feature that could do nothing in this turn. */
  readonly hasUse: (tool: string) => boolean;
  /** Standing instructions for a prompt that offers these tools. */
  readonly mandates: (tools: readonly string[]) => readonly string[];
  readonly prompt: Pick<PromptInput, 'skills' | 'skill' | 'computed'>;
  /** The tier that it asks for, if these tools are offered. */
  readonly tier: (tools: readonly string[], cue: StepCue) => TierFacts['skill'];
  /** Hears of each decision. */
  readonly onDecided?: (
    context: Pick<TurnContext, 'deps' | 'turn' | 'rejected'>,
    decision: Decision,
    startedAt: number,
  ) => Promise<void>;
}

/** Whether a feature listens to refusals because a model failed, or a bound of spending. */
export type HearsFailure = (records: TurnRecords, kind: ModelFailure['kind']) => boolean;

/** The figures of an answer, for a line below it. */
export interface AnswerView {
  readonly settings: OwnerSettings | undefined;
  readonly reply: ReplyRoute;
  readonly model: string;
  /** Gates that judge the answer: it is sent only if none stops it. */
  readonly gateCount: number;
  /** Micro-dollars of the turn, this answer included. */
  readonly turnUsd: number;
  /** Messages of the conversation that wait for the next turn. */
  readonly waiting: number;
  /** The object of memory that the conversation looks at. */
  readonly focus: string | undefined;
  /** The answer itself, and the person's words that it answers. */
  readonly text: string;
  readonly asked: string;
  /** Tools that were called in the turn. */
  readonly done: readonly string[];
}

export interface ReasonFeature {
  /** Of one feature at most. */
  readonly loadPart?: (
    deps: Pick<ReasonDeps, 'table' | 'identity' | 'budget' | 'now'>,
    turn: LoadedTurn,
  ) => Promise<TurnPart>;
  /** False for a tool of the feature that could do nothing in this turn: it is not offered. */
  readonly hasUse?: (tool: string, records: TurnRecords) => boolean;
  /** Further words of a tool's description, of what is configured; empty for none. */
  readonly describeMore?: (tool: string, webhooks: Webhooks) => string;
  /** Standing instructions for a prompt that offers these tools. */
  readonly mandates?: (tools: readonly string[], records: TurnRecords) => readonly string[];
  /** Readers for the forms of the feature's tools; each loads its code when used. */
  readonly buildReads?: (turn: ReadContext) => FormReads;
  /** Functions that a program offers to this turn alone, as tools. */
  readonly offers?: (asked: Payload) => readonly ToolDescription[] | undefined;
  /** Makes calls of these the words that the program reads. */
  readonly sayCalls?: (asked: Payload, proposal: Proposal) => Promise<Proposal | undefined>;
  /** A line below an answer to a person; undefined for none. */
  readonly lineBelow?: (view: AnswerView) => Promise<string | undefined>;
  /** Micro-dollars that a recording costs at most. */
  readonly recordingPrice?: (env: RecordingEnv, attachment: Attachment) => number;
}
