/**
 * The texts that code sends to a person: fixed templates with values filled in. They quote nothing
 * that a model or an outsider wrote, except ids, names of gates, an event that a person is asked
 * about (in quotes, without links), and the action that a person decides on or asked for. Two more
 * files hold answers to commands and texts about approvals: functions that send none load none.
 */

import { defined } from '../base/defined.ts';
import type { ProviderFault } from '../base/errors.ts';
import { type Language, type TextTable, textTable, USUAL_LANGUAGE } from '../base/language.ts';
import { BLOCKS_PER_HOUR_MAX, PENDING_APPROVALS_MAX } from '../base/limits.ts';
import { utcMinute } from '../base/utc-minute.ts';
import { FAULTS } from '../language/fault-texts.ts';
import type { Finding } from '../language/finding.ts';
import { forPeople } from '../language/for-people.ts';
import type { StopCause } from '../ledger/record.ts';
import { FAILURES, type Failure } from '../ledger/recover-failure.ts';
import { describeCap, describeReset } from '../money/describe-spending.ts';
import type { CapCheck } from '../money/plan-reservation.ts';
import { type Action, placeOf } from '../signal/action.ts';
import { heardWords } from '../signal/attachment.ts';
import type { EffectState } from '../signal/decision.ts';
import { CHOSEN } from '../signal/ids.ts';
import type { Origin, ReplyRoute } from '../signal/signal.ts';
import { eventsOf, isEventWord, isNameable, kindOf } from '../text/event-word.ts';
import { quoted } from '../text/quoted.ts';
import { defang } from '../text/tappable.ts';
import { askIn, EVENT_CHOICES, SOURCE_CHOICES } from './code-choices.ts';

export interface Notice {
  readonly template: string;
  /** In English, unless whoever made it chose the words by the language of the chat. */
  readonly text: string;
  /** The same in another language; the text itself if absent. */
  readonly textIn?: (language: Language) => Promise<string>;
  /** The approval whose card this is. */
  readonly card?: string;
  /** When the bounds were made that the card offers, epoch milliseconds. */
  readonly similarAt?: number;
  /** Codes of the numbered choices that the text ends with (`code-choices.ts`). */
  readonly choices?: readonly string[];
  /** Of the text; the usual one if absent. */
  readonly language?: Language;
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

export const named = (words: string): string => (isEventWord(words) ? words : defang(quoted(words)));
export const eventChoices = (event: string): readonly string[] =>
  isNameable(event) ? [...EVENT_CHOICES, ...SOURCE_CHOICES] : SOURCE_CHOICES;

export const kindWords = (event: string): string => eventsOf(kindOf(event)).split(',').map(named).join(', ');

const QUOTA_OWNERS = {
  person: () => 'You have',
  conversation: () => 'People without rights in this conversation have',
  source: (sender: string) => `The source ${sender} has`,
} as const;

const STOP_CAUSES: Readonly<Record<StopCause, string>> = {
  blocks: `more than ${BLOCKS_PER_HOUR_MAX} actions were blocked within an hour`,
  approvals: `it asked for one more approval while ${PENDING_APPROVALS_MAX} were waiting`,
  asked: 'somebody asked for it',
};

export const joined = (lines: readonly string[]): string => lines.join('\n');

/** Names a message of ours: the words that it answered, empty if none were typed, and when. */
export interface AnsweredWords {
  readonly words: string;
  /** `14:05`, UTC. */
  readonly time: string;
}

/** Advice about a model that does not answer: the faults for the owner, and who may mend it. */
export interface ModelAdvice {
  readonly faults: readonly Finding[];
  /** The same in English. */
  readonly sentences: readonly string[];
  readonly last?: keyof typeof LAST_ADVICE;
}

const LAST_ADVICE = {
  owner: 'Only the owner can mend that.',
  later: 'Please try again in a while.',
} as const;

const saysNow = (fault: ProviderFault | undefined): string => {
  if (fault === undefined) return 'does not answer right now';
  return `${FAULTS[fault]}${fault === 'down' ? ' right now' : ''}`;
};

/** The text of each template. The template of `stoppedHere` is called `stopped-here`. */
export const TEXTS = {
  // Answers.
  /** The result of a command. Links in what outsiders wrote cannot be opened. */
  commandResult: (
    sentence: string,
    state: Exclude<EffectState, 'suspended' | 'claimed'>,
    output: string,
    origin: Origin,
  ) => `${COMMAND_ENDINGS[state](defang(sentence))}${origin === 'outside' ? defang(output) : forPeople(output)}`.trim(),

  /** @param to if there were several texts */
  sent: (to: string | undefined) => (to === undefined ? 'Sent.' : `Sent to ${to}.`),

  /** The transcript of a recording, before anything is done with it. */
  heard: (text: string, origin: Origin) => heardWords(origin === 'outside' ? defang(text) : text),

  // Stops.
  /** @param machines paired runners; each ends its commands within two seconds */
  stopped: (machines: readonly string[]) =>
    [
      'Stopped. Nothing will be done until an approver resumes it: /resume.',
      ...(machines.length === 0 ? [] : [`Commands that run on ${machines.join(', ')} are being ended.`]),
    ].join(' '),
  stoppedHere: () =>
    'Stopped. Nothing will be done in this conversation until an approver resumes it: /resume. Other conversations go on.',
  isStopped: () => 'I am stopped and do nothing. An approver can end that: /resume',
  sessionStopped: (session: string, because: StopCause, id: string) =>
    joined([
      `I stopped the conversation ${session}: ${STOP_CAUSES[because]}.`,
      'Nothing is done there and no model is asked, and what was still to be done is refused. Other conversations go on.',
      because === 'asked' ? '' : 'Cards that wait there can still be approved or denied.',
      `An approver can send /resume there, or here /resume ${session} (or: npx passepartout resume --session ${session}).`,
      `Details: /why ${id}`,
    ]),
  isSessionStopped: (because: StopCause) =>
    `This conversation is stopped: ${STOP_CAUSES[because]}. I do nothing here until an approver resumes it: /resume.`,
  /** @param stopped conversations that stay stopped @param rights that a copy brought back */
  resumed: (stopped: readonly string[], rights: readonly string[] = []) =>
    joined([
      'Running again.',
      ...stopped.map((session) => `${session} stays stopped: /resume ${session}`),
      ...(rights.length === 0 ? [] : ['The restore brought back:', ...rights.map((right) => `- ${right}`)]),
    ]),
  nothingStopped: () => 'Nothing was stopped.',
  mayNotResume: () => 'Only an approver can resume.',
  resumeUsage: () =>
    'Write /resume, or /resume and one conversation, as it was named: /resume telegram:7. Nothing was changed.',
  sessionResumed: (session: string) =>
    `The conversation ${session} goes on. What was refused meanwhile stays refused; ask for it again.`,
  sessionStoppedAgain: (session: string) =>
    `The conversation ${session} has been stopped again since you sent that, so nothing was changed. Send it once more if you still mean it.`,
  sessionNotStopped: (session: string) => `The conversation ${session} is not stopped.`,
  /** @param problem the reason that it fails so far */
  stillForgetting: (text: string, _problem: string | undefined) => text,

  // A message that gets no answer, or a late one.
  /** @param mayAskWhy whoever asked may give the command `/why` */
  refused: (id: string, reasons: readonly string[], mayAskWhy: boolean) =>
    joined([
      'I could not do that: what I proposed was refused by the rules.',
      ...reasons.map((reason) => `– ${forPeople(reason)}`),
      ...(mayAskWhy ? [`Details: /why ${id}`] : []),
    ]),
  forgottenMeanwhile: (id: string) =>
    `Something my answer was based on has been forgotten meanwhile, so I did not give it. Please ask again. Details: /why ${id}`,
  /** @param note says what it is: `[a photo: it cannot be read yet]` */
  unreadable: (note: string) => `I cannot read ${note.slice(1).split(':')[0]} yet. Please write to me in words.`,
  atWork: () => 'Still at work on this.',
  tooLong: (id: string) =>
    `That message is too long for the model to read at once. Please send a shorter one, or in parts. Details: /why ${id}`,
  tooDeep: (id: string) => `I stopped here: this task went on for too many steps. Details: /why ${id}`,
  mailboxFull: (id: string) =>
    `Too many messages are waiting here already, so I did not take this one. Please send it again later. Details: /why ${id}`,
  nothingToSummarise: () => 'The turns that left this conversation hold no words of its own to summarise.',
  broken: (id: string, failure: Failure) =>
    `Something went wrong while I worked on this, and I stopped: ${FAILURES[failure].said}. What was done before stays done and is not repeated; what this changed in memory is taken back. Details: /why ${id}; try again: npx passepartout redrive ${id}`,

  // Runs of runbooks.
  runFailed: (runbook: string, id: string, why: string) =>
    `The runbook ${runbook} failed: ${why}. /runbook show ${id} shows its steps.`,
  runEnded: (runbook: string, steps: number) =>
    steps === 0
      ? `The runbook ${runbook} ended, and none of its steps had to be done.`
      : `The runbook ${runbook} is done: ${steps} ${steps === 1 ? 'step' : 'steps'}.`,

  // Models, money and quotas.
  /** @param until time of day, with its zone. @param fault unknown if an earlier delivery died */
  modelAway: (until: string, id: string, fault: ProviderFault | undefined) =>
    `The language model ${saysNow(fault)}. I keep trying until ${until} and answer as soon as it is back. Details: /why ${id}`,
  noModel: ({ sentences, last }: ModelAdvice, id: string) =>
    [
      'No language model could answer just now, so nothing was done.',
      ...sentences.map((text) => `Attention: ${text}.`),
      ...(last === undefined ? [] : [LAST_ADVICE[last]]),
      `Details: /why ${id}`,
    ].join(' '),
  /** A provider refuses such content, and no other provider is asked for it. */
  withheld: (id: string) =>
    `The language model's provider refuses to answer this because of what it is about, so nothing was done. Details: /why ${id}`,
  providerRefused: (name: string, fault: ProviderFault, id: string) =>
    `The provider ${name} ${FAULTS[fault]}. I ask the others first until that is mended; you are told once a day. Details: /why ${id}`,
  /** True if no other provider is left. */
  everyKeyRefused: (name: string, fault: ProviderFault, id: string) =>
    `The provider ${name} ${FAULTS[fault]}, and no other is left to ask. Until one answers, webhooks and jobs end without asking; write to me and I try again. You are told once a day. Details: /why ${id}`,
  embeddingsRefused: (id: string) =>
    `The embeddings endpoint refuses my key, so new and changed notes are found by their words only. To mend that, set EMBEDDING_API_KEY (or OPENAI_API_KEY, if one key serves both); I try again every ten minutes, and tell you once a day. Details: /why ${id}`,
  notAsked: (id: string) =>
    `I did not work on this, because every provider refuses my key or account. Details: /why ${id}`,
  overBudget: (over: CapCheck, now: number, isToOwner: boolean, id: string) =>
    `I did not ask a language model, because the budget does not allow it: ${describeCap(over)}. ${describeReset(over, now, isToOwner)} /budget says more. Details: /why ${id}`,
  /** @param reset a moment in words */
  overQuota: (account: keyof typeof QUOTA_OWNERS, limit: number, sender: string, reset: string) =>
    `${QUOTA_OWNERS[account](sender)} sent all ${limit} messages of today, so I take no more of them before ${reset}. I say this once.`,

  // Events of services.
  /** @param says its words, which the service wrote */
  newEvent: (source: string, event: string, says: string) =>
    joined([
      `${source}: ${defang(quoted(says))}`,
      ...askIn(
        'en',
        isNameable(event)
          ? `Tell you such things (${kindWords(event)}) from now on?`
          : `No job can name ${named(event)} alone. Tell you all of ${source}?`,
        eventChoices(event),
        source,
      ),
    ]),
  connected: (source: string) => `${source} is connected.`,
  manyKinds: (source: string, most: number) =>
    `${source} sent more than ${most} new kinds of events today. I ask about no more of them today; they are recorded: /hooks events ${source}`,

  // Chats and messages.
  unpaired: () =>
    'This bot serves only chats that are paired with it. If it is yours, run "npx passepartout pair" and send me /pair followed by the code.',
  /** @param problem why it was not sent, if that is certain; empty if the channel said nothing */
  mayBeLost: ({ words, time }: AnsweredWords, problem: string | undefined, name: string) =>
    `${words === '' ? `My message about what came at ${time}` : `My answer to “${words}”`} ${problem === undefined ? 'may not have arrived.' : `was not sent: ${problem || 'its channel took nothing'}.`} I send it again only if you say so (or: npx passepartout effects resolve ${name} retry).`,
  sentAgain: () => 'That text was sent again already, or it did arrive: nothing more is sent.',
  mayNotSendAgain: () => 'Only whoever asked, or an approver, can have that done again, and only in this conversation.',
  notYourQuestion: () => 'That question is for whoever I answered there. You can write to me yourself.',
  /** The choice was typed: there is no button to replace. */
  chosenByWords: (choice: string) => `✓ ${choice}`,
  answeredAlready: () => 'That question is answered already, or cannot be answered by a button any more.',
  readAlready: () => 'That was taken up again already: nothing more is done.',
  /** @param note the checkpoint, whole */
  anchor: (size: number, note: string) =>
    `Checkpoint of the evidence log, ${size} leaves. Kept here, it shows whether the log was changed since:\n\n${note}`,
  stoppedMeanwhile: (id: string) =>
    `A stop came while I worked on this, so I did not answer. Ask again if you still want it. Details: /why ${id}`,
  /** @param from both in seconds, UTC */
  channelBack: (channel: string, from: string, until: string) =>
    `${channel} took no messages from ${from} to ${until}. The texts that waited are sent now.`,
  sendingAgain: () => 'I am sending it again.',
  readingAgain: () => 'I am reading it again.',
};

type Texts = Readonly<Record<string, (...args: never[]) => string>>;
type Notices<T extends Texts> = { readonly [Name in keyof T]: (...args: Parameters<T[Name]>) => Notice };

const templateOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Each text as a notice, with the name of its template. */
export function buildNotices<T extends Texts>(table: TextTable<T>): Notices<T>;
export function buildNotices(table: TextTable<Texts>): object {
  const build =
    (name: string, text: Texts[string]) =>
    (...args: never[]): Notice => ({
      template: templateOf(name),
      text: text(...args),
      textIn: async (language) => ((await table.in(language))[name] ?? text)(...args),
    });
  return Object.fromEntries(Object.entries(table.en).map(([name, text]) => [name, build(name, text)]));
}

/** The notice in the language of whoever reads it. */
export const inLanguage = async (notice: Notice, language: Language): Promise<Notice> =>
  language === USUAL_LANGUAGE || notice.textIn === undefined
    ? notice
    : { ...notice, text: await notice.textIn(language), language };

export const CHANNEL_BACK = 'channel-back';

const built = buildNotices(textTable(TEXTS, { de: async () => (await import('./notices-german.ts')).DE }));

export const notices = {
  ...built,
  sent: (to: string | undefined): Notice => ({ ...built.sent(to), template: 'command-result' }),
  newEvent: (source: string, event: string, says: string): Notice => ({
    ...built.newEvent(source, event, says),
    choices: eventChoices(event),
  }),
  channelBack: (channel: string, since: number, until: number, route: ReplyRoute): Notice => ({
    ...built.channelBack(channel, utcMinute(since), utcMinute(until)),
    route,
  }),
  /** Both replace the question. */
  sendingAgain: (message: number): Notice => ({ ...built.sendingAgain(), edits: { message } }),
  /** Stands in the place of the buttons: one that says what was chosen, and does nothing. */
  chosen: (message: number, choice: string): Notice => ({ template: CHOSEN, text: `✓ ${choice}`, edits: { message } }),
  readingAgain: (message: number): Notice => ({ ...built.readingAgain(), edits: { message } }),
};

/** The action that sends a notice. Author and template are set here and nowhere else. */
export const buildNoticeAction = (notice: Notice, route: ReplyRoute): Action => ({
  ...placeOf(route),
  text: notice.text,
  explanation: `notice: ${notice.template}`,
  author: 'code',
  template: notice.template,
  ...defined({
    card: notice.card,
    similarAt: notice.similarAt,
    // English is still written as before: the release before this one refuses a field more.
    ...(notice.language === undefined ? {} : { choices: notice.choices && [...notice.choices] }),
    language: notice.language,
    edits: notice.edits,
  }),
});
