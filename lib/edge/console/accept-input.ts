/**
 * Accepting what came through the console: the kill switch first if it is a stop, then the signal
 * (stored, then published). Only when both are done is there an id to answer with. A stop by an
 * untrusted script is one of its own conversation: Perceive sets that.
 */

import { ProtocolError } from '../../base/errors.ts';
import { admitSignal } from '../../ledger/admit.ts';
import { setKillSwitch } from '../../ledger/kill-switch.ts';
import { type Payload, type ReplyRoute, type Sender, SessionName, type Signal } from '../../signal/signal.ts';
import { type HttpResponse, respondJson } from '../function-url.ts';
import { respondTooMany } from '../respond-too-many.ts';
import type { ControlDeps } from './deps.ts';
import { type Caller, hasScope } from './tokens.ts';

export interface ConsoleInput {
  readonly id: string;
  readonly caller: Caller;
  /** Name of one of the caller's own conversations, such as `main`. */
  readonly conversation: string;
  /** Another session than that conversation: an approval belongs to the one it was asked in. */
  readonly session?: string;
  /** Elsewhere than to the console: an editor reads no chat. */
  readonly reply?: ReplyRoute;
  readonly payload: Payload;
}

/** What a script's conversations all begin with. */
export const namespaceOf = (name: string): string => `script:${name}:`;

/**
 * Full name of a caller's conversation. A script has conversations of its own: no name it gives is
 * one of the owner's or of another script's. @throws ProtocolError for one that is too long
 */
export const sessionOf = (caller: Caller, conversation: string): string => {
  if (caller.kind === 'approver') return `console:${conversation}`;
  const session = `${namespaceOf(caller.name)}${conversation}`;
  if (SessionName.safeParse(session).success) return session;
  throw new ProtocolError(`session is too long: with "${caller.name}:" before it at most 60 characters are taken`);
};

const senderOf = (caller: Caller): Sender =>
  caller.kind === 'approver'
    ? { id: 'console-approver', isApprover: true }
    : { id: `script:${caller.name}`, isApprover: false };

/** Pure. `receivedAt` in epoch milliseconds. */
export const buildConsoleSignal = (space: string, input: ConsoleInput, receivedAt: number): Signal => {
  const { caller, conversation } = input;
  const session = sessionOf(caller, conversation);
  return {
    schemaVersion: 1,
    id: input.id,
    type: 'EVENT',
    // What comes by `console` is the owner's word; `script` is untrusted.
    source: hasScope(caller, 'speak-as-owner') ? 'console' : 'script',
    space,
    session: input.session ?? session,
    root: input.id,
    depth: 0,
    receivedAt,
    sender: senderOf(caller),
    reply: input.reply ?? { target: 'console', to: caller.kind === 'approver' ? conversation : session },
    payload: input.payload,
  };
};

/**
 * @returns 202 with the signal's id; 429 to a script over its quota. @throws UnavailableError when
 * store or queue do not answer.
 */
export const acceptInput = async (deps: ControlDeps, input: ConsoleInput): Promise<HttpResponse> => {
  const signal = buildConsoleSignal(deps.space, input, deps.now());
  if (input.payload.sensor === 'interrupt' && hasScope(input.caller, 'speak-as-owner'))
    await setKillSwitch(deps.table, deps.space, { isStopped: true, by: signal.sender.id, at: signal.receivedAt });
  const admitted = await admitSignal(deps, signal);
  if (typeof admitted === 'object') return respondTooMany(admitted.limit, admitted.resetsAt, signal.receivedAt);
  if (input.caller.kind === 'script') deps.noteScript('script-accepted', input.caller.name, signal.id);
  return respondJson(202, { id: signal.id });
};
