/** The chat commands that are no operation of a feature. Their right was checked before. */
import { commandNotices } from '../../judge/command-notices.ts';
import { notices } from '../../judge/notices.ts';
import type { CommandName } from '../../ledger/command-rights.ts';
import { identityOf } from '../../ledger/owner-settings.ts';
import { reaches, standingOf } from '../../ledger/standing.ts';
import { type Command, say } from '../../operations/code-context.ts';
import { isGroup, sendsMessages } from '../../signal/channels.ts';
import { helpAbout, helpLines, helpWords, meantBy } from './help-lines.ts';

const help: Command = async ({ signal, settings, language, assistant, features }, rest, name) => {
  const words = await helpWords.in(language);
  const [, about = '', more = ''] = /^\/?(\S*)\s*([\s\S]*)$/.exec(rest.toLowerCase()) ?? [];
  if (name === 'help' && about !== '') {
    const standing = standingOf(signal);
    // A command and one of its verbs; more words are a question.
    const found = /\s/.test(more) ? undefined : helpAbout(features, standing, about, words);
    if (found !== undefined) return say(commandNotices.helpAbout(found));
    const meant = more === '' ? meantBy(features, about) : '';
    const helper = meant === '' && reaches(standing, 'owner') ? features.find(({ findHelp }) => findHelp) : undefined;
    const lines = (await helper?.findHelp?.(rest, language)) ?? [];
    return say(lines.length > 0 ? commandNotices.helpAbout(lines) : commandNotices.unknownCommand(about, meant));
  }
  // Help is given even if the settings cannot be read.
  const called = identityOf(settings, { assistant, user: '' }).assistant;
  const lines = helpLines(features, standingOf(signal), words);
  return say(name === 'start' ? commandNotices.welcome(called) : commandNotices.help(called, lines));
};

/** A code that opened this chat may come again after a crash. The chat is open then. */
const pair: Command = ({ signal }, rest, name) => {
  if (!sendsMessages(signal.source)) return say(commandNotices.unknownCommand(name));
  const isEnded = rest !== '' && isGroup(signal.reply) && signal.sender.isApprover;
  if (isEnded) return say(commandNotices.codeEnded());
  return say(isGroup(signal.reply) ? commandNotices.pairedGroup() : commandNotices.paired(false));
};

/** The door reads it if there is a file. */
const ingest: Command = () => say(commandNotices.ingestUsage());

/** The doors turn `/resume` into a signal of its own, unless it has a form they do not know. */
const resumeUsage: Command = () => say(notices.resumeUsage());

export const COMMANDS: Readonly<Record<CommandName, Command>> = {
  help,
  start: help,
  pair,
  ingest,
  resume: resumeUsage,
};
