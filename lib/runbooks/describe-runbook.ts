/** A runbook in lines for a person, with the values of a run if given its inputs. Pure. */
import { shapeWords } from '../approvals/shape.ts';
import { canonicalJson } from '../base/canonical.ts';
import { SECOND_MS } from '../base/limits.ts';
import { secondWords } from '../jobs/state-words.ts';
import type { Inputs } from './inputs.ts';
import { WEBHOOK_TOOL } from './read-result.ts';
import type { IfFails, Runbook, RunbookCall, RunbookInput, RunbookStep } from './runbook.ts';
import { STEP_TIME_LIMIT_MS_DEFAULT } from './runbook-file.ts';

const durationWords = (ms: number): string => secondWords(ms / SECOND_MS);

/** Shows the values of inputs in a text; other templates stay. */
export const withInputs = (text: string, inputs: Inputs): string =>
  text.replace(/\{\{\s*inputs\.(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(inputs, name) ? (inputs[name] ?? whole) : whole,
  );

export const describeCall = ({ tool, args }: RunbookCall): string => {
  if (tool !== WEBHOOK_TOOL) return `${tool} ${canonicalJson(args)}`;
  return `webhook ${String(args.webhook)} ${canonicalJson(args.body)}`;
};

/** The step itself, without what follows if it fails. */
export const stepWords = (step: RunbookStep): string => {
  switch (step.kind) {
    case 'ask':
      return `ask: ${step.question}`;
    case 'call':
      return describeCall(step.call);
    case 'text':
      return `text: ${step.text}`;
    case 'model':
      return `model (no tools, at most ${step.answerChars} characters): ${step.prompt}${step.material === undefined ? '' : ` With: ${step.material}`}`;
    case 'wait':
      return `wait ${durationWords(step.waitMs)}`;
    case 'each':
      return `for each entry of ${step.list}, up to ${step.most} times:`;
    default:
      return step satisfies never;
  }
};

const NEXT_WORDS: Readonly<Record<IfFails['next'], string>> = {
  stop: 'the run fails',
  skip: 'the run goes on',
  undo: 'the run takes its steps back and fails',
};

/** Empty if it is as usual: the run fails, and nothing is taken back. */
const failWords = (step: RunbookStep): readonly string[] => {
  if (step.kind === 'wait' || step.kind === 'each') return [];
  const { ifFails, timeLimitMs } = step;
  const tries =
    ifFails.retry === 0
      ? ''
      : `${ifFails.retry} more ${ifFails.retry === 1 ? 'try' : 'tries'}, the first after ${durationWords(ifFails.waitMs)} or up to a minute later, then `;
  const isUsual = ifFails.retry === 0 && ifFails.next === 'stop';
  return [
    ...(timeLimitMs === STEP_TIME_LIMIT_MS_DEFAULT ? [] : [`time limit ${durationWords(timeLimitMs)}`]),
    ...(isUsual ? [] : [`if it fails: ${tries}${NEXT_WORDS[ifFails.next]}`]),
    ...(step.kind === 'call' ? Object.entries(step.shapes) : []).map(
      ([path, shape]) => `{{${path}}} is ${shapeWords(shape)}; anything else asks you`,
    ),
    ...(step.kind === 'call' && step.undo !== undefined ? [`taken back by ${describeCall(step.undo)}`] : []),
  ];
};

const stepLines = (step: RunbookStep, indent: string): readonly string[] => {
  const name = step.id === undefined ? '' : ` ${step.id}:`;
  const condition = step.condition === undefined ? '' : ` if ${step.condition}:`;
  const head = `${indent}${step.place}.${name}${condition} ${stepWords(step)}`;
  const more = failWords(step).map((words) => `${indent}   ${words}`);
  return [head, ...more, ...(step.kind === 'each' ? step.steps.flatMap((one) => stepLines(one, `${indent}  `)) : [])];
};

const inputLine = ({ name, meaning, default: usual }: RunbookInput, inputs: Inputs | undefined): string => {
  if (inputs !== undefined) return `Input ${name}: ${inputs[name] ?? ''}`;
  const otherwise = usual === '' ? 'empty' : usual;
  return `Input ${name}: ${meaning}${otherwise === undefined ? ' (must be given)' : ` (${otherwise} if left out)`}`;
};

/** @param inputs those of a run; undefined shows their meanings */
export const describeRunbook = (runbook: Runbook, inputs?: Inputs): readonly string[] => {
  const { name, description, timeLimitMs, tools, steps } = runbook;
  const lines = [
    `Runbook ${name}: ${description}`,
    ...runbook.inputs.map((input) => inputLine(input, inputs)),
    `It ends after ${durationWords(timeLimitMs)} at the latest. Tools: ${tools.length === 0 ? 'none' : tools.join(', ')}.`,
    ...steps.flatMap((step) => stepLines(step, '')),
  ];
  return inputs === undefined ? lines : lines.map((line) => withInputs(line, inputs));
};
