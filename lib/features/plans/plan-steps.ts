/**
 * A plan as nodes: a note, and a note below it for each step: its words, and its call as one line,
 * `call-webhook {"webhook":"pay","body":{}}`. The same words and calls in the same order always
 * give the same runbook, and so the same hash; a state is no part of it but for a step that is
 * closed, which is left out. Pure.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/base/canonical.ts';
import { JsonObject, readJson } from '../../core/base/json.ts';
import type { LiveObject } from '../../core/memory/object.ts';
import { childrenOf } from '../../core/memory/outline.ts';
import type { Objects } from '../../core/memory/read.ts';
import { sha256Of } from '../runbooks/begin-run.ts';
import { literalRunbook } from '../runbooks/steps-runbook.ts';
import type { Call, PlanArgs } from './plan-args.ts';
import { markPlan } from './tools.ts';

/** A state in which a step, or the plan, is not done any more: by a person or by its record. */
const CLOSED: ReadonlySet<string> = new Set(['DONE', 'UNKNOWN', 'CANCELLED', 'CANCELED', 'STRUCK']);
export const isClosed = ({ attributes: { todo = '' } }: LiveObject): boolean => CLOSED.has(todo.toUpperCase());

export interface NotedStep {
  readonly note: LiveObject;
  readonly words: string;
  /** Undefined of a step in words alone; `broken` if the line of its call cannot be read. */
  readonly call: Call | 'broken' | undefined;
}

const CALL = /^([a-z0-9][a-z0-9_-]{0,127})[ \t]+(\{[\s\S]*)$/i;

export const callLine = ({ tool, args }: Call): string => `${tool} ${canonicalJson(args)}`;

const readCall = (content: string): NotedStep['call'] => {
  const [, tool = '', json = ''] = CALL.exec(content.trim()) ?? [];
  if (tool === '') return undefined;
  const { data } = JsonObject.safeParse(readJson(json));
  return data === undefined ? 'broken' : { tool: tool.toLowerCase(), args: data };
};

export const readStep = (note: LiveObject): NotedStep => {
  const call = readCall(note.content);
  const own = call === undefined ? note.content : call === 'broken' ? '' : call.tool;
  const words = (note.attributes.title ?? own).trim();
  return { note, words, call };
};

/** All steps in order, closed ones too. What stands below a step is a remark. */
export const readSteps = (objects: Objects, plan: LiveObject): readonly NotedStep[] =>
  childrenOf(objects, plan).flatMap((one) => (one.state === 'live' ? [readStep(one)] : []));

const RUNBOOK_PREFIX = 'plan-';
export const runbookNameOf = (plan: string): string => `${RUNBOOK_PREFIX}${plan}`;
/** The plan that a run is of; undefined if it is another run. */
export const planOfRun = ({ runbook }: { readonly runbook: string }): string | undefined =>
  /^plan-([0-9a-f]{32})$/.exec(runbook)?.[1];

/** Name of a step in the runbook: a word of 32 characters. */
const STEP_ID_CHARS = 31;
const stepIdOf = (note: string): string => `s${note.slice(0, STEP_ID_CHARS)}`;

type PlanParts = Pick<PlanArgs, 'plan' | 'title' | 'steps'>;

/** Steps behind one that failed are left out; the run then fails at its end. */
// biome-ignore lint/suspicious/noThenProperty: the word of the file's form; nobody awaits it
const GOES_ON = { 'if-fails': { then: 'skip' } } as const;

/** Each step, behind it the writing of its state, and at the end a look whether all was done. */
export const planRunbook = ({ plan, title, steps }: PlanParts) => {
  const words = createHash('sha256').update(canonicalJson({ title, words: steps.map((one) => one.words) }));
  const calls = steps.flatMap(({ note, tool, args }, n) => {
    const before = steps[n - 1];
    const condition = before === undefined ? {} : { if: `steps.${stepIdOf(before.note)} !== undefined` };
    return [
      { id: stepIdOf(note), tool, args, ...condition, ...GOES_ON },
      { tool: markPlan.name, args: { plan }, ...GOES_ON },
    ];
  });
  const { text, inputs } = literalRunbook({
    name: runbookNameOf(plan),
    description: `The steps of the plan ${plan}, in words of SHA-256 ${words.digest('hex')}.`,
    tools: [...new Set([...steps.map(({ tool }) => tool), markPlan.name])],
    steps: [...calls, { tool: markPlan.name, args: { plan, isLast: true } }],
  });
  return { text, inputs, hash: sha256Of(text) };
};

/** Each step is two of the runbook's. */
export const stepOfPlace = (at: readonly number[]): number => Math.floor((at[0] ?? 0) / 2);
export const isCallPlace = (at: readonly number[]): boolean => at.length === 1 && (at[0] ?? 0) % 2 === 0;

/** Beginnings of the ids of the approved steps' notes, in order, as a run's runbook names them. */
export const approvedNotes = (steps: readonly { readonly id?: string | undefined }[]): readonly string[] =>
  steps.flatMap(({ id }) => (id === undefined ? [] : [id.slice(1)]));

/**
 * The parts of a plan as it stands now: its open steps, and those of a run that have ended.
 * @param ended beginnings of ids of notes whose step a run has ended
 * @returns undefined if a step that would be in it has no call
 */
export const planParts = (objects: Objects, plan: LiveObject, ended: readonly string[] = []): PlanParts | undefined => {
  const isIn = ({ note }: NotedStep): boolean => !isClosed(note) || ended.includes(note.id.slice(0, STEP_ID_CHARS));
  const steps = readSteps(objects, plan).filter(isIn);
  const whole = steps.flatMap(({ note, words, call }) =>
    call === undefined || call === 'broken' ? [] : [{ note: note.id, words, ...call }],
  );
  const title = plan.attributes.title ?? plan.content;
  return whole.length === steps.length ? { plan: plan.id, title, steps: whole } : undefined;
};
