/**
 * Accepting what came through the console: the kill switch first where it is a stop, then the signal (stored, then
 * published). Only when both are done is there an id to answer with.
 */

import { type HttpResponse, respondJson } from '../http/function-url.ts';
import { acceptSignal } from '../pipeline/accept.ts';
import { setKillSwitch } from '../pipeline/kill-switch.ts';
import type { Payload, ReplyRoute, Signal } from '../signal/signal.ts';
import type { ConsoleDeps } from './deps.ts';
import type { Role } from './tokens.ts';

export interface ConsoleInput {
  readonly id: string;
  /** Full session, `console:main`; for an approval the one it belongs to. */
  readonly session: string;
  /** Console session name replies go to. */
  readonly replyTo: string;
  /** Elsewhere than to the console: an editor reads no chat. */
  readonly reply?: ReplyRoute;
  readonly role: Role;
  readonly payload: Payload;
}

/** Pure. `receivedAt` in epoch milliseconds. */
export const buildConsoleSignal = (space: string, input: ConsoleInput, receivedAt: number): Signal => ({
  schemaVersion: 1,
  id: input.id,
  type: 'EVENT',
  source: 'console',
  space,
  session: input.session,
  root: input.id,
  depth: 0,
  receivedAt,
  sender: {
    id: input.role === 'approver' ? 'console-approver' : 'console',
    isApprover: input.role === 'approver',
  },
  reply: input.reply ?? { target: 'console', to: input.replyTo },
  payload: input.payload,
});

/** @returns 202 with the signal's id. @throws UnavailableError when store or queue do not answer. */
export const acceptInput = async (deps: ConsoleDeps, input: ConsoleInput): Promise<HttpResponse> => {
  const signal = buildConsoleSignal(deps.space, input, deps.now());
  if (input.payload.sensor === 'interrupt')
    await setKillSwitch(deps.table, deps.space, { isStopped: true, by: signal.sender.id, at: signal.receivedAt });
  await acceptSignal(deps, signal);
  return respondJson(202, { id: signal.id });
};
