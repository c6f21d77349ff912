/**
 * The table of chat commands, with the answer of each. The right to give it in this chat was
 * checked before. A command that changes memory or servers gives one call of a tool; all else
 * about it (permission, gates, evidence, answer) follows from that tool.
 */

import { defined } from '../../../base/defined.ts';
import { SNAPSHOT_NAME_CHARS_MAX } from '../../../base/limits.ts';
import { commandNotices } from '../../../judge/command-notices.ts';
import { notices } from '../../../judge/notices.ts';
import type { CommandName } from '../../../ledger/command-rights.ts';
import { identityOf, ownerSettingsKey, readOwnerSettings } from '../../../ledger/owner-settings.ts';
import { standingOf } from '../../../ledger/standing.ts';
import { type Command, say } from '../../../operations/code-context.ts';
import { isGroup, sendsMessages } from '../../../signal/channels.ts';
import { loadItem } from '../../../store/load-named.ts';
import { helpLines } from '../help-lines.ts';
import { decideApproval, listWaiting } from './approval-commands.ts';
import { addGrant, listGrants, revoke } from './grant-commands.ts';
import { answerFromMemory, audit, focus, forget, memory, revert, rollback } from './memory-commands.ts';
import { identity, model } from './owner-commands.ts';

const help: Command = async ({ table, signal, assistant, wings }, _, name) => {
  // Help is given even if the settings cannot be read.
  const settings = readOwnerSettings(await loadItem(table, ownerSettingsKey(signal.space)));
  const called = identityOf(settings, { assistant, user: '' }).assistant;
  const lines = helpLines(wings, standingOf(signal));
  return say(name === 'start' ? commandNotices.welcome(called) : commandNotices.help(called, lines));
};

/** A code that opened this chat may come again after a crash. The chat is open then. */
const pair: Command = ({ signal }, rest, name) => {
  if (!sendsMessages(signal.source)) return say(commandNotices.unknownCommand(name));
  const isEnded = rest !== '' && isGroup(signal.reply) && signal.sender.isApprover;
  return say(isEnded ? commandNotices.codeEnded() : commandNotices.paired());
};

const SNAPSHOT_USAGE = `/snapshot [name], at most ${SNAPSHOT_NAME_CHARS_MAX} letters, digits, spaces, dots and dashes`;

const snapshot: Command = (_, rest) =>
  rest.length > SNAPSHOT_NAME_CHARS_MAX
    ? say(commandNotices.usage(SNAPSHOT_USAGE))
    : { call: { tool: 'snapshot', args: defined({ name: rest === '' ? undefined : rest }) } };

/** The doors turn `/resume` into a signal of its own, unless it has a form they do not know. */
const resumeUsage: Command = () => say(notices.resumeUsage());

const loadNoteCommands = () => import('./note-commands.ts');

export const COMMANDS: Readonly<Record<CommandName, Command>> = {
  help,
  start: help,
  pair,
  remember: async (...call) => (await loadNoteCommands()).remember(...call),
  edit: async (...call) => (await loadNoteCommands()).edit(...call),
  project: async (...call) => (await loadNoteCommands()).project(...call),
  scope: async (...call) => (await loadNoteCommands()).scope(...call),
  recall: answerFromMemory,
  memory,
  snapshots: answerFromMemory,
  diff: answerFromMemory,
  audit,
  focus,
  snapshot,
  forget,
  rollback,
  revert,
  model,
  identity,
  approvals: listWaiting,
  approve: decideApproval,
  deny: decideApproval,
  grants: listGrants,
  revoke,
  'grant-add': addGrant,
  resume: resumeUsage,
};
