/**
 * Every text that code sends to a person, in one place: fixed templates with values filled in. Nothing a model or an
 * outsider wrote is ever quoted here except ids, names of gates and tools, and (on approval cards) the exact action.
 */

import type { Approval } from '../approvals/approval.ts';
import { buildCard, buildCardUpdate, buildSimilarCard, type CardEnding } from '../approvals/card.ts';
import { defined } from '../base/defined.ts';
import { BLOCKS_PER_HOUR_MAX, PENDING_APPROVALS_MAX } from '../base/limits.ts';
import { SESSION_STOPPED } from '../ledger/home-chat.ts';
import type { StopCause } from '../ledger/record.ts';
import type { Action } from '../signal/action.ts';
import type { EffectState } from '../signal/decision.ts';
import { MAY_BE_LOST } from '../signal/ids.ts';
import type { Origin, ReplyRoute } from '../signal/signal.ts';
import { defang } from '../text/tappable.ts';

export interface Notice {
  readonly template: string;
  readonly text: string;
  /** Approval this is the card of. */
  readonly card?: string;
  /** The card shows bounds to choose from, as of this moment. */
  readonly similarAt?: number;
  /** Message this text replaces. */
  readonly edits?: { readonly message: number };
  /** Where it goes instead of to whoever asked. */
  readonly route?: ReplyRoute;
}

const COMMAND_ENDINGS = {
  done: () => '',
  failed: (tool: string) => `${tool} could not be done: `,
  refused: (tool: string) => `${tool} was refused: `,
  unknown: (tool: string) => `Whether ${tool} was done is not known: `,
} as const;

const QUOTA_OWNERS = {
  person: () => 'You have',
  conversation: () => 'Those without rights in this conversation have',
  source: (sender: string) => `The source ${sender} has`,
} as const;

const STOP_CAUSES: Readonly<Record<StopCause, string>> = {
  blocks: `more than ${BLOCKS_PER_HOUR_MAX} actions were blocked there within an hour`,
  approvals: `it asked for one more approval while ${PENDING_APPROVALS_MAX} were waiting`,
  asked: 'somebody there asked for it',
};

/** Hours and minutes, UTC. */
const clock = (at: number): string => new Date(at).toISOString().slice(11, 16);

export const notices = {
  /** @param note the checkpoint, whole */
  anchor: (size: number, note: string): Notice => ({
    template: 'anchor',
    text: `Checkpoint of the evidence log, ${size} leaves. Kept here, it shows whether the log was changed since:\n\n${note}`,
  }),
  help: (assistant: string): Notice => ({
    template: 'help',
    text: [
      `I am ${assistant}. Write to me in plain words; what I want to do is checked by fixed rules before it happens.`,
      '',
      '/status – what is going on',
      '/budget – what is spent and what is left',
      '/cost [day|week|session|job] – what models cost and what was saved; /model – which one answers here',
      '/why <id> – why something was done or refused',
      '/stop – stop every action at once (also: STOP); from a member: this conversation',
      '/mcp list – tools of other servers; /mcp add|accept|remove',
      '/remember <text>, /forget <id> – keep something, erase it for good',
      '/recall <words>, /memory [id], /audit <id> – find it, look at it, who wrote it when',
      '/memory open|ask|close – in a group: whether I read memory there, and whether answers from it ask first; /memory chats lists them',
      '/focus <id>, /focus off – what this conversation is about',
      '/snapshot [name], /snapshots, /diff <a> <b>, /rollback <name or number> – what memory was, and back to it',
      '/identity – who I am and how I speak; /skill – what I may do of my own (changed by approvers only)',
      '/grants, /revoke <id> – what is allowed without asking (approvers only)',
      '/resume – carry on after a stop (approvers only)',
      '/help – this list',
    ].join('\n'),
  }),
  unknownCommand: (name: string): Notice => ({
    template: 'unknown-command',
    text: `I do not know the command /${name}. /help lists those I know.`,
  }),
  status: (lines: readonly string[]): Notice => ({ template: 'status', text: lines.join('\n') }),
  why: (lines: readonly string[]): Notice => ({ template: 'why', text: lines.join('\n') }),
  stopped: (): Notice => ({
    template: 'stopped',
    text: 'Stopped. Nothing will be done until an approver sends /resume.',
  }),
  stoppedHere: (session: string): Notice => ({
    template: 'stopped-here',
    text: `Stopped. Nothing will be done in ${session} until an approver resumes it. Other conversations go on.`,
  }),
  isStopped: (): Notice => ({
    template: 'is-stopped',
    text: 'I am stopped and do nothing. An approver can send /resume.',
  }),
  sessionStopped: (session: string, because: StopCause, id: string): Notice => ({
    template: SESSION_STOPPED,
    text: [
      `I stopped the conversation ${session}: ${STOP_CAUSES[because]}.`,
      'Nothing is done there and no model is asked, and what was still to be done is refused. Other conversations go on.',
      `An approver can send /resume there, or here /resume ${session} (or: npx passepartout resume --session ${session}).`,
      `Details: /why ${id}`,
    ].join('\n'),
  }),
  isSessionStopped: (because: StopCause): Notice => ({
    template: 'is-session-stopped',
    text: `This conversation is stopped: ${STOP_CAUSES[because]}. I do nothing here until an approver sends /resume.`,
  }),
  sessionResumed: (session: string): Notice => ({
    template: 'session-resumed',
    text: `The conversation ${session} goes on. What was refused meanwhile stays refused; ask for it again.`,
  }),
  sessionStoppedAgain: (session: string): Notice => ({
    template: 'session-stopped-again',
    text: `The conversation ${session} was stopped again since; nothing was changed. Send it once more if you still mean it.`,
  }),
  resumeUsage: (): Notice => ({
    template: 'resume-usage',
    text: 'Write /resume, or /resume and one conversation, as it was named: /resume telegram:7. Nothing was changed.',
  }),
  sessionNotStopped: (session: string): Notice => ({
    template: 'session-not-stopped',
    text: `The conversation ${session} is not stopped.`,
  }),
  resumed: (): Notice => ({ template: 'resumed', text: 'Running again.' }),
  stillForgetting: (text: string): Notice => ({ template: 'still-forgetting', text }),
  mayNotResume: (): Notice => ({ template: 'may-not-resume', text: 'Only an approver can resume.' }),
  refused: (id: string, reasons: readonly string[]): Notice => ({
    template: 'refused',
    text: [
      `I could not do that: what I proposed was refused by the rules.`,
      ...reasons.map((reason) => `– ${reason}`),
      `Details: /why ${id}`,
    ].join('\n'),
  }),
  forgottenMeanwhile: (id: string): Notice => ({
    template: 'forgotten-meanwhile',
    text: `Something my answer was based on has been forgotten meanwhile, so I did not give it. Please ask again. Details: /why ${id}`,
  }),
  /** @param until time of day, with its zone */
  modelAway: (until: string, id: string): Notice => ({
    template: 'model-away',
    text: `The language model is not reachable right now. I keep trying until ${until} and answer as soon as it is back. Details: /why ${id}`,
  }),
  atWork: (): Notice => ({ template: 'at-work', text: 'Still at work on this.' }),
  noModel: (id: string): Notice => ({
    template: 'no-model',
    text: `No language model could answer just now, so nothing was done. Please try again in a while. Details: /why ${id}`,
  }),
  /** Its kind of answer was refused by a provider, and no other is asked for it. */
  withheld: (id: string): Notice => ({
    template: 'withheld',
    text: `The language model's provider refuses to answer this because of what it is about, so nothing was done. Details: /why ${id}`,
  }),
  providerRefused: (name: string, isBilling: boolean, id: string): Notice => ({
    template: 'provider-refused',
    text: isBilling
      ? `The provider ${name} says that its account has no credit left. I ask the others first until that is mended; you are told once a day. Details: /why ${id}`
      : `The provider ${name} refuses my key. I ask the others first until that is mended; you are told once a day. Details: /why ${id}`,
  }),
  /** The same of the last one that was left. */
  everyKeyRefused: (name: string, isBilling: boolean, id: string): Notice => ({
    template: 'every-key-refused',
    text: `The provider ${name} ${isBilling ? 'says that its account has no credit left' : 'refuses my key'}, and no other is left to ask. Until one answers, webhooks and jobs end without asking; write to me and I try again. You are told once a day. Details: /why ${id}`,
  }),
  embeddingsRefused: (id: string): Notice => ({
    template: 'embeddings-refused',
    text: `The embeddings endpoint refuses my key, so new and changed notes are found by their words only. To mend that, set EMBEDDING_API_KEY (or OPENAI_API_KEY, where that one is used for both); I try again every ten minutes, and tell you once a day. Details: /why ${id}`,
  }),
  notAsked: (id: string): Notice => ({
    template: 'not-asked',
    text: `I did not work on this, because every provider refuses my key or has no credit left. Details: /why ${id}`,
  }),
  overBudget: (words: string, reset: string, id: string): Notice => ({
    template: 'over-budget',
    text: `I did not ask a language model, because the budget does not allow it: ${words}. ${reset} /budget says more. Details: /why ${id}`,
  }),
  overQuota: (account: keyof typeof QUOTA_OWNERS, limit: number, sender: string): Notice => ({
    template: 'over-quota',
    text: `${QUOTA_OWNERS[account](sender)} sent all ${limit} messages of today, so I take no more of them before 00:00 UTC. I say this once.`,
  }),
  memory: (lines: readonly string[]): Notice => ({ template: 'memory', text: lines.join('\n') }),
  memoryProblem: (problem: string): Notice => ({
    template: 'memory-problem',
    text: `That cannot be done: ${problem}. Nothing was changed.`,
  }),
  /** @param shownBy the form of the command that anybody here may give */
  mayNotCommand: (name: string, shownBy: string | undefined): Notice => ({
    template: 'may-not-command',
    text:
      shownBy === undefined
        ? `Only an approver can give the command /${name}.`
        : `Only an approver can change that; ${shownBy} shows it.`,
  }),
  mayNotChangeMemory: (): Notice => ({
    template: 'may-not-change-memory',
    text: 'Only an approver can look into memory or change it this way.',
  }),
  notInThisGroup: (name: string): Notice => ({
    template: 'not-in-this-group',
    text: `Everybody here would read what /${name} shows. Send it in our private chat, or open this group for it: /memory open.`,
  }),
  /** @param as how the chat was just named, by whom it was asked */
  chatNamed: (as: 'open' | 'ask' | 'closed'): Notice => ({
    template: 'chat-named',
    text: {
      open: 'This group is open: when an approver asks here, I read memory and answer from it, and everybody here reads that. /memory close ends it.',
      ask: 'When an approver asks here, I read memory; before an answer made from it is sent, I ask in private. /memory close ends it.',
      closed: 'I read no memory in that group any more.',
    }[as],
  }),
  namedChats: (lines: readonly string[]): Notice => ({
    template: 'named-chats',
    text:
      lines.length === 0
        ? 'No group is named for memory. In a group, an approver can send /memory open or /memory ask.'
        : [...lines, 'To take one back: /memory close <chat>.'].join('\n'),
  }),
  cost: (lines: readonly string[]): Notice => ({ template: 'cost', text: lines.join('\n') }),
  model: (choice: string, isSet: boolean): Notice => ({
    template: 'model',
    text: isSet
      ? `From now on in this conversation: /model ${choice}. A model or provider that is not configured counts as auto.`
      : `The model for this conversation: ${choice}. An approver can change it: /model auto, cognition, reasoning or <provider>/<model>.`,
  }),
  identity: (lines: readonly string[]): Notice => ({ template: 'identity', text: lines.join('\n') }),
  skills: (lines: readonly string[]): Notice => ({ template: 'skills', text: lines.join('\n') }),
  notSet: (problem: string): Notice => ({ template: 'not-set', text: `Nothing was changed: ${problem}.` }),
  budget: (lines: readonly string[]): Notice => ({ template: 'budget', text: lines.join('\n') }),
  tooLong: (id: string): Notice => ({
    template: 'too-long',
    text: `That message is too long for the model to read at once. Please send a shorter one, or in parts. Details: /why ${id}`,
  }),
  nothingToSummarise: (): Notice => ({
    template: 'nothing-to-summarise',
    text: 'What left this conversation holds no words of its own to summarise.',
  }),
  tooDeep: (id: string): Notice => ({
    template: 'too-deep',
    text: `I stopped here: this task went on for too many steps. Details: /why ${id}`,
  }),
  mailboxFull: (id: string): Notice => ({
    template: 'mailbox-full',
    text: `Too many messages are waiting here already, so I did not take this one. Please send it again later. Details: /why ${id}`,
  }),
  channelBack: (since: number, until: number, route: ReplyRoute): Notice => ({
    template: 'channel-back',
    text: `Telegram took no messages from ${clock(since)} to ${clock(until)} UTC. The texts that waited are sent now.`,
    route,
  }),
  /** @param what names the text; @param problem why it was not sent, where that is certain */
  mayBeLost: (what: string, problem: string | undefined, name: string): Notice => ({
    template: MAY_BE_LOST,
    text: `${what} ${problem === undefined ? 'may not have arrived.' : `was not sent: ${problem}.`} I send it again only if you say so (or: npx passepartout effects resolve ${name} retry).`,
  }),
  /** In the place of the question. */
  sendingAgain: (message: number): Notice => ({
    template: 'sending-again',
    text: 'I am sending it again.',
    edits: { message },
  }),
  sentAgain: (): Notice => ({
    template: 'sent-again',
    text: 'It was sent again already, or did arrive: nothing more is sent.',
  }),
  mayNotSendAgain: (): Notice => ({
    template: 'may-not-send-again',
    text: 'Only whoever asked, or an approver, can have it sent again, and only in this conversation.',
  }),
  unpaired: (): Notice => ({
    template: 'unpaired',
    text: 'This bot serves only chats that are paired with it. If it is yours, run "npx passepartout pair" and send me /pair followed by the code.',
  }),
  paired: (): Notice => ({ template: 'paired', text: 'This chat is paired now. /help says what I can do.' }),
  wrongCode: (): Notice => ({
    template: 'wrong-code',
    text: 'That pairing code is not valid (any more). "npx passepartout pair" makes a new one.',
  }),
  /** A card shown whole carries its buttons. */
  approvalCard: (approval: Approval): Notice => {
    const { text, isWhole } = buildCard(approval);
    return { template: 'approval-card', text, ...(isWhole ? { card: approval.id } : {}) };
  },
  /** In the place of the card: the bounds a second tap grants. */
  similarCard: (approval: Approval, message: number, at: number): Notice => ({
    template: 'similar-card',
    text: buildSimilarCard(approval, at),
    card: approval.id,
    similarAt: at,
    edits: { message },
  }),
  /** The card again, as it was. */
  cardAgain: (approval: Approval, message: number): Notice => ({
    template: 'approval-card',
    text: buildCard(approval).text,
    card: approval.id,
    edits: { message },
  }),
  similarStale: (): Notice => ({
    template: 'similar-stale',
    text: 'Those bounds are not the ones shown now; nothing was changed. Tap “Allow similar…” again.',
  }),
  askedInPrivate: (): Notice => ({
    template: 'asked-in-private',
    text: 'What I want to do here holds something from memory, so I asked for a yes in private first.',
  }),
  cardUpdate: (approval: Approval, message: number, ending?: CardEnding): Notice => ({
    template: 'card-update',
    text: buildCardUpdate(approval, ending),
    edits: { message },
  }),
  approved: (): Notice => ({ template: 'approved', text: 'Approved. It is being done now.' }),
  granted: (line: string): Notice => ({
    template: 'granted',
    text: `Approved, and allowed again: ${line}\n/grants lists what is allowed, /revoke <id> takes it back.`,
  }),
  approvedOnly: (problem: string): Notice => ({
    template: 'approved-only',
    text: `Approved this once; nothing more is allowed: ${problem}.`,
  }),
  grantAdded: (line: string): Notice => ({ template: 'grant-added', text: `Allowed: ${line}` }),
  notGranted: (problem: string): Notice => ({ template: 'not-granted', text: `Nothing was allowed: ${problem}.` }),
  grants: (lines: readonly string[]): Notice => ({
    template: 'grants',
    text: lines.length === 0 ? 'Nothing is allowed beyond single approvals.' : lines.join('\n'),
  }),
  revoked: (id: string): Notice => ({ template: 'revoked', text: `The grant ${id} is taken back.` }),
  noSuchGrant: (): Notice => ({ template: 'no-such-grant', text: 'There is no such grant. /grants lists them.' }),
  denied: (): Notice => ({ template: 'denied', text: 'Denied. It will not be done.' }),
  approvalStale: (state: string): Notice => ({
    template: 'approval-stale',
    text: `That approval is ${state} already; nothing was changed.`,
  }),
  approvalOutdated: (): Notice => ({
    template: 'approval-outdated',
    text: 'The rules have changed since that was asked for, so the approval has expired; nothing was done. Ask for it again.',
  }),
  approvalStopped: (): Notice => ({
    template: 'approval-stopped',
    text: 'The agent is stopped; nothing is performed. /resume first, then approve. Denying works.',
  }),
  approvalSessionStopped: (session: string): Notice => ({
    template: 'approval-session-stopped',
    text: `The conversation ${session} is stopped; nothing is performed there. /resume ${session} first, then approve. Denying works.`,
  }),
  mayNotApprove: (): Notice => ({
    template: 'may-not-approve',
    text: 'Only a named approver can decide this, in the chat the card was sent to.',
  }),
  /** What a command gave: done, it speaks for itself. Links in what outsiders wrote are shown so that none can be opened. */
  commandResult: (
    tool: string,
    state: Exclude<EffectState, 'suspended' | 'claimed'>,
    output: string,
    origin: Origin,
  ): Notice => ({
    template: 'command-result',
    text: `${COMMAND_ENDINGS[state](tool)}${origin === 'outside' ? defang(output) : output}`.trim(),
  }),
  usage: (line: string): Notice => ({ template: 'usage', text: `That command needs more: ${line}` }),
  /** @param said what failed, in words of the table */
  broken: (id: string, said: string): Notice => ({
    template: 'broken',
    text: `Something went wrong while I worked on this, and I stopped: ${said}. What was done before stays done and is not repeated; what this changed in memory is taken back. Details: /why ${id}; try again: npx passepartout redrive ${id}`,
  }),
} as const;

/** The action that sends a notice over a route. Author and template are set here and nowhere else. */
export const buildNoticeAction = (notice: Notice, route: ReplyRoute): Action => ({
  target: route.target,
  to: route.to === '' ? 'log' : route.to,
  text: notice.text,
  explanation: `notice: ${notice.template}`,
  author: 'code',
  template: notice.template,
  ...defined({ card: notice.card, similarAt: notice.similarAt, edits: notice.edits }),
});
