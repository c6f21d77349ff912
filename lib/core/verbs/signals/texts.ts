/** The answers about signals in English, the typed source. Reasons come as values. Pure. */

import { textTable } from '../../base/language.ts';
import { notices } from '../../judge/notices.ts';
import { RULE_WORDS } from '../../judge/rules-learned.ts';
import { forPeople } from '../../language/for-people.ts';
import type { StopCause } from '../../ledger/record.ts';

export const CONSENSUS_WORDS = {
  agreed: 'all proposed the same',
  majority: 'most proposed the same',
  safest: 'they did not agree; the safest proposal was taken',
  alone: 'nobody else gave a proposal',
} as const;

/** The sentences of a story: each lacks its end, because a reason may follow. */
const STORY = {
  /** A reason as it is stored. */
  stored: forPeople,
  call: (sentence: string) => `${sentence}: this`,
  notice: 'A fixed notice',
  reply: 'My reply',
  done: (name: string, isCall: boolean) => `${name} was ${isCall ? 'done' : 'sent'}.`,
  failed: (name: string) => `${name} failed`,
  unknown: (name: string) => `${name} was begun, but nobody knows whether it happened`,
  refused: (name: string) => `${name} was refused just before it would have happened`,
  suspended: (name: string) => `${name} waits for a person's yes`,
  handed: (name: string) => `${name} was handed to a machine of yours and has not come back`,
  waiting: (name: string) => `${name} could not be sent yet and is tried again`,
  claimed: (name: string) => `${name} is under way.`,
  pending: (name: string) => `${name} is decided and about to happen.`,
  handedOn: 'It was handed on',
  recorded: 'It was recorded',
  dropped: 'It was not worked on',
  deadLettered: 'It could not be worked on and was set aside',
  atWork: 'Nothing is decided yet: it is still being worked on.',
  undecided: 'Nothing is decided yet',
  rejected: (count: number) =>
    `Before that the rules rejected ${count === 1 ? 'one proposal' : `${count} proposals`} of the model.`,
  nothingDone: 'Nothing was done',
  rulesRefused: (count: number) =>
    `Nothing was done: the rules refused what the model proposed${count > 1 ? `, ${count} times` : ''}`,
  setAside: 'Then it was set aside',
};

/** The lines below a story. */
const DETAILS = {
  theCall: (tool: string) => `The call of ${tool}`,
  /** Of signals, decisions, effects and gates. */
  state: (word: string): string => word,
  consensus: (count: number, outcome: keyof typeof CONSENSUS_WORDS) =>
    `Models asked: ${count}; ${CONSENSUS_WORDS[outcome]}`,
  noProposal: 'no proposal',
  taken: ', taken',
  memory: (commit: number | undefined, log: string, shown: string) =>
    `Memory${commit === undefined ? '' : ` at commit ${commit}${log}`}, shown: ${shown === '' ? 'nothing of it' : shown}`,
  log: (leaves: number, root: string) => ` (log of ${leaves} leaves, root ${root})`,
  onlyTools: (tools: string | undefined) => `Only these tools, by its job: ${tools}`,
  skill: (name: string, version: string) => `Skill shown: ${name}, version ${version}`,
  settings: (version: number) => `By version ${version} of the settings`,
  judged: (name: string, outcome: string, gates: number) => `${name}: ${outcome}, ${gates} gates`,
  answer: 'reply',
  model: (name: string, tier: string) => `Model: ${name}${tier}`,
  failedBefore: (line: string) => `Failed before: ${line}`,
  byGrant: (id: string) => ` by grant ${id}`,
  effect: (n: number, actuator: string) => `Effect ${n} (${actuator})`,
  byScript: (name: string) => `, by script ${name}`,
  attemptRejected: (n: number) => `Attempt ${n}: rejected`,
  decision: (outcome: string) => `Decision: ${outcome}`,
  ...RULE_WORDS,
};

/** The lines of a whole story, which a terminal and the page show. */
const WHOLE = {
  attempt: (n: number, name: string, isVote: boolean, tokens: readonly [number, number] | undefined) =>
    `${isVote ? 'Second opinion' : 'Attempt'} ${n} by ${name}${tokens === undefined ? '' : `, ${tokens.join(' + ')} tokens`}`,
  failedBefore: (line: string) => `failed before: ${line}`,
  problem: 'problem',
  says: 'says',
  calls: 'calls',
  gateSet: 'gate set',
  action: 'Action',
  noDecision: 'No decision yet.',
  effects: 'Effects',
  effect: (n: number, actuator: string) => `Effect ${n}: ${actuator}`,
  retry: (command: string) => `to try it again: ${command}`,
  resolve: (command: string) => `look whether it happened, then (done, or retry): ${command}`,
  cameFrom: (sensor: string, sender: string, source: string, session: string, time: string) =>
    `${sensor} from ${sender} by ${source}, session ${session}, ${time}`,
  caused: (ids: string) => `Then: ${ids}`,
};

/** The lines of `/status` and `/doctor`. */
const STATUS = {
  stopped: 'Stopped: nothing is done until an approver resumes it: /resume.',
  notStopped: 'Not stopped.',
  stoppedHere: (because: StopCause): string => notices.isSessionStopped(because).text,
  stoppedElsewhere: (names: string) => `Stopped conversations: ${names} (/resume <conversation>).`,
  idle: 'No message is being worked on in this conversation.',
  working: (id: string) => `Working on ${id}.`,
  waiting: (messages: number, approvals: number) => `Messages waiting here: ${messages}. Approvals open: ${approvals}.`,
  attention: (finding: string) => `Attention: ${finding}.`,
  unknownOutcome: (name: string) =>
    `Outcome unknown: ${name}. Look whether it happened, then (done, or retry): npx passepartout effects resolve ${name} done`,
  lastTask: (id: string) => `Last task: ${id} (/why ${id})`,
  canAnswer: (because: string | undefined) =>
    `It can answer: ${because === undefined ? 'yes.' : `no, because ${because}.`}`,
  nothingWrong: 'Nothing is wrong.',
  wrong: (finding: string) => `Wrong: ${finding}.`,
  moreChecks: 'Keys, files, disk and clock: npx passepartout doctor',
};

export const EN = {
  story: STORY,
  ...DETAILS,
  ...STATUS,
  whole: WHOLE,
  noSuchTask: (id: string) => `I know of no task ${id} here`,
  noTaskYet: 'there is no earlier task in this conversation yet',
};
export type SignalTexts = typeof EN;

export const signalTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
