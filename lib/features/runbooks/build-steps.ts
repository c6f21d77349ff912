/** Makes a runbook's steps, with every default, and names all faults of a single step. Pure. */
import { parseDuration } from '../../core/base/duration.ts';
import { SECOND_MS } from '../../core/base/limits.ts';
import { WEBHOOK_TOOL } from './read-result.ts';
import type { IfFails, RunbookCall, RunbookStep } from './runbook.ts';
import {
  ANSWER_CHARS_DEFAULT,
  EACH_ENTRIES_DEFAULT,
  RETRY_WAIT_MS_DEFAULT,
  RUN_TIME_LIMIT_MS_MAX,
  RUNBOOK_NESTING_MAX,
  STEP_TIME_LIMIT_MS_DEFAULT,
  type StepFile,
} from './runbook-file.ts';

/** Place of a value in the file, as the YAML reader knows it. */
export type FilePath = readonly (string | number)[];

export type Tell = (path: FilePath, problem: string) => void;

/** Fields that belong to each kind of step, beside `id` and `if`. */
const FIELDS = {
  ask: ['time-limit', 'if-fails'],
  webhook: ['body', 'shape', 'time-limit', 'if-fails', 'undo'],
  tool: ['args', 'shape', 'time-limit', 'if-fails', 'undo'],
  text: ['time-limit', 'if-fails'],
  wait: [],
  each: ['most', 'steps'],
  model: ['with', 'answer-chars', 'time-limit', 'if-fails'],
} as const satisfies Readonly<Record<string, readonly (keyof StepFile)[]>>;
type StepKind = keyof typeof FIELDS;
export const STEP_KINDS: readonly StepKind[] = ['ask', 'webhook', 'tool', 'text', 'wait', 'each', 'model'];

/** Milliseconds of a duration in the file; the default if it is missing or wrong. */
export const readDuration = (given: string | undefined, path: FilePath, otherwiseMs: number, tell: Tell): number => {
  if (given === undefined) return otherwiseMs;
  const ms = (parseDuration(given) ?? 0) * SECOND_MS;
  if (ms === 0) tell(path, 'must be a time such as 30s, 5m, 2h or 1d');
  else if (ms > RUN_TIME_LIMIT_MS_MAX) tell(path, 'must be at most 7d');
  return ms;
};

type Parts = RunbookStep extends infer Step
  ? Step extends RunbookStep
    ? Omit<Step, 'place' | 'id' | 'condition'>
    : never
  : never;

const NO_CALL: RunbookCall = { tool: '', args: {} };

const kindOf = (file: StepFile, path: FilePath, tell: Tell): StepKind | undefined => {
  const found = STEP_KINDS.filter((kind) => file[kind] !== undefined);
  const [kind] = found;
  if (kind === undefined || found.length > 1) {
    const said = kind === undefined ? 'it is of no kind' : `it is ${found.join(' and ')} at once`;
    tell([...path, ...found.slice(1, 2)], `${said}: a step is one of ${STEP_KINDS.join(', ')}`);
    return undefined;
  }
  const allowed: readonly string[] = ['id', 'if', kind, ...FIELDS[kind]];
  for (const field of Object.keys(file).filter((one) => !allowed.includes(one)))
    tell([...path, field], `${field} does not belong to a step of the kind ${kind}`);
  return kind;
};

const callOf = (file: Pick<StepFile, 'webhook' | 'body' | 'tool' | 'args'>): RunbookCall | undefined => {
  if (file.webhook !== undefined && file.tool === undefined)
    return { tool: WEBHOOK_TOOL, args: { webhook: file.webhook, body: file.body ?? {} } };
  return file.tool !== undefined && file.webhook === undefined ? { tool: file.tool, args: file.args ?? {} } : undefined;
};

const buildUndo = ({ undo }: StepFile, path: FilePath, tell: Tell): RunbookCall | undefined => {
  if (undo === undefined) return undefined;
  const call = callOf(undo);
  if (call === undefined) tell([...path, 'undo'], 'undo names one of webhook and tool');
  return call;
};

const buildIfFails = ({ 'if-fails': given }: StepFile, path: FilePath, tell: Tell): IfFails => ({
  retry: given?.retry ?? 0,
  waitMs: readDuration(given?.wait, [...path, 'if-fails', 'wait'], RETRY_WAIT_MS_DEFAULT, tell),
  next: given?.then ?? 'stop',
});

const buildEach = (file: StepFile, path: FilePath, place: string, tell: Tell): Parts => {
  const steps = file.steps ?? [];
  const isTooDeep = place.split('.').length >= RUNBOOK_NESTING_MAX;
  if (steps.length === 0) tell([...path, 'each'], 'each needs steps, which are performed for every entry');
  if (isTooDeep) tell([...path, 'each'], `steps may be nested ${RUNBOOK_NESTING_MAX} deep at most`);
  return {
    kind: 'each',
    list: file.each ?? '',
    most: file.most ?? EACH_ENTRIES_DEFAULT,
    steps: isTooDeep ? [] : buildSteps(steps, [...path, 'steps'], `${place}.`, tell),
  };
};

const buildParts = (kind: StepKind, file: StepFile, path: FilePath, place: string, tell: Tell): Parts => {
  if (kind === 'wait') return { kind, waitMs: readDuration(file.wait, [...path, 'wait'], 0, tell) };
  if (kind === 'each') return buildEach(file, path, place, tell);
  const common = {
    timeLimitMs: readDuration(file['time-limit'], [...path, 'time-limit'], STEP_TIME_LIMIT_MS_DEFAULT, tell),
    ifFails: buildIfFails(file, path, tell),
  };
  switch (kind) {
    case 'ask':
      return { kind, question: file.ask ?? '', ...common };
    case 'text':
      return { kind, text: file.text ?? '', ...common };
    case 'model':
      return {
        kind,
        prompt: file.model ?? '',
        material: file.with,
        answerChars: file['answer-chars'] ?? ANSWER_CHARS_DEFAULT,
        ...common,
      };
    case 'webhook':
    case 'tool':
      return {
        kind: 'call',
        call: callOf(file) ?? NO_CALL,
        undo: buildUndo(file, path, tell),
        shapes: file.shape ?? {},
        ...common,
      };
    default:
      return kind satisfies never;
  }
};

/** @param before place of the step that holds these, with a dot; empty for those of the runbook */
export const buildSteps = (
  files: readonly StepFile[],
  path: FilePath,
  before: string,
  tell: Tell,
): readonly RunbookStep[] =>
  files.flatMap((file, index) => {
    const here = [...path, index];
    const place = `${before}${index + 1}`;
    const kind = kindOf(file, here, tell);
    if (kind === undefined) return [];
    return [{ place, id: file.id, condition: file.if, ...buildParts(kind, file, here, place, tell) }];
  });
