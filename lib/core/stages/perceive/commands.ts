/** The chat commands that are no operation of a feature. Their right was checked before. */
import { commandNotices } from '../../judge/command-notices.ts';
import { notices } from '../../judge/notices.ts';
import type { CommandName } from '../../ledger/command-rights.ts';
import { identityOf } from '../../ledger/owner-settings.ts';
import { standingOf } from '../../ledger/standing.ts';
import { type Command, say } from '../../operations/code-context.ts';
import { isGroup, sendsMessages } from '../../signal/channels.ts';
import { helpAbout, helpLines, helpWords, meantBy } from './help-lines.ts';

const help: Command = async ({ signal, settings, language, assistant, features }, rest, name) => {
  const words = await helpWords.in(language);
  const [, about = ''] = /^\/?(\S*)/.exec(rest.toLowerCase()) ?? [];
  if (name === 'help' && about !== '') {
    const found = helpAbout(features, standingOf(signal), about, words);
    return say(
      found === undefined
        ? commandNotices.unknownCommand(about, meantBy(features, about))
        : commandNotices.helpAbout(found),
    );
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
