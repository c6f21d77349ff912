/**
 * A plan that the model writes before it acts: calls of webhooks and of other servers' tools, with
 * exact arguments where they are known and bounds where not. One card shows all of it. A yes lets
 * these calls pass in this turn and all it causes, each so often, within an hour. Its form
 * (`plan-form.ts`) has the fields of a step.
 */
import * as z from 'zod/mini';
import { JsonObject } from '../base/json.ts';
import { defineTool, loadParts, type NameCall, powerOf, type ToolContext } from './tool.ts';

/** Steps of one card: a person reads all of them. */
const PLAN_STEPS_MAX = 8;

/** The powers of a plan that Act gives. */
export interface PlanPowers {
  /** Makes the grants of its steps. @throws ProtocolError if there can be none */
  readonly allow: (
    steps: readonly JsonObject[],
    of: Pick<ToolContext, 'signalId' | 'effectId' | 'session' | 'now' | 'approvedBy' | 'policyVersion'>,
  ) => Promise<void>;
}

/** Each step with what its call does. */
export const nameSteps = (steps: readonly JsonObject[], nameCall: NameCall): string =>
  steps
    .map(({ tool, args, times }, n) => {
      const { data = {} } = JsonObject.safeParse(args);
      return `${n + 1}. ${nameCall(String(tool), data)}${times ? ` (up to ${times} times)` : ''}`;
    })
    .join('; ');

export const proposePlan = defineTool({
  name: 'propose-plan',
  description:
    'Before several calls of webhooks or mcp- tools: ask the owner once. Steps are {tool, args, times?, bounds?}: exact args; bound an unknown field, as body.sum, by {field, atMost} or {field, oneOf}.',
  sentence: ({ steps }, nameCall) => `Let these pass in this task: ${nameSteps(steps, nameCall)}`,
  args: z.strictObject({ steps: z.array(JsonObject).check(z.minLength(1), z.maxLength(PLAN_STEPS_MAX)) }),
  tier: 'ask',
  isAlwaysAsked: true,
  kind: 'idempotent',
  effects: { changesAuthority: true },
  outputOrigin: 'clean',
  loadForm: async () => (await loadParts()).PLAN_FORM,
  run: async ({ steps }, context) => {
    await powerOf(context.powers, 'plans').allow(steps, context);
    return { output: 'Approved: make these calls now; any other asks.', origin: 'owner' };
  },
});
