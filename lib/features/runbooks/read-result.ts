/** A step's result as templates see it: a webhook's output is the body of its answer. Pure. */
import * as z from 'zod/mini';
import { ProtocolError } from '../../core/base/errors.ts';
import { Json, JsonObject, parseJson } from '../../core/base/json.ts';
import type { StepResult } from './fill-template.ts';

/** Name of the tool that calls a webhook: a step `webhook` is a call of it. */
export const WEBHOOK_TOOL = 'call-webhook';

/** Tools that give one line of JSON for each note: their data is the list of them. */
const LISTING_TOOLS: ReadonlySet<string | undefined> = new Set(['recall', 'list-memory']);

const WebhookAnswer = z.object({ status: z.int(), body: z.string() });

const parsed = <T>(text: string, schema: z.ZodMiniType<T>): T | undefined => {
  try {
    return parseJson('the output', text, schema);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
};

const linesOf = (output: string): readonly Json[] =>
  output.split('\n').flatMap((line) => parsed(line, JsonObject) ?? []);

/** @param tool tool that the step called; undefined if it called none */
export const readResult = (tool: string | undefined, text: string, isNew: boolean): StepResult => {
  const answer = tool === WEBHOOK_TOOL ? parsed(text, WebhookAnswer) : undefined;
  const output = answer?.body ?? text;
  const data = LISTING_TOOLS.has(tool) ? linesOf(output) : parsed(output, Json);
  return {
    output,
    ...(data === undefined ? {} : { data }),
    isNew,
    ...(answer === undefined ? {} : { status: answer.status }),
  };
};
