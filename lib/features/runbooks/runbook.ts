/**
 * A runbook: steps that code performs in order, each of them an action like any other.
 * `parse-runbook.ts` makes it of the YAML form: durations in milliseconds, every default filled in,
 * one tag for each kind of step. Pure.
 */
import type { Shape } from '../../core/approvals/shape.ts';
import type { JsonObject } from '../../core/base/json.ts';

/** Steps performed in one run, repeats and retries included: a runaway loop ends here. */
export const RUN_STEPS_MAX = 200;

/** A call of a tool; a webhook is the tool `call-webhook` with `{webhook, body}`. */
export interface RunbookCall {
  readonly tool: string;
  /** Values may hold templates `{{path}}`. */
  readonly args: JsonObject;
}

export interface IfFails {
  /** Further tries. */
  readonly retry: number;
  /** Before the first retry; it doubles with each. */
  readonly waitMs: number;
  /** Once no try is left. `undo` takes the steps that were done back, then the run fails. */
  readonly next: 'stop' | 'skip' | 'undo';
}

interface StepCommon {
  /** Place in the file, counted from 1: `4`, and `5.1` for the first step within the fifth. */
  readonly place: string;
  /** By which later steps use its output; undefined if they do not. */
  readonly id: string | undefined;
  /** JavaScript expression; undefined if the step is always performed. */
  readonly condition: string | undefined;
}

/** A step that becomes an action or a question to the model. */
interface PerformedCommon extends StepCommon {
  readonly timeLimitMs: number;
  readonly ifFails: IfFails;
}

export type RunbookStep =
  /** A person says yes or no; a no fails the step. */
  | (PerformedCommon & { readonly kind: 'ask'; readonly question: string })
  /** `undo` takes it back. `shapes`: what values of answers may be, by their paths. */
  | (PerformedCommon & {
      readonly kind: 'call';
      readonly call: RunbookCall;
      readonly undo: RunbookCall | undefined;
      readonly shapes: Readonly<Record<string, Shape>>;
    })
  /** To whoever gets the results of the run. */
  | (PerformedCommon & { readonly kind: 'text'; readonly text: string })
  /** One model call; `material` is a text with templates. */
  | (PerformedCommon & {
      readonly kind: 'model';
      readonly prompt: string;
      readonly material: string | undefined;
      readonly answerChars: number;
    })
  | (StepCommon & { readonly kind: 'wait'; readonly waitMs: number })
  /** `list` is an expression; a list of more than `most` entries fails the run. */
  | (StepCommon & {
      readonly kind: 'each';
      readonly list: string;
      readonly most: number;
      readonly steps: readonly RunbookStep[];
    });

export interface RunbookInput {
  readonly name: string;
  readonly meaning: string;
  /** Undefined if it must be given. */
  readonly default: string | undefined;
}

export interface Runbook {
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly RunbookInput[];
  readonly timeLimitMs: number;
  /** Tools that steps may use. */
  readonly tools: readonly string[];
  readonly steps: readonly RunbookStep[];
}

/** All steps in the order of the file, those within others after the one that holds them. */
export const allSteps = (steps: readonly RunbookStep[]): readonly RunbookStep[] =>
  steps.flatMap((step) => (step.kind === 'each' ? [step, ...allSteps(step.steps)] : [step]));
