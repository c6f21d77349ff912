/** The words for runbooks and their runs: those of a person who reads. Fixed texts. */

import { textTable } from '../../core/base/language.ts';
import { DAYS } from '../../core/base/time-words.ts';
import { forPeople } from '../../core/language/for-people.ts';

const EN = {
  days: DAYS,
  /** A reason as it is stored. */
  stored: forPeople,

  // A run.
  states: {
    running: 'running',
    waiting: 'waiting',
    done: 'done',
    failed: 'failed',
    stopped: 'stopped',
    'did-nothing': 'did-nothing',
  },
  ends: {
    done: 'done',
    failed: 'failed',
    unknown: 'its outcome is unknown',
    undone: 'done, and taken back',
    'not-undone': 'done, and could not be taken back',
  },
  entry: (entries: string) => `, entry ${entries}`,
  step: (place: string) => `step ${place}`,
  begins: 'it begins',
  tryOf: (count: number) => `, try ${count}`,
  again: (times: number, until: string | undefined) =>
    `it failed${times > 1 ? ` ${times} times` : ''} and is tried again at ${until ?? 'once'}`,
  waitsUntil: (until: string) => `it waits until ${until}`,
  waitsForYes: (isUndo: boolean) => `${isUndo ? 'to take it back, ' : ''}it waits for an approver, on its card`,
  asksModel: 'the model is asked',
  takenBack: 'it is taken back',
  beingDone: 'it is being done',
  asking: 'waits for your yes',
  atStep: (place: string, since: string) => `, step ${place} since ${since}`,
  now: (step: string, since: string, doing: string) => `Now: ${step}, since ${since}: ${doing}`,
  run: (id: string, runbook: string, state: string) => `${id}: the runbook ${runbook}: ${state}`,
  begun: (at: string, by: string, end: string | undefined) =>
    `Begun ${at} by ${by}${end === undefined ? '' : `; it ends at ${end} at the latest`}.`,
  input: (name: string, value: string) => `Input ${name}: ${value}`,
  toStop: (id: string) => `/runbook stop ${id} ends it.`,

  // A runbook.
  ask: (question: string) => `ask: ${question}`,
  text: (text: string) => `text: ${text}`,
  model: (most: number, prompt: string, material: string | undefined) =>
    `model (no tools, at most ${most} characters): ${prompt}${material === undefined ? '' : ` With: ${material}`}`,
  wait: (time: string) => `wait ${time}`,
  each: (list: string, most: number) => `for each entry of ${list}, up to ${most} times:`,
  next: {
    stop: 'the run fails',
    skip: 'the run goes on',
    undo: 'the run takes its steps back and fails',
  },
  tries: (count: number, wait: string) =>
    `${count} more ${count === 1 ? 'try' : 'tries'}, the first after ${wait} or up to a minute later, then `,
  timeLimit: (time: string) => `time limit ${time}`,
  ifFails: (what: string) => `if it fails: ${what}`,
  shape: (path: string, shape: string) => `{{${path}}} is ${shape}; anything else asks you`,
  takenBackBy: (call: string) => `taken back by ${call}`,
  condition: (condition: string) => ` if ${condition}:`,
  meaning: (name: string, meaning: string, otherwise: string | undefined) =>
    `Input ${name}: ${meaning}${otherwise === undefined ? ' (must be given)' : ` (${otherwise || 'empty'} if left out)`}`,
  runbook: (name: string, description: string) => `Runbook ${name}: ${description}`,
  limits: (time: string, tools: string) =>
    `It ends after ${time} at the latest. Tools: ${tools === '' ? 'none' : tools}.`,
};
export type RunbookWords = typeof EN;

export const runbookTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
