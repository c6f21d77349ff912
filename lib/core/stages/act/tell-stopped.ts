/** Stops a conversation that asks too much, and tells the owner once of any stop. Loaded late. */
import { notices } from '../../judge/notices.ts';
import { saveNotice } from '../../judge/notify.ts';
import type { SessionHead } from '../../ledger/record.ts';
import { stopSession } from '../../ledger/session-controls.ts';
import { chatOf, homeRoute, MAIN_CONSOLE } from '../../signal/channels.ts';
import type { ReplyRoute, Signal } from '../../signal/signal.ts';
import type { ActDeps } from './act-context.ts';
import type { InConversation } from './flood.ts';

/** Stops a conversation that asks for more approvals than people can look through. */
export const stopForApprovals = (deps: ActDeps, { record, head }: InConversation): Promise<SessionHead | undefined> =>
  stopSession(deps.table, record.signal, head, { because: 'approvals', by: record.signal.id }, deps.now());

/** The owner gets it in the home chat, or, without one, in this conversation's chat. */
const ownerRoute = (homeChat: string | undefined, { reply }: Signal): ReplyRoute =>
  homeRoute(homeChat) ?? (reply.target === 'system' ? MAIN_CONSOLE : reply);

/** @returns the notice for the signal that stopped its conversation, the same if repeated */
export const tellStopped = async (deps: ActDeps, { record, head }: InConversation): Promise<readonly Signal[]> => {
  const { signal } = record;
  if (head?.stoppedBecause === undefined || head.stoppedBy !== signal.id) return [];
  const parent = { ...signal, reply: ownerRoute(deps.homeChat, signal) };
  // A person who asked for the stop is answered where they asked.
  if (head.stoppedBecause === 'asked' && chatOf(parent.reply) === chatOf(signal.reply)) return [];
  const notice = notices.sessionStopped(signal.session, head.stoppedBecause, signal.id);
  const context = { gateSet: deps.gateSet, now: deps.now() };
  return [(await saveNotice(deps.table, context, parent, 'stopped', notice)).signal];
};
