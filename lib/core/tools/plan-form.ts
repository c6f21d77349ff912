/** The form of `propose-plan`: what it may hold, and every line of its card. */

import * as z from 'zod/mini';
import { sayReach } from '../approvals/say-reach.ts';
import { showPlainly } from '../approvals/show-plainly.ts';
import { hasNameOfReceiver } from '../approvals/task-grant.ts';
import { canonicalJson } from '../base/canonical.ts';
import { isObject, type Json, JsonObject, parseWith } from '../base/json.ts';
import { normaliseName } from '../signal/action.ts';
import { isMcpTool } from '../signal/mcp-name.ts';
import { argumentProblems } from './argument-problems.ts';
import { type Mark, UNMARKED } from './marks.ts';
import type { ToolForm } from './tool.ts';

/** Bounds and values of one step, and uses: a person reads all of them. */
const PLAN_BOUNDS_MAX = 3;
const PLAN_VALUES_MAX = 10;
const PLAN_TIMES_MAX = 10;
const VALUE_CHARS_MAX = 200;

const PlanBound = z.strictObject({
  field: z.string().check(z.regex(/^[\w-]{1,64}(?:\.[\w-]{1,64}){0,4}$/)),
  atMost: z.optional(z.number().check(z.minimum(0))),
  oneOf: z.optional(
    z.array(z.string().check(z.minLength(1), z.maxLength(VALUE_CHARS_MAX))).check(z.maxLength(PLAN_VALUES_MAX)),
  ),
});
type PlanBound = z.infer<typeof PlanBound>;

const PlanStep = z.strictObject({
  tool: z.string().check(z.maxLength(64)),
  args: JsonObject,
  bounds: z.optional(z.array(PlanBound).check(z.maxLength(PLAN_BOUNDS_MAX))),
  times: z.optional(z.int().check(z.minimum(1), z.maximum(PLAN_TIMES_MAX))),
});
export type PlanStep = z.infer<typeof PlanStep>;

const PlanArgs = z.strictObject({ steps: z.array(PlanStep) });

/** @throws ProtocolError if they are no steps of a plan */
export const parsePlan = (args: unknown): readonly PlanStep[] => parseWith('the plan', args, PlanArgs).steps;

/** `body.sum` of a step as a pointer into its arguments. */
export const boundPath = ({ field }: PlanBound): string => `/${field.replaceAll('.', '/')}`;

const isOwn = (value: JsonObject, name: string): boolean => Object.hasOwn(value, name);

/** @returns the arguments with a value at the place; undefined if there is one, or can be none */
const withValue = (args: JsonObject, [name = '', ...rest]: readonly string[], value: Json): JsonObject | undefined => {
  if (rest.length === 0) return isOwn(args, name) ? undefined : { ...args, [name]: value };
  const inner = isOwn(args, name) ? args[name] : {};
  const filled = isObject(inner) ? withValue(inner as JsonObject, rest, value) : undefined;
  return filled === undefined ? undefined : { ...args, [name]: filled };
};

/** The arguments with a value in place of each bound; undefined if a bound has no place. */
export const fillBounds = ({ args, bounds = [] }: PlanStep): JsonObject | undefined =>
  bounds.reduce<JsonObject | undefined>(
    (filled, { field, atMost, oneOf = [] }) => filled && withValue(filled, field.split('.'), atMost ?? oneOf[0] ?? ''),
    args,
  );

const stepProblems = (step: PlanStep, n: number): readonly string[] => {
  const { tool, bounds = [] } = step;
  const isOne = ({ atMost, oneOf = [] }: PlanBound): boolean => (atMost === undefined) !== (oneOf.length === 0);
  const where = `steps[${n}]`;
  return [
    ...(isMcpTool(normaliseName(tool)) || normaliseName(tool) === 'call-webhook'
      ? []
      : [`${where} is no call of a webhook or of another server's tool: leave it out, and call it by itself`]),
    ...(bounds.every(isOne) ? [] : [`${where} must bound each field by either atMost or oneOf`]),
    ...(bounds.some((bound) => bound.atMost !== undefined && hasNameOfReceiver(boundPath(bound)))
      ? [`${where} must name its receiver`]
      : []),
    ...(fillBounds(step) === undefined ? [`${where} bounds a field that it also gives, or that has no place`] : []),
  ];
};

const boundWords = (bound: PlanBound): string =>
  bound.atMost === undefined
    ? `   ${bound.field}: one of ${(bound.oneOf ?? []).map((one) => JSON.stringify(one)).join(', ')}`
    : `   ${bound.field}: at most ${bound.atMost}`;

/** One line for each thing that a yes allows, the exact bytes among them. */
const stepLines = ({ tool, args, bounds = [], times = 1 }: PlanStep, n: number, mark: Mark): readonly string[] => [
  showPlainly(`${n + 1}. ${tool}, ${times === 1 ? 'once' : `up to ${times} times`}, with ${canonicalJson(args)}`),
  ...bounds.map((bound) => mark(showPlainly(boundWords(bound)))),
];

const EXACT = 'Exact calls pass whatever is read meanwhile; bounded ones then ask.';

const targetOf = ({ tool, args }: PlanStep): string =>
  typeof args.webhook === 'string' ? `${tool} to ${args.webhook}` : tool;

export const PLAN_FORM: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args) => {
    const problems = argumentProblems({ args: PlanArgs, fields: ['steps'] }, args);
    return problems.length > 0 ? problems : parsePlan(args).flatMap(stepProblems);
  },
  describe: async (args, _context, mark = UNMARKED) => {
    const steps = parsePlan(args);
    const kinds = [...new Set(steps.map((step) => `${targetOf(step)}, as below, in this task, within an hour`))];
    return [
      ...sayReach(new Map(kinds.map((kind) => [kind, 'ask'])), new Map(kinds.map((kind) => [kind, 'allow']))),
      ...steps.flatMap((step, n) => stepLines(step, n, mark)),
      mark(EXACT),
    ];
  },
};
