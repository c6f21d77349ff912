/**
 * What is left of a signal's items when what it said is forgotten: envelope, states, traces and hashes, and a marker where there
 * were words. Facts, proposals and outputs are replaced by their hashes, as the evidence log counts them (`lib/log/records.ts`),
 * so that every leaf and proof still holds. An action without its words has another hash than was decided, so that it can
 * never be performed any more. Pure.
 */

import { defined } from '../../base/defined.ts';
import type { SignalRecord } from '../../ledger/record.ts';
import { factsHash, outputHash, proposalHash } from '../../log/evidence-records.ts';
import type { Action } from '../../signal/action.ts';
import type { Attempt, Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import type { Payload, Signal, TextPiece } from '../../signal/signal.ts';

export const FORGOTTEN = '[forgotten]';

/** `source`: also what the person or the outside said; `shown`: only what the agent and its tools said after seeing it. */
export type EraseMode = 'source' | 'shown';

const eraseTexts = (text: readonly TextPiece[]): TextPiece[] =>
  text.map(({ origin, label }) => ({ text: FORGOTTEN, origin, ...defined({ label }) }));

const eraseSaid = (payload: Payload): Payload => {
  switch (payload.sensor) {
    case 'user-input':
    case 'chat-message':
      return { ...payload, text: eraseTexts(payload.text) };
    case 'job-due':
      return { ...payload, text: eraseTexts(payload.text) };
    case 'webhook':
      return { ...payload, body: {}, text: eraseTexts(payload.text) };
    case 'command':
      return { ...payload, rest: FORGOTTEN };
    case 'buffer-update':
      return { ...payload, tree: { forgotten: true } };
    default:
      return payload;
  }
};

const eraseResults = (payload: Payload): Payload =>
  'results' in payload
    ? { ...payload, results: payload.results.map((result) => ({ ...result, output: FORGOTTEN })) }
    : payload;

export const eraseSignal = (signal: Signal, mode: EraseMode): Signal => {
  const payload = eraseResults(signal.payload);
  return { ...signal, payload: mode === 'source' ? eraseSaid(payload) : payload };
};

export const eraseReplies = (replies: SignalRecord['replies']): SignalRecord['replies'] =>
  replies?.map(({ origin }) => ({ text: FORGOTTEN, origin }));

/** Where it goes and who wanted it stay; its words do not. */
export const eraseAction = ({ text, args, ...action }: Action): Action => ({
  ...action,
  explanation: FORGOTTEN,
  ...(text === undefined ? {} : { text: FORGOTTEN }),
  ...(args === undefined ? {} : { args: {} }),
});

const eraseJudged = (judged: JudgedAction): JudgedAction => ({
  ...judged,
  action: eraseAction(judged.action),
  facts: [],
  factsHash: judged.factsHash ?? factsHash(judged.facts),
});

export const eraseAttempt = ({ proposal, ...attempt }: Attempt): Attempt => ({
  ...attempt,
  ...(proposal === undefined ? {} : { proposalHash: proposalHash(proposal) }),
  judged: attempt.judged.map(eraseJudged),
});

export const eraseDecision = (decision: Decision, at: number): Decision => ({
  ...decision,
  ...(decision.attempt === undefined ? {} : { attempt: eraseAttempt(decision.attempt) }),
  actions: decision.actions.map(eraseJudged),
  forgottenAt: decision.forgottenAt ?? at,
});

export const eraseEffect = ({ output, ...effect }: Effect, at: number): Effect => ({
  ...effect,
  facts: [],
  factsHash: effect.factsHash ?? factsHash(effect.facts),
  ...(output === undefined ? {} : { outputHash: outputHash(output) }),
  forgottenAt: effect.forgottenAt ?? at,
});
