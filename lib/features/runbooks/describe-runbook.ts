/** A runbook in lines for a person, with the values of a run if given its inputs. Pure. */
import { shapeWords } from '../../core/approvals/shape.ts';
import { canonicalJson } from '../../core/base/canonical.ts';
import { SECOND_MS } from '../../core/base/limits.ts';
import { secondWords } from '../../core/base/time-words.ts';
import type { Inputs } from './inputs.ts';
import { WEBHOOK_TOOL } from './read-result.ts';
import type { Runbook, RunbookCall, RunbookInput, RunbookStep } from './runbook.ts';
import { STEP_TIME_LIMIT_MS_DEFAULT } from './runbook-file.ts';
import type { RunbookWords } from './texts.ts';

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
export const stepWords = (say: RunbookWords, step: RunbookStep): string => {
  switch (step.kind) {
    case 'ask':
      return say.ask(step.question);
    case 'call':
      return describeCall(step.call);
    case 'text':
      return say.text(step.text);
    case 'model':
      return say.model(step.answerChars, step.prompt, step.material);
    case 'wait':
      return say.wait(durationWords(step.waitMs));
    case 'each':
      return say.each(step.list, step.most);
    default:
      return step satisfies never;
  }
};

/** Empty if it is as usual: the run fails, and nothing is taken back. */
const failWords = (say: RunbookWords, step: RunbookStep): readonly string[] => {
  if (step.kind === 'wait' || step.kind === 'each') return [];
  const { ifFails, timeLimitMs } = step;
  const tries = ifFails.retry === 0 ? '' : say.tries(ifFails.retry, durationWords(ifFails.waitMs));
  const isUsual = ifFails.retry === 0 && ifFails.next === 'stop';
  return [
    ...(timeLimitMs === STEP_TIME_LIMIT_MS_DEFAULT ? [] : [say.timeLimit(durationWords(timeLimitMs))]),
    ...(isUsual ? [] : [say.ifFails(`${tries}${say.next[ifFails.next]}`)]),
    ...(step.kind === 'call' ? Object.entries(step.shapes) : []).map(([path, shape]) =>
      say.shape(path, shapeWords(shape)),
    ),
    ...(step.kind === 'call' && step.undo !== undefined ? [say.takenBackBy(describeCall(step.undo))] : []),
  ];
};

const stepLines = (say: RunbookWords, step: RunbookStep, indent: string): readonly string[] => {
  const name = step.id === undefined ? '' : ` ${step.id}:`;
  const condition = step.condition === undefined ? '' : say.condition(step.condition);
  const head = `${indent}${step.place}.${name}${condition} ${stepWords(say, step)}`;
  const more = failWords(say, step).map((words) => `${indent}   ${words}`);
  return [
    head,
    ...more,
    ...(step.kind === 'each' ? step.steps.flatMap((one) => stepLines(say, one, `${indent}  `)) : []),
  ];
};

const inputLine = (
  say: RunbookWords,
  { name, meaning, default: usual }: RunbookInput,
  inputs: Inputs | undefined,
): string => (inputs === undefined ? say.meaning(name, meaning, usual) : say.input(name, inputs[name] ?? ''));

/** @param inputs those of a run; undefined shows their meanings */
export const describeRunbook = (say: RunbookWords, runbook: Runbook, inputs?: Inputs): readonly string[] => {
  const { name, description, timeLimitMs, tools, steps } = runbook;
  const lines = [
    say.runbook(name, description),
    ...runbook.inputs.map((input) => inputLine(say, input, inputs)),
    say.limits(durationWords(timeLimitMs), tools.join(', ')),
    ...steps.flatMap((step) => stepLines(say, step, '')),
  ];
  return inputs === undefined ? lines : lines.map((line) => withInputs(line, inputs));
};
