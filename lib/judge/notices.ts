/**
 * Every text that code sends to a person: fixed templates with values filled in. They quote nothing
 * that a model or an outsider wrote, except ids, names of gates, and the action that a person
 * decides on or asked for.
 */

import type { Approval } from '../approvals/approval.ts';
import { defined } from '../base/defined.ts';
import { BLOCKS_PER_HOUR_MAX, PENDING_APPROVALS_MAX } from '../base/limits.ts';
import type { StopCause } from '../ledger/record.ts';
import type { Action } from '../signal/action.ts';
import type { EffectState } from '../signal/decision.ts';
import type { Origin, ReplyRoute } from '../signal/signal.ts';
import { defang } from '../text/tappable.ts';
import { actionSentence } from '../tools/action-sentence.ts';
import { buildCard, buildCardUpdate, buildSimilarCard, type CardEnding } from './card.ts';

export interface Notice {
  readonly template: string;
  readonly text: string;
  /** The approval whose card this is. */
  readonly card?: string;
  /** When the bounds were made that the card offers, epoch milliseconds. */
  readonly similarAt?: number;
  /** The message that this text replaces. */
  readonly edits?: { readonly message: number };
  /** Goes here instead of to whoever asked. */
  readonly route?: ReplyRoute;
}

const COMMAND_ENDINGS = {
  done: () => '',
  failed: (sentence: string) => `This could not be done: ${sentence}. Why: `,
  refused: (sentence: string) => `This was refused: ${sentence}. Why: `,
  unknown: (sentence: string) => `It is not known whether this was done: ${sentence}. Why: `,
} as const;

const QUOTA_OWNERS = {
  person: () => 'You have',
  conversation: () => 'People without rights in this conversation have',
  source: (sender: string) => `The source ${sender} has`,
} as const;

const STOP_CAUSES: Readonly<Record<StopCause, string>> = {
  blocks: `more than ${BLOCKS_PER_HOUR_MAX} actions were blocked there within an hour`,
  approvals: `it asked for one more approval while ${PENDING_APPROVALS_MAX} were waiting`,
  asked: 'somebody there asked for it',
};

const HELP = [
  '/status – what is going on',
  '/budget – what is spent and what is left',
  '/cost [day|week|session|job] – what models cost and what was saved; /model – which one answers here',
  '/why <id> – why something was done or refused',
  '/stop – stop every action at once (also: STOP); from a member: this conversation',
  '/jobs – what runs by itself and when; /jobs show|history|pause|resume|run|remove <name>, /jobs add|edit',
  '/mcp list – tools of other servers; /mcp add|accept|remove',
  '/runners – machines that perform commands for you; /runners pause|resume|remove <name>',
  '/chats – the Telegram chats I serve because they were paired; /chats remove <id>',
  '/remember <text> #tag, /edit <id> …, /forget <id> – keep something, change it, erase it for good',
  '/recall <words>, /memory [id], /audit <id> – find it, look at it, who wrote it when',
  '/memory open|ask|close – in a group: whether I read memory there, and whether answers from it ask first; /memory chats lists them',
  '/project new|done|list, /scope – projects, and where what you keep here is found',
  '/focus <id or project>, /focus off – what this conversation is about',
  '/snapshot [name], /snapshots, /diff <a> <b>, /rollback <name or number> – what memory was, and back to it; /revert <commit> takes back one change',
  '/identity – who I am and how I speak; /skill – what I may do of my own (changed by approvers only)',
  '/approve <id>, /deny <id> – decide on what waits, as its buttons do (approvers only)',
  '/grants, /revoke <id> – what is allowed without asking (approvers only)',
  '/resume – carry on after a stop (approvers only)',
  '/help – this list',
];

const CHAT_NAMED = {
  open: 'This group is open: when an approver asks here, I read memory and answer from it, and everybody here reads that. /memory close ends it.',
  ask: 'When an approver asks here, I read memory; before an answer made from it is sent, I ask in private. /memory close ends it.',
  closed: 'I read no memory in that group any more.',
} as const;

const WHY_NOT_APPROVE = {
  person: 'Only an approver may decide this. In a group these are the people named in the setting TELEGRAM_APPROVERS.',
  chat: 'This can be decided only in the chat its card was sent to, or with: npx passepartout approvals',
} as const;

/** Why a decision about an approval changes nothing. */
const STALE = {
  unknown: 'I know no such question (any more)',
  pending: 'this still waits for a decision',
  decided: 'this is decided already',
  approved: 'this is approved already',
  spent: 'this is approved already, and was begun',
  denied: 'this is denied already',
  expired: 'the time to decide this is over, and it was not done. Ask for it again',
} as const;
type StaleState = keyof typeof STALE;

const ENDED_BECAUSE = {
  policy: 'the rules changed after this was asked, so it can no longer be approved. Ask for it again',
  refused: 'this was approved, and then refused before it was done',
} as const;

const joined = (lines: readonly string[]): string => lines.join('\n');

/** The text of each template. The template of `stoppedHere` is called `stopped-here`. */
const TEXTS = {
  // Commands that show something.
  help: (assistant: string) =>
    joined([
      `I am ${assistant}. Write to me in plain words; what I want to do is checked by fixed rules before it happens.`,
      '',
      ...HELP,
    ]),
  status: joined,
  why: joined,
  memory: joined,
  cost: joined,
  budget: joined,
  identity: joined,
  skills: joined,
  runbooks: (lines: readonly string[]) => joined(lines),
  jobs: (lines: readonly string[]) => (lines.length === 0 ? 'There is no job.' : joined(lines)),
  grants: (lines: readonly string[]) =>
    lines.length === 0 ? 'Nothing is allowed beyond single approvals.' : joined(lines),
  namedChats: (lines: readonly string[]) =>
    lines.length === 0
      ? 'No group is named for memory. In a group, an approver can send /memory open or /memory ask.'
      : joined([...lines, 'To take one back: /memory close <chat>.']),
  model: (choice: string, isSet: boolean) =>
    isSet
      ? `From now on in this conversation: /model ${choice}. A model or provider that is not configured counts as auto.`
      : `The model for this conversation: ${choice}. An approver can change it: /model auto, cognition, reasoning or <provider>/<model>.`,

  // Commands that cannot be done, or not here.
  unknownCommand: (name: string) => `I do not know the command /${name}. /help lists those I know.`,
  usage: (line: string) => `That command needs another form: ${line}`,
  notSet: (problem: string) => `Nothing was changed: ${problem}.`,
  memoryProblem: (problem: string) => `That cannot be done: ${problem}. Nothing was changed.`,
  /** @param shownBy the form of the command that anybody here may give */
  mayNotCommand: (name: string, shownBy: string | undefined) =>
    shownBy === undefined
      ? `Only an approver can give the command /${name}.`
      : `Only an approver can change that; ${shownBy} shows it.`,
  mayNotChangeMemory: () => 'Only an approver can look into memory or change it this way.',
  notInThisGroup: (name: string) =>
    `Everybody here would read what /${name} shows. Send it in our private chat, or open this group for it: /memory open.`,
  chatNamed: (as: keyof typeof CHAT_NAMED) => CHAT_NAMED[as],
  /** The result of a command. Links in what outsiders wrote cannot be opened. */
  commandResult: (
    action: Action,
    state: Exclude<EffectState, 'suspended' | 'claimed'>,
    output: string,
    origin: Origin,
  ) =>
    `${COMMAND_ENDINGS[state](defang(actionSentence(action)))}${origin === 'outside' ? defang(output) : output}`.trim(),

  // Stops.
  /** @param machines paired runners; each ends its commands within two seconds */
  stopped: (machines: readonly string[]) =>
    [
      'Stopped. Nothing will be done until an approver sends /resume.',
      ...(machines.length === 0 ? [] : [`Commands that run on ${machines.join(', ')} are being ended.`]),
    ].join(' '),
  stoppedHere: (session: string) =>
    `Stopped. Nothing will be done in ${session} until an approver resumes it. Other conversations go on.`,
  isStopped: () => 'I am stopped and do nothing. An approver can send /resume.',
  sessionStopped: (session: string, because: StopCause, id: string) =>
    joined([
      `I stopped the conversation ${session}: ${STOP_CAUSES[because]}.`,
      'Nothing is done there and no model is asked, and what was still to be done is refused. Other conversations go on.',
      because === 'asked' ? '' : 'Cards that wait there can still be approved or denied.',
      `An approver can send /resume there, or here /resume ${session} (or: npx passepartout resume --session ${session}).`,
      `Details: /why ${id}`,
    ]),
  isSessionStopped: (because: StopCause) =>
    `This conversation is stopped: ${STOP_CAUSES[because]}. I do nothing here until an approver sends /resume.`,
  resumed: () => 'Running again.',
  mayNotResume: () => 'Only an approver can resume.',
  resumeUsage: () =>
    'Write /resume, or /resume and one conversation, as it was named: /resume telegram:7. Nothing was changed.',
  sessionResumed: (session: string) =>
    `The conversation ${session} goes on. What was refused meanwhile stays refused; ask for it again.`,
  sessionStoppedAgain: (session: string) =>
    `The conversation ${session} has been stopped again since you sent that, so nothing was changed. Send it once more if you still mean it.`,
  sessionNotStopped: (session: string) => `The conversation ${session} is not stopped.`,
  stillForgetting: (text: string) => text,

  // A message that gets no answer, or a late one.
  refused: (id: string, reasons: readonly string[]) =>
    joined([
      'I could not do that: what I proposed was refused by the rules.',
      ...reasons.map((reason) => `– ${reason}`),
      `Details: /why ${id}`,
    ]),
  forgottenMeanwhile: (id: string) =>
    `Something my answer was based on has been forgotten meanwhile, so I did not give it. Please ask again. Details: /why ${id}`,
  atWork: () => 'Still at work on this.',
  tooLong: (id: string) =>
    `That message is too long for the model to read at once. Please send a shorter one, or in parts. Details: /why ${id}`,
  tooDeep: (id: string) => `I stopped here: this task went on for too many steps. Details: /why ${id}`,
  mailboxFull: (id: string) =>
    `Too many messages are waiting here already, so I did not take this one. Please send it again later. Details: /why ${id}`,
  nothingToSummarise: () => 'The turns that left this conversation hold no words of its own to summarise.',
  /** @param said what failed, in words of the table */
  broken: (id: string, said: string) =>
    `Something went wrong while I worked on this, and I stopped: ${said}. What was done before stays done and is not repeated; what this changed in memory is taken back. Details: /why ${id}; try again: npx passepartout redrive ${id}`,

  // Jobs. Moments are given in words.
  jobMissed: (job: string, count: number, first: string, last: string, why: string) =>
    count === 1
      ? `The job ${job} missed its run at ${last}: ${why}. /jobs history ${job} shows it.`
      : `The job ${job} missed ${count} runs, from ${first} to ${last}. The last one: ${why}. /jobs history ${job} shows all.`,
  jobDidNothing: (job: string, moment: string, why: string) =>
    `The job ${job} ran at ${moment}, but ${why}. /jobs history ${job} shows more.`,
  jobPaused: (job: string, why: string, last: string) =>
    `The job ${job} was ${why}. The last time: ${last}. /jobs history ${job} shows more; /jobs resume ${job} lets it go on.`,

  // Runners. Moments are given in words.
  runnerAway: (runner: string, until: string, id: string) =>
    `This waits for your machine ${runner} until ${until}: start it there with "npx passepartout runner start ${runner}". Details: /why ${id}`,

  // Runs of runbooks.
  runFailed: (runbook: string, id: string, why: string) =>
    `The runbook ${runbook} failed: ${why}. /runbook runs ${id} shows its steps.`,
  runEnded: (runbook: string, steps: number) =>
    steps === 0
      ? `The runbook ${runbook} ended, and none of its steps had to be done.`
      : `The runbook ${runbook} is done: ${steps} ${steps === 1 ? 'step' : 'steps'}.`,

  // Models, money and quotas.
  /** @param until time of day, with its zone */
  modelAway: (until: string, id: string) =>
    `The language model is not reachable right now. I keep trying until ${until} and answer as soon as it is back. Details: /why ${id}`,
  noModel: (id: string) =>
    `No language model could answer just now, so nothing was done. Please try again in a while. Details: /why ${id}`,
  /** A provider refuses such content, and no other provider is asked for it. */
  withheld: (id: string) =>
    `The language model's provider refuses to answer this because of what it is about, so nothing was done. Details: /why ${id}`,
  providerRefused: (name: string, isBilling: boolean, id: string) =>
    `The provider ${name} ${isBilling ? 'says that its account has no credit left' : 'refuses my key'}. I ask the others first until that is mended; you are told once a day. Details: /why ${id}`,
  /** True if no other provider is left. */
  everyKeyRefused: (name: string, isBilling: boolean, id: string) =>
    `The provider ${name} ${isBilling ? 'says that its account has no credit left' : 'refuses my key'}, and no other is left to ask. Until one answers, webhooks and jobs end without asking; write to me and I try again. You are told once a day. Details: /why ${id}`,
  embeddingsRefused: (id: string) =>
    `The embeddings endpoint refuses my key, so new and changed notes are found by their words only. To mend that, set EMBEDDING_API_KEY (or OPENAI_API_KEY, if one key serves both); I try again every ten minutes, and tell you once a day. Details: /why ${id}`,
  notAsked: (id: string) =>
    `I did not work on this, because every provider refuses my key or has no credit left. Details: /why ${id}`,
  overBudget: (words: string, reset: string, id: string) =>
    `I did not ask a language model, because the budget does not allow it: ${words}. ${reset} /budget says more. Details: /why ${id}`,
  overQuota: (account: keyof typeof QUOTA_OWNERS, limit: number, sender: string) =>
    `${QUOTA_OWNERS[account](sender)} sent all ${limit} messages of today, so I take no more of them before 00:00 UTC. I say this once.`,

  // Chats and messages.
  unpaired: () =>
    'This bot serves only chats that are paired with it. If it is yours, run "npx passepartout pair" and send me /pair followed by the code.',
  paired: () => 'This chat is paired now. /help says what I can do.',
  wrongCode: () => 'That pairing code is not valid (any more). "npx passepartout pair" makes a new one.',
  /** @param what names the text; @param problem why it was not sent, if that is certain */
  mayBeLost: (what: string, problem: string | undefined, name: string) =>
    `${what} ${problem === undefined ? 'may not have arrived.' : `was not sent: ${problem}.`} I send it again only if you say so (or: npx passepartout effects resolve ${name} retry).`,
  sentAgain: () => 'That text was sent again already, or it did arrive: nothing more is sent.',
  mayNotSendAgain: () => 'Only whoever asked, or an approver, can have it sent again, and only in this conversation.',
  /** @param note the checkpoint, whole */
  anchor: (size: number, note: string) =>
    `Checkpoint of the evidence log, ${size} leaves. Kept here, it shows whether the log was changed since:\n\n${note}`,

  // Approvals and grants.
  askedInPrivate: () => 'What I want to do here holds something from memory, so I asked for a yes in private first.',
  approved: () => 'Approved. It is being done now.',
  denied: () => 'Denied. It will not be done.',
  granted: (line: string) =>
    `Approved, and allowed again: ${line}\n/grants lists what is allowed, /revoke <id> takes it back.`,
  approvedOnly: (problem: string) => `Approved this once; nothing more is allowed: ${problem}.`,
  grantAdded: (line: string) => `Allowed: ${line}`,
  notGranted: (problem: string) => `Nothing was allowed: ${problem}.`,
  revoked: (id: string) => `The grant ${id} is taken back.`,
  noSuchGrant: () => 'There is no such grant. /grants lists them.',
  similarStale: () => 'Those bounds are not the ones shown now; nothing was changed. Tap “Allow similar…” again.',
  noSuchApproval: (name: string) =>
    `Write /${name} and the id that the card shows. Not exactly one approval begins with what you wrote, so nothing was changed.`,
  mayNotApprove: (because: keyof typeof WHY_NOT_APPROVE) => WHY_NOT_APPROVE[because],
  approvalStale: (state: StaleState, endedBecause: Approval['endedBecause']) =>
    `Nothing was changed: ${endedBecause === undefined ? STALE[state] : ENDED_BECAUSE[endedBecause]}.`,
  approvalOutdated: () =>
    'The rules have changed since that was asked for, so the approval has expired; nothing was done. Ask for it again.',
  approvalStopped: () => 'The agent is stopped; nothing is performed. /resume first, then approve. Denying works.',
  approvalSessionStopped: (session: string) =>
    `The conversation ${session} is stopped; nothing is performed there. /resume ${session} first, then approve. Denying works.`,
};

type Texts = Readonly<Record<string, (...args: never[]) => string>>;
type Notices<T extends Texts> = { readonly [Name in keyof T]: (...args: Parameters<T[Name]>) => Notice };

const templateOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function buildNotices<T extends Texts>(texts: T): Notices<T>;
function buildNotices(texts: Texts): object {
  const build =
    (name: string, text: Texts[string]) =>
    (...args: never[]): Notice => ({ template: templateOf(name), text: text(...args) });
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, build(name, text)]));
}

/** Hours and minutes, UTC. */
const clock = (at: number): string => new Date(at).toISOString().slice(11, 16);

export const notices = {
  ...buildNotices(TEXTS),
  channelBack: (since: number, until: number, route: ReplyRoute): Notice => ({
    template: 'channel-back',
    text: `Telegram took no messages from ${clock(since)} to ${clock(until)} UTC. The texts that waited are sent now.`,
    route,
  }),
  /** Replaces the question. */
  sendingAgain: (message: number): Notice => ({
    template: 'sending-again',
    text: 'I am sending it again.',
    edits: { message },
  }),
  /** A card shown whole carries its buttons. */
  approvalCard: (approval: Approval): Notice => {
    const { isWhole, text } = buildCard(approval);
    return { template: 'approval-card', text, ...(isWhole ? { card: approval.id } : {}) };
  },
  /** Replaces the card by the bounds that a second tap grants. */
  similarCard: (approval: Approval, message: number, at: number): Notice => ({
    template: 'similar-card',
    text: buildSimilarCard(approval, at).text,
    card: approval.id,
    similarAt: at,
    edits: { message },
  }),
  /** Shows the card again as it was. */
  cardAgain: (approval: Approval, message: number): Notice => ({
    template: 'approval-card',
    text: buildCard(approval).text,
    card: approval.id,
    edits: { message },
  }),
  cardUpdate: (approval: Approval, message: number, ending?: CardEnding): Notice => ({
    template: 'card-update',
    text: buildCardUpdate(approval, ending).text,
    edits: { message },
  }),
};

/** The action that sends a notice. Author and template are set here and nowhere else. */
export const buildNoticeAction = (notice: Notice, route: ReplyRoute): Action => ({
  target: route.target,
  to: route.to === '' ? 'log' : route.to,
  text: notice.text,
  explanation: `notice: ${notice.template}`,
  author: 'code',
  template: notice.template,
  ...defined({ card: notice.card, similarAt: notice.similarAt, edits: notice.edits }),
});
