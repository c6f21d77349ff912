/** Answers to the commands of people and of scripts: fixed templates, as in `notices.ts`. */

import { type Language, textTable } from '../base/language.ts';
import { APPROVER_SETTINGS } from '../signal/channels.ts';
import { askIn, HOME_CHOICES } from './code-choices.ts';
import { buildNotices, joined, type Notice } from './notices.ts';

/** A person who may give every command that a line names is shown that line. */
export const HELP = [
  '/stop, or STOP – stop every action at once; from a member of a group it stops this conversation only',
  '/resume – carry on after a stop',
  '/help – this list; /help jobs says how to write a command, /help how do I pair a machine asks the manual',
  '/ingest – with a file, or as a reply to one: keep its text in memory',
];

const CHAT_NAMED = {
  open: 'This group is open: when an approver asks here, I read memory and answer from it, and everybody here reads that. /memory close ends it.',
  ask: 'When an approver asks here, I read memory; before an answer made from it is sent, I ask in private. /memory close ends it.',
  closed: 'I read no memory in that group any more.',
} as const;

/** Each in its own language, whatever was spoken before. */
export const SPOKEN: Readonly<Record<Language, string>> = {
  en: 'What I say here by myself is in English. To change it: /language de',
  de: 'Was ich hier von mir aus sage, ist auf Deutsch. Zum Ändern: /language en',
};

export const TEXTS = {
  // Commands that show something.
  help: (assistant: string, lines: readonly string[]) =>
    joined([
      `I am ${assistant}. Write to me in plain words; what I want to do is checked by fixed rules before it happens.`,
      '',
      ...lines,
    ]),
  helpAbout: joined,
  welcome: (assistant: string) =>
    joined([
      `I am ${assistant}. Write to me in plain words, for example:`,
      '– remember that my bike is blue',
      '– what do you remember about my bike?',
      '– every weekday at 8 tell me to drink water',
      'What needs your yes I ask on a card. STOP stops everything, /help lists all commands.',
    ]),
  memory: joined,
  /** @param version of all stored settings; the evidence log has a leaf of it */
  settingSet: (name: string, value: string, version: number) =>
    `${name} is ${value} now, in version ${version} of the settings. It holds within a minute.`,
  settingReset: (line: string) => `What was set is taken back. ${line}`,
  chatCalled: (chats: readonly string[], name: string) =>
    chats.length === 1
      ? `The chat ${chats[0]} is named ${name}. In a chat with me, /send ${name} <text> sends it a text.`
      : `The chats ${chats.join(', ')} are named ${name}. In a chat with me, /send ${name} <text> sends each of them a text.`,
  chatMuted: (chat: string, hours: string, zone: string) =>
    hours === 'off'
      ? `The chat ${chat} is muted no more. What was kept back comes now.`
      : `The chat ${chat} is muted ${hours} (${zone}): answers to people there are sent, all else after these hours.`,
  chatHears: (chat: string, state: 'all' | 'mentions') =>
    state === 'all'
      ? `I answer each message in ${chat}. Telegram shows me all of them once privacy mode is off: @BotFather, /setprivacy.`
      : `In ${chat} I answer commands, replies to me, and messages that name me.`,
  languageSet: (language: Language) => SPOKEN[language],
  undo: (
    newer: readonly string[],
    last: { readonly words: string; readonly code: string } | undefined,
    isOtherCode: boolean,
  ) =>
    [
      ...(isOtherCode && last !== undefined ? ['That is not the code of the last change here.'] : []),
      ...newer.map((words) => `This cannot be taken back: ${words}`),
      last === undefined
        ? 'I found no change here to take back: of memory, a job, a setting, a skill, a machine or a grant.'
        : `The last change here: ${last.words}\nTo take it back: /undo ${last.code}`,
    ].join('\n'),
  ingestUsage: () =>
    'Send /ingest as the caption of a file, or as a reply to one: its text is kept in memory, after your yes.',
  chatNotCalled: (name: string) => `No chat is named ${name} any more.`,
  eventSentAgain: (source: string, event: string, id: string) =>
    `${source}/${event} comes once more, as ${id}. What becomes of it: /hooks show ${id}`,
  identity: joined,
  skills: joined,
  runbooks: (lines: readonly string[]) => joined(lines),
  /** @param providers the configured ones in order; empty if they are not known here */
  model: (choice: string, isSet: boolean, providers: string) =>
    [
      isSet
        ? `From now on the model for this conversation is ${choice}.`
        : `The model for this conversation: ${choice}. An approver can change it: /model auto, cognition, reasoning or <provider>/<model>.`,
      providers === ''
        ? 'A model or provider that is not configured counts as auto.'
        : `Configured, in the order they are asked: ${providers}.`,
    ].join(' '),

  // Commands that cannot be done, or not here.
  /** @param meant a command that is spelled nearly so; empty if there is none */
  unknownCommand: (name: string, meant = '') =>
    `I do not know the command /${name}${meant === '' ? '.' : `: did you mean /${meant}?`} /help lists those I know.`,
  usage: (line: string) => `That command needs another form: ${line}`,
  /** @param form how the command is written; empty if that says nothing about the problem */
  notSet: (problem: string, form = '') => `Nothing was changed: ${problem}.${form && `\nThe form: ${form}.`}`,
  notShown: (problem: string, form = '') => `That cannot be shown: ${problem}.${form && `\nThe form: ${form}.`}`,
  /** @param shownBy the form of the command that anybody here may give */
  mayNotCommand: (name: string, shownBy: string | undefined) =>
    shownBy === undefined
      ? `Only an approver can give the command /${name}.`
      : `Only an approver can change that; ${shownBy} shows it.`,
  mayNotChangeMemory: () => 'Only an approver can look into memory or change it this way.',
  notInThisGroup: (name: string) =>
    `Everybody here would read what /${name} shows. Send it in our private chat, or open this group for it: /memory open.`,
  chatNamed: (as: keyof typeof CHAT_NAMED): string => CHAT_NAMED[as],
  /** @param mayBeHome nothing is the home chat yet, and this one may be */
  paired: (mayBeHome: boolean) =>
    joined([
      'This chat is paired. /help says what I can do.',
      ...(mayBeHome
        ? askIn('en', 'Shall I write here what nobody asked for, such as events and warnings?', HOME_CHOICES)
        : []),
    ]),
  /** The greeting of a group. */
  pairedGroup: () =>
    joined([
      'This group is paired. I answer commands, replies to me, and messages that name me; /chats listen all has me answer each message.',
      `Everybody here may ask me. Only an approver may change anything or say yes to a card: those in ${APPROVER_SETTINGS} or, without it, people whose private chat with me is paired. Words of others count as a stranger's.`,
      '/help says what I can do.',
    ]),
  codeEnded: () =>
    'This group is paired. Everybody here has read that code, so it opens no other chat: "npx passepartout pair" makes a new one.',
  wrongCode: () => 'That is no valid pairing code (any more). "npx passepartout pair" prints the line to send here.',
};

const built = buildNotices(textTable(TEXTS, { de: async () => (await import('./command-notices-german.ts')).DE }));

export const commandNotices = {
  ...built,
  paired: (mayBeHome: boolean): Notice => ({
    ...built.paired(mayBeHome),
    ...(mayBeHome ? { choices: HOME_CHOICES } : {}),
  }),
};
