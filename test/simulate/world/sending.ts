/**
 * What all clients of a run share: how one try is sent and written down, how long a sender waits
 * before the next, and when it gives up.
 */
import type { Config } from '../outside/config.ts';
import type { Outside } from '../outside/outside.ts';
import type { Random, Sent, Step, WireAnswer, WireRequest } from '../types.ts';
import type { Requests } from './client-requests.ts';

/** The functions with an address. */
export type Door = 'telegram' | 'webhook' | 'console' | 'control';

export interface ClientsOptions {
  readonly story: readonly Step[];
  readonly outside: Outside;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Runs something so many milliseconds later. */
  readonly after: (ms: number, run: () => void) => void;
  /** Delivers one request to a function's address. Undefined: no answer came. */
  readonly send: (door: Door, request: WireRequest) => Promise<WireAnswer | undefined>;
  readonly random: Random;
  readonly config: Config;
}

/** Everything that the clients of one run share. */
export interface ClientsWorld extends ClientsOptions {
  readonly sent: Sent[];
  readonly requests: Requests;
}

export const GIVE_UP_MS = 3_600_000;
/** How often a sender repeats what was taken, and how much later at most. */
const REPEAT_PROBABILITY = 0.04;
const REPEAT_WITHIN_MS = 400_000;

/** Wait before try `n + 1`, counted from 0. */
export const backoffMs = (n: number): number => (n === 0 ? 0 : Math.min(60, 2 ** n) * 1_000);

export const addSent = (
  { sent }: ClientsWorld,
  step: Step,
  signalId: string | undefined,
  isCardAnswer: boolean,
): Sent => {
  const one: Sent = { step, signalId, isCardAnswer, tries: [] };
  sent.push(one);
  return one;
};

/** Sends once and writes it down. */
export const tryOnce = async (
  { now, send }: ClientsWorld,
  one: Sent,
  door: Door,
  request: WireRequest,
): Promise<WireAnswer | undefined> => {
  const attempt: Sent['tries'][number] = { at: now(), answer: undefined };
  one.tries.push(attempt);
  const answer = await send(door, request);
  if (answer !== undefined) attempt.answer = { at: now(), status: answer.status, body: answer.body };
  return answer;
};

/** Whether a sender of this kind repeats in rare cases what was taken, and how much later. */
export const drawRepeatMs = ({ random }: ClientsWorld): number | undefined =>
  random.chance(REPEAT_PROBABILITY) ? random.below(REPEAT_WITHIN_MS) : undefined;
