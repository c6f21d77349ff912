/** The answers to the verbs of plans in English, the typed source. Pure. */
import { textTable } from '../../core/base/language.ts';

export const EN = {
  none: 'No plan is open. The model writes one down if you ask for a plan.',
  plan: (name: string, state: string) => `Plan ${name}: ${state}`,
  isOpen: 'waits for your approval',
  step: (n: number, words: string, state: string) => `${n}. ${words}: ${state}`,
  states: {
    open: 'open',
    noCall: 'in words alone, without a call',
    broken: 'its call cannot be read',
    closed: 'struck out or done',
    DONE: 'done',
    FAILED: 'was not done',
    UNKNOWN: 'outcome unknown',
    SKIPPED: 'left out',
  } as Readonly<Record<string, string>>,
  run: (run: string) => `Its newest run: /runbook show ${run}`,
  hints: (id: string) => `Change it by /edit <step> text, title, order 2 or state CANCELLED; then /plan approve ${id}`,
  isClosed: 'the plan is closed: give it the state PLAN to open it again',
  noSteps: 'the plan has no open step',
  tooMany: (count: number, most: number) => `the plan has ${count} open steps, and ${most} may be approved together`,
  cannotRead: (n: number) =>
    `the call of step ${n} cannot be read: it is the name of a tool and its arguments as JSON, such as call-webhook {"webhook":"pay","body":{}}`,
  cannotRun: (why: string) => `the plan cannot be performed: ${why}`,
  asked: (steps: string, id: string) =>
    `Step ${steps} is in words alone. The model writes the call that does it; look at it, then say /plan approve ${id} again.`,
  isPrivate: 'a step in words alone is marked private, so no model is shown it: write its call yourself',
};
export type PlanTexts = typeof EN;

export const planTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
