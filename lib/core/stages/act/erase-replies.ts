/**
 * Says what forgetting leaves of each item of a signal: envelope, states, traces and hashes stay,
 * and a marker stands in place of the words. Facts, proposals and outputs become their hashes, as
 * the evidence log counts them, so that every leaf and proof still holds. An action without its
 * words no longer fits its hash and can never be performed. Pure. @throws StoredItemError for an
 * item of an unknown form.
 */
import { defined } from '../../base/defined.ts';
import {
  packAttempt,
  packDecision,
  packEffect,
  parseAttempt,
  parseDecision,
  parseEffect,
  parseRecord,
} from '../../ledger/ledger.ts';
import type { SignalRecord } from '../../ledger/record.ts';
import { factsHash, outputHash, proposalHash } from '../../log/evidence-records.ts';
import type { Action } from '../../signal/action.ts';
import type { Attempt, Decision, Effect, JudgedAction } from '../../signal/decision.ts';
import type { Payload, Signal, TextPiece } from '../../signal/signal.ts';
import type { Item } from '../../store/table.ts';
import { FORGOTTEN } from './forgotten.ts';

/** `source` erases the person's words too; `shown` only what the agent and its tools said. */
export type EraseMode = 'source' | 'shown';

const eraseTexts = (text: readonly TextPiece[]): TextPiece[] =>
  text.map(({ origin, label }) => ({ text: FORGOTTEN, origin, ...defined({ label }) }));

const erasePersonsWords = (payload: Payload): Payload => {
  switch (payload.sensor) {
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

/** A question of a runbook holds outputs of its steps. */
const eraseResults = (payload: Payload): Payload => {
  if (payload.sensor === 'run-prompt') return { ...payload, text: eraseTexts(payload.text) };
  return 'results' in payload
    ? { ...payload, results: payload.results.map((result) => ({ ...result, output: FORGOTTEN })) }
    : payload;
};

const eraseSignal = (signal: Signal, mode: EraseMode): Signal => {
  const payload = eraseResults(signal.payload);
  return { ...signal, payload: mode === 'source' ? erasePersonsWords(payload) : payload };
};

export const eraseReplies = (replies: NonNullable<SignalRecord['replies']>) =>
  replies.map(({ origin }) => ({ text: FORGOTTEN, origin }));

/** Target, tool and author stay; the words go. */
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

const eraseDecision = (decision: Decision, at: number): Decision => ({
  ...decision,
  ...(decision.attempt === undefined ? {} : { attempt: eraseAttempt(decision.attempt) }),
  actions: decision.actions.map(eraseJudged),
  forgottenAt: decision.forgottenAt ?? at,
});

const eraseEffect = ({ output, ...effect }: Effect, at: number): Effect => ({
  ...effect,
  facts: [],
  factsHash: effect.factsHash ?? factsHash(effect.facts),
  ...(output === undefined ? {} : { outputHash: outputHash(output) }),
  forgottenAt: effect.forgottenAt ?? at,
});

/** A change of one item of a signal's partition. */
export interface Erasure {
  readonly sk: string;
  readonly set: Item;
  readonly remove?: readonly string[];
  /** The record of evidence that loses its content. */
  readonly covers?: string;
}

/** @returns undefined for an item that holds no words. */
export const eraseItem = (id: string, item: Item, mode: EraseMode, at: number): Erasure | undefined => {
  const sk = String(item.sk);
  switch (sk.split('#')[0]) {
    case 'record': {
      const { signal, replies } = parseRecord(id, item);
      const erased = JSON.stringify(eraseSignal(signal, mode));
      // `forgottenAt` tells a delivery that is still under way not to leave its words behind.
      const words = defined({ replies: replies && eraseReplies(replies) });
      return { sk, set: { signal: erased, forgottenAt: at, ...words } };
    }
    case 'decision': {
      const { forgottenAt, ...decision } = eraseDecision(parseDecision(id, item), at);
      const { actions, attempt } = packDecision({ ...decision, forgottenAt });
      return { sk, set: { actions, forgottenAt, ...defined({ attempt }) }, covers: `decision ${id}` };
    }
    case 'attempt': {
      const attempt = eraseAttempt(parseAttempt(id, item));
      const set = { judged: packAttempt(attempt).judged, ...defined({ proposalHash: attempt.proposalHash }) };
      return { sk, set, remove: ['proposal'] };
    }
    case 'effect': {
      const effect = eraseEffect(parseEffect(id, item), at);
      const { factsHash: hash, forgottenAt, n } = effect;
      const set = { facts: packEffect(effect).facts, factsHash: hash, forgottenAt };
      const outputs = defined({ outputHash: effect.outputHash });
      return { sk, set: { ...set, ...outputs }, remove: ['output'], covers: `effect ${id}#${n}` };
    }
    case 'output':
      return { sk, set: { text: FORGOTTEN, chars: FORGOTTEN.length } };
    case 'stream':
      // The hash of the chunk fits no more, so the chunk is not shown either.
      return { sk, set: { text: FORGOTTEN } };
    default:
      return undefined;
  }
};
