/** A stop, and the resume that ends it: of the whole space, or of one conversation. */

import { type Notice, notices } from '../../judge/notices.ts';
import { loadKillSwitch, setKillSwitch } from '../../ledger/kill-switch.ts';
import { loadHead, loadStoppedSessions, resumeSession, stopSession } from '../../ledger/session-controls.ts';
import { stopsItsOwn } from '../../ledger/standing.ts';
import { describeForgetting, isForgetting, loadRestoreState } from '../../log/restore-state.ts';
import type { CodeContext } from '../../operations/code-context.ts';
import { namesStopped } from '../../operations/hooks.ts';

/** Somebody without rights stops their own chat; the doors stop the whole space. */
export const stop = async ({ table, hooks, signal, now }: CodeContext): Promise<Notice> => {
  if (!stopsItsOwn(signal)) {
    const machines = await namesStopped(hooks, { table, space: signal.space });
    return notices.stopped(machines);
  }
  const head = await loadHead(table, signal);
  await stopSession(table, signal, head, { because: 'asked', by: signal.id }, now);
  return notices.stoppedHere();
};

/** @param session as it was named; without one the space, and the conversation here */
export const resume = async (context: CodeContext, session: string | undefined): Promise<readonly Notice[]> => {
  const { table, signal, now } = context;
  if (!signal.sender.isApprover) return [notices.mayNotResume()];
  if (session !== undefined) return [await resumeNamed(context, session)];
  const notice = await resumeSpace(context);
  const own = await resumeSession(table, signal, signal.receivedAt, now);
  if (own !== 'resumed') return [notice];
  const wasRunning = notice.template === notices.nothingStopped().template;
  return [...(wasRunning ? [] : [notice]), notices.sessionResumed(signal.session)];
};

const resumeNamed = async ({ table, signal, now }: CodeContext, session: string): Promise<Notice> => {
  const outcome = await resumeSession(table, { space: signal.space, session }, signal.receivedAt, now);
  switch (outcome) {
    case 'resumed':
      return notices.sessionResumed(session);
    case 'not-stopped':
      return notices.sessionNotStopped(session);
    case 'outdated':
      return notices.sessionStoppedAgain(session);
    default:
      return outcome satisfies never;
  }
};

const resumeSpace = async ({ table, signal }: CodeContext): Promise<Notice> => {
  const { space, sender, receivedAt: at } = signal;
  const restore = await loadRestoreState(table, space);
  if (restore !== undefined && isForgetting(restore))
    return notices.stillForgetting(describeForgetting(restore), restore.problem);
  const before = await loadKillSwitch(table, space);
  const outcome = await setKillSwitch(table, space, { isStopped: false, by: sender.id, at });
  const current = await loadKillSwitch(table, space);
  // A later stop holds, or an earlier delivery of this resume wrote it.
  if (outcome !== 'applied' && current?.isStopped === true) return notices.isStopped();
  const stopped = (await loadStoppedSessions(table, space)).filter((session) => session !== signal.session);
  // A repeat of this very resume finds what it wrote itself.
  const wasStopped = before !== undefined && (before.isStopped || before.at === at);
  if (!wasStopped && stopped.length === 0) return notices.nothingStopped();
  return notices.resumed(stopped, current?.stoppedAt === restore?.at ? restore?.rights : []);
};
