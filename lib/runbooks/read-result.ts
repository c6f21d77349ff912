/**
 * The result of a step as templates and expressions see it. The output of a webhook is the body of
 * its answer, and its status stands beside it. Pure.
 */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import { Json, parseJson } from '../base/json.ts';
import type { StepResult } from './template.ts';

/** Name of the tool that calls a webhook: a step `webhook` is a call of it. */
export const WEBHOOK_TOOL = 'call-webhook';

/** Output of the webhook actuator. */
const WebhookAnswer = z.object({ status: z.int(), body: z.string() });

const parsed = <T>(text: string, schema: z.ZodMiniType<T>): T | undefined => {
  try {
    return parseJson('the output', text, schema);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
};

/** @param tool tool that the step called; undefined if it called none */
export const readResult = (tool: string | undefined, text: string, isNew: boolean): StepResult => {
  const answer = tool === WEBHOOK_TOOL ? parsed(text, WebhookAnswer) : undefined;
  const output = answer?.body ?? text;
  const data = parsed(output, Json);
  return {
    output,
    ...(data === undefined ? {} : { data }),
    isNew,
    ...(answer === undefined ? {} : { status: answer.status }),
  };
};
