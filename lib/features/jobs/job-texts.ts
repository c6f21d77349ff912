/** The words for jobs, their rules and their runs: those of a person who reads. Fixed texts. */
import { textTable } from '../../core/base/language.ts';
import { DAYS } from '../../core/base/time-words.ts';
import { CRON_WORDS, RULE_WORDS } from './rule-words.ts';
import { RUN_WORDS } from './state-words.ts';

const EN = {
  days: DAYS,
  cron: CRON_WORDS,
  rule: RULE_WORDS,
  runs: RUN_WORDS,

  // Rules and moments.
  moved: ', moved: the clock leaves that time out',
  nextEvent: (source: string) =>
    `at the next such event; none is taken without a secret for ${source} in WEBHOOK_SECRETS`,
  withinMinute: 'within a minute',
  neverAgain: 'never again',
  thenNeverAgain: 'then never again',
  onceAt: (at: string, zone: string) => `once, ${at} on the clock of ${zone}`,
  every: (time: string, from: string) => `every ${time} from ${from}`,
  cronOn: (cron: string, zone: string) => `cron ${cron} on the clock of ${zone}`,
  eachEvent: (event: string | undefined, source: string, holds: string | undefined) =>
    `at each event${event === undefined ? '' : ` ${event}`} of the webhook source ${source}${holds === undefined ? '' : ` for which this is true: ${holds}`}`,
  checked: (time: string, from: string, holds: string) =>
    `checked every ${time} from ${from}; it runs if this has become true: ${holds}`,

  // A definition, field by field.
  nobody: 'nobody',
  topic: (topic: number | string) => `, topic ${topic}`,
  says: (text: string) => `says: ${text}`,
  calls: (tool: string, args: string) => `calls ${tool} with ${args}`,
  asksModel: 'It asks the model',
  step: (n: number) => `Step ${n}`,
  runsRunbook: 'It runs the runbook',
  withHash: (runbook: string, hash: string) => `${runbook} (hash ${hash})`,
  input: (name: string) => `Input ${name}`,
  whole: 'Approved as a whole',
  wholeUntil: (runs: number, until: string) => `${runs} runs until ${until}, unless the rules change before`,
  notMadeUp: 'it is not made up for',
  newestIf: (time: string) => `the newest one runs if it is at most ${time} late`,
  newestRunIf: (runs: number, time: string) => `the newest ${runs} run if they are at most ${time} late`,
  texts: 'Texts',
  textsAnHour: (most: number) => `${most} an hour one by one, the rest in one message`,
  promises: {
    reply: 'a reply; a run without one is reported as having done nothing',
    change: 'a change by a tool; a run without one is reported as having done nothing',
    nothing: 'nothing: a run may end without a word',
  },
  ifMissed: 'If a run was missed',
  ifNotEnded: 'If the run before has not ended',
  isSkipped: 'it is skipped',
  waits: 'it waits',
  start: 'Start',
  atMoment: 'at its moment',
  within: (time: string) => `within ${time} after its moment`,
  pause: 'Pause',
  never: 'never by itself',
  afterFailures: (count: number) => `by itself after ${count} failures in a row`,
  cap: 'Cap',
  capOfAll: 'that of all jobs',
  capOwn: (usd: string) => `${usd} a day, beside that of all jobs`,
  promise: 'Promise',
  when: 'When',
  resultTo: 'Result goes to',
  next: 'Next',
  onceResumed: ', once it is resumed',
  may: (to: string | undefined) => (to === undefined ? 'read and remember' : `read, remember and write to ${to}`),
  mayWhole: (may: string) =>
    `It may ${may}, and make the calls that the whole permits; anything else asks you each time.`,
  mayElse: (may: string, session: string) =>
    `It may ${may}; anything else asks you each time, unless a grant for ${session} covers it.`,
  changed: (label: string) => `CHANGED ${label}`,
  before: (value: string, before: string | undefined) => `${value} (before: ${before ?? 'nothing'})`,
  removed: (label: string) => `REMOVED ${label}`,

  // Its moments that are over.
  kinds: { rule: '', run: ' (run by a person)', event: ' (for an event)', condition: ' (by its condition)' },

  // In one line.
  states: { active: 'active', paused: 'paused', ended: 'ended', removed: 'removed' },
  waiting: (name: string, rule: string) => `job ${name}: ${rule} …`,
  due: 'active, due',
  activeNext: (at: string) => `active, next ${at}`,
  builtIn: (description: string) => `built in: ${description}`,
  running: (count: number) => `${count} running`,
  failures: (count: number) => `${count} ${count === 1 ? 'failure' : 'failures'} in a row`,
  more: (cursor: string) => `… and more: npx passepartout jobs list --cursor ${cursor}`,
};
export type JobWords = typeof EN;

export const jobTexts = textTable(EN, { de: async () => (await import('./job-texts-german.ts')).DE });
