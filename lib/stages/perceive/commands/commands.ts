/**
 * The table of chat commands, with the answer of each. The right to give it in this chat was
 * checked before. A command that changes memory or servers gives one call of a tool; all else
 * about it (permission, gates, evidence, answer) follows from that tool.
 */

import { findTypedIn } from '../../../approvals/approval.ts';
import { defined } from '../../../base/defined.ts';
import { SNAPSHOT_NAME_CHARS_MAX } from '../../../base/limits.ts';
import { commandNotices } from '../../../judge/command-notices.ts';
import { notices } from '../../../judge/notices.ts';
import { loadRules } from '../../../judge/policy/rules-learned.ts';
import type { CommandName } from '../../../ledger/command-rights.ts';
import { identityOf, ownerSettingsKey, readOwnerSettings } from '../../../ledger/owner-settings.ts';
import type { SessionHead } from '../../../ledger/record.ts';
import { parseHead } from '../../../ledger/session.ts';
import { standingOf } from '../../../ledger/standing.ts';
import { type CodeContext, type Command, say } from '../../../operations/code-context.ts';
import { isGroup } from '../../../signal/asker.ts';
import { indexPartitions, sessionKey, signalKeys } from '../../../store/keys.ts';
import { loadItem } from '../../../store/load-named.ts';
import { explainSignal } from '../../explain/explain.ts';
import { helpLines } from '../help-lines.ts';
import { decideApproval, listWaiting } from './approval-commands.ts';
import { addGrant, listGrants, revoke } from './grant-commands.ts';
import { answerFromMemory, audit, focus, forget, memory, revert, rollback } from './memory-commands.ts';
import { identity, model } from './owner-commands.ts';
import { skill } from './skill-commands.ts';

const help: Command = async ({ table, signal, assistant, wings }, _, name) => {
  // Help is given even if the settings cannot be read.
  const settings = readOwnerSettings(await loadItem(table, ownerSettingsKey(signal.space)));
  const called = identityOf(settings, { assistant, user: '' }).assistant;
  const lines = helpLines(wings, standingOf(signal));
  return say(name === 'start' ? commandNotices.welcome(called) : commandNotices.help(called, lines));
};

const loadSession = async ({ table, signal }: CodeContext): Promise<SessionHead | undefined> => {
  const item = await loadItem(table, sessionKey(signal.space, signal.session));
  return item === undefined ? undefined : parseHead(signal.session, item);
};

const why: Command = async (context, rest) => {
  const { table, signal } = context;
  const asked = rest === '' ? (await loadSession(context))?.recent?.at(-1) : rest;
  if (asked === undefined) return say(commandNotices.why(['There is no earlier task in this conversation yet.']));
  const load = (id: string) => table.query({ pk: signalKeys.partition(signal.space, id), limit: 50 });
  const exact = await load(asked);
  const started = exact.items.length > 0 ? asked : await findTypedIn(table, indexPartitions.feed(signal.space), asked);
  const id = started ?? asked;
  const page = id === asked ? exact : await load(id);
  const lines = explainSignal(id, page.items, signal);
  // In a group others read along.
  const hasRules = page.items.length > 0 && !isGroup(signal.reply);
  return say(commandNotices.why(hasRules ? [...lines, await loadRules(table, signal.space, context.now)] : lines));
};

/** A code that opened this chat may come again after a crash. The chat is open then. */
const pair: Command = ({ signal }, rest, name) => {
  if (signal.source !== 'telegram') return say(commandNotices.unknownCommand(name));
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
  why,
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
  skill,
  approvals: listWaiting,
  approve: decideApproval,
  deny: decideApproval,
  grants: listGrants,
  revoke,
  'grant-add': addGrant,
  resume: resumeUsage,
};
