/**
 * The YAML form of a runbook as a person writes it, with its bounds and the meaning of each field.
 * The JSON Schema for editors is made of it. Rules that concern several fields are in
 * `build-steps.ts` and `parse-runbook.ts`. Pure.
 */
import * as z from 'zod/mini';
import { Shape } from '../../core/approvals/shape.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../core/base/limits.ts';
import { RunbookName } from '../../core/signal/runbook-name.ts';

/** A file that a person reads before they say yes. */
export const RUNBOOK_CHARS_MAX = 24_000;
/** Steps in a file, those within others included: each is shown on the card. */
export const RUNBOOK_STEPS_MAX = 30;
/** `each` within `each` within `each`: nobody follows a deeper one. */
export const RUNBOOK_NESTING_MAX = 3;
/** Entries of one `each`. */
const EACH_ENTRIES_MAX = 100;
/** A week: a longer wait is a job of its own. */
export const RUN_TIME_LIMIT_MS_MAX = 7 * DAY_MS;
export const RUN_TIME_LIMIT_MS_DEFAULT = DAY_MS;
/** An hour: as long as an approval holds. */
export const STEP_TIME_LIMIT_MS_DEFAULT = HOUR_MS;
/** Further tries of a step that failed. The wait doubles with each. */
const STEP_RETRIES_MAX = 8;
export const RETRY_WAIT_MS_DEFAULT = 10 * SECOND_MS;
/** Entries of `each` if the step does not say. */
export const EACH_ENTRIES_DEFAULT = 20;
/** Inputs of a runbook: a person reads them on the card. */
const RUNBOOK_INPUTS_MAX = 20;
/** Text of one input, such as a name, an address or a version. */
export const INPUT_CHARS_MAX = 1_000;
/** Permissions a runbook may name. */
const RUNBOOK_TOOLS_MAX = 20;
/** Answer of a step `model`: a message that a person reads. */
const ANSWER_CHARS_MAX = 8_000;
export const ANSWER_CHARS_DEFAULT = 2_000;
/** Words of a text, a question, or a question to the model. */
const WORDS_CHARS_MAX = 4_000;
/** An expression: a line that a person reads. */
const EXPRESSION_CHARS_MAX = 1_000;

const text = (charsMax: number, meaning: string) =>
  z.string().check(z.regex(/\S/, 'must not be empty'), z.maxLength(charsMax), z.describe(meaning));
const duration = (meaning: string) => text(20, `${meaning} A time such as 30s, 5m, 2h or 1d.`);

/** Name of a step or an input. Expressions use it, so that it is a word of JavaScript. */
const Word = z
  .string()
  .check(
    z.regex(/^[a-z][a-zA-Z0-9_]{0,31}$/, 'must be one word of letters, digits and _ that begins with a small letter'),
  );
const ToolName = z.string().check(z.regex(/^[a-z0-9][a-z0-9_-]{0,127}$/i, 'must be the name of a tool'));
const Expression = (meaning: string) => text(EXPRESSION_CHARS_MAX, `${meaning} A JavaScript expression.`);
const WebhookName = text(64, 'Name of a configured webhook. It gets the body, signed.');
const Body = z.record(z.string(), z.json()).check(z.describe('JSON object that the webhook gets.'));
const Args = z.record(z.string(), z.json()).check(z.describe('Arguments of the tool.'));

const UndoFile = z
  .strictObject({
    webhook: z.optional(WebhookName),
    body: z.optional(Body),
    tool: z.optional(ToolName),
    args: z.optional(Args),
  })
  .check(z.describe('Takes this step back if a later one fails with "then: undo".'));

const IfFailsFile = z
  .strictObject({
    retry: z.optional(z.int().check(z.minimum(0), z.maximum(STEP_RETRIES_MAX), z.describe('Further tries.'))),
    wait: z.optional(duration('Wait before the first retry; it doubles with each.')),
    // biome-ignore lint/suspicious/noThenProperty: the word of the file's form; nobody awaits it
    then: z.optional(
      z
        .enum(['stop', 'skip', 'undo'])
        .check(z.describe('stop: the run fails. skip: it goes on. undo: it takes its steps back, then fails.')),
    ),
  })
  .check(z.describe('Says what follows if the step fails. Without it the run fails.'));

/** One step as a person writes it: one of the kinds, and the fields that belong to it. */
export const StepFile = z.strictObject({
  id: z.optional(Word.check(z.describe('Name by which later steps use its output: {{steps.<id>.output}}.'))),
  if: z.optional(Expression('The step is left out unless this is true.')),
  ask: z.optional(text(WORDS_CHARS_MAX, 'A question that a person answers with yes or no. A no fails the step.')),
  webhook: z.optional(WebhookName),
  body: z.optional(Body),
  tool: z.optional(ToolName.check(z.describe('Name of a tool; a tool of an MCP server is mcp-<server>-<tool>.'))),
  args: z.optional(Args),
  text: z.optional(text(WORDS_CHARS_MAX, 'A text to whoever gets the results of the run.')),
  wait: z.optional(duration('The run goes on after this time.')),
  each: z.optional(Expression('A list. The steps are performed for each entry, which they know as "item".')),
  most: z.optional(
    z.int().check(z.minimum(1), z.maximum(EACH_ENTRIES_MAX), z.describe('Most entries; a longer list fails the step.')),
  ),
  get steps(): z.ZodMiniOptional<z.ZodMiniArray<typeof StepFile>> {
    return z.optional(z.array(StepFile).check(z.minLength(1), z.maxLength(RUNBOOK_STEPS_MAX)));
  },
  model: z.optional(text(WORDS_CHARS_MAX, 'A question to the model, which sees this and "with" alone.')),
  with: z.optional(text(WORDS_CHARS_MAX, 'What the model is shown, such as {{steps.<id>.output}}.')),
  'answer-chars': z.optional(
    z.int().check(z.minimum(1), z.maximum(ANSWER_CHARS_MAX), z.describe('Longest answer of the model, in characters.')),
  ),
  shape: z.optional(
    z
      .record(z.string(), Shape)
      .check(
        z.describe(
          'What a value of an answer may be, so that one yes for all steps covers it: by its path, a pattern, a list, or {from, to}.',
        ),
      ),
  ),
  'time-limit': z.optional(duration('The step fails if it has not ended after this time.')),
  'if-fails': z.optional(IfFailsFile),
  undo: z.optional(UndoFile),
});
export type StepFile = z.infer<typeof StepFile>;

/** Texts: a number or a truth value in the file is kept as its text. */
const InputFile = z.strictObject({
  meaning: text(200, 'Says what to give.'),
  default: z.optional(
    z
      .union([z.string().check(z.maxLength(INPUT_CHARS_MAX)), z.number(), z.boolean()])
      .check(z.describe('Value if none is given. Without it the input must be given.')),
  ),
});

export const RunbookFile = z.strictObject({
  name: RunbookName.check(z.describe('Lower-case words joined by -.')),
  description: text(400, 'One or two sentences: when to use it, and for what.'),
  inputs: z.optional(
    z.record(Word, InputFile).check(
      z.refine((inputs) => Object.keys(inputs).length <= RUNBOOK_INPUTS_MAX, `must have at most ${RUNBOOK_INPUTS_MAX}`),
      z.describe('Values that whoever starts the run gives: {{inputs.<name>}}.'),
    ),
  ),
  'time-limit': z.optional(duration('The run fails if it has not ended after this time. 24h if left out.')),
  tools: z.optional(
    z
      .array(ToolName)
      .check(
        z.maxLength(RUNBOOK_TOOLS_MAX),
        z.describe('Tools that steps may use; a webhook is the tool call-webhook.'),
      ),
  ),
  steps: z.array(StepFile).check(z.minLength(1), z.maxLength(RUNBOOK_STEPS_MAX)),
});
export type RunbookFile = z.infer<typeof RunbookFile>;
