/** Plans the current step of a run, with every template filled in. Pure. */
import type { JsonObject } from '../../core/base/json.ts';
import { isLive, type Run } from '../../core/ledger/run.ts';
import { type Filled, fillArgs, fillText, type Scope } from './fill-template.ts';
import type { Runbook, RunbookCall, RunbookStep } from './runbook.ts';
import { stepAt, type Walk } from './walk.ts';

export type StepPlan =
  | { readonly kind: 'call'; readonly tool: string; readonly args: JsonObject }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'model';
      readonly prompt: string;
      readonly material: string;
      readonly answerChars: number;
    }
  /** Until the heartbeat finds that its time has come. */
  | { readonly kind: 'wait' }
  /** The step cannot be done; a sentence says why. */
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'ended' };

export const ASK_TOOL = 'ask-person';

const planCall = ({ tool, args }: RunbookCall, scope: Scope): StepPlan => {
  const filled = fillArgs(args, scope);
  return filled.kind === 'problem' ? filled : { kind: 'call', tool, args: filled.value };
};

const fromText = (filled: Filled<string>, make: (text: string) => StepPlan): StepPlan =>
  filled.kind === 'problem' ? filled : make(filled.value);

const plan = (step: RunbookStep, scope: Scope): StepPlan => {
  switch (step.kind) {
    case 'call':
      return planCall(step.call, scope);
    case 'ask':
      return fromText(fillText(step.question, scope), (question) => ({
        kind: 'call',
        tool: ASK_TOOL,
        args: { question },
      }));
    case 'text':
      return fromText(fillText(step.text, scope), (text) => ({ kind: 'text', text }));
    case 'model': {
      const { answerChars } = step;
      return fromText(fillText(step.prompt, scope), (prompt) =>
        fromText(fillText(step.material ?? '', scope), (material) => ({
          kind: 'model',
          prompt,
          material,
          answerChars,
        })),
      );
    }
    case 'wait':
      return { kind: 'wait' };
    case 'each':
      return { kind: 'problem', problem: 'the run does not fit its runbook' };
    default:
      return step satisfies never;
  }
};

export const planStep = (run: Run, runbook: Runbook, walk: Walk): StepPlan => {
  const { current } = run;
  if (!isLive(run) || current === undefined) return { kind: 'ended' };
  if (current.kind === 'again') return { kind: 'wait' };
  const step = stepAt(runbook, current.at);
  const found = walk.scopeAt(current.at);
  if (step === undefined || found.kind === 'problem')
    return { kind: 'problem', problem: found.kind === 'problem' ? found.problem : 'the run does not fit its runbook' };
  if (current.kind === 'step') return plan(step, found.scope);
  return step.kind === 'call' && step.undo !== undefined
    ? planCall(step.undo, found.scope)
    : { kind: 'problem', problem: 'the run does not fit its runbook' };
};
