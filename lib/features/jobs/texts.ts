/** The answers to the verbs of jobs: fixed texts with names, times and counts filled in. */
import { textTable } from '../../core/base/language.ts';

const EN = {
  noJobNamed: (name: string) => `there is no job ${name}; /jobs lists those there are`,
  isThere: (name: string) => `there is a job ${name} already; /jobs edit ${name} changes it`,
  paused: (names: string) => `Paused jobs: ${names} (/jobs resume <name>).`,
  next: (line: string) => `Next job: ${line}`,
  noTasks: 'Nothing works in the background now. /jobs lists what is scheduled.',
  since: (job: string, at: string, signalId: string) => `${job}: since ${at}  /why ${signalId}`,
  toEnd: 'To end all of it: /stop',
  none: 'There is no job.',
  unread: (n: number) => `${n} more cannot be read by this release.`,
  newest: (count: number, name: string, most: number) =>
    `These are the newest ${count}. For more: /jobs history ${name} ${most}`,
  wasRemoved: (name: string) => `The job ${name} was removed before it was due.`,
  notDue: (name: string) => `The job ${name} has not been due yet.`,
  runNow: (name: string) => `A run of ${name} now (nothing was done):`,
  wouldAsk: (words: string) => `It would ask the model: ${words}`,
  tools: (tier: string, names: string) => `Tools, ${tier}: ${names}`,
  tiers: { allow: 'allow', ask: 'ask', deny: 'deny', unclear: 'by what is in the call' },
  whole:
    'You approved this job as a whole: within the bounds of that yes, its calls are done without asking; questions are asked.',
};
export type JobAnswers = typeof EN;

export const jobAnswers = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
