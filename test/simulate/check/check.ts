/**
 * The judge of a simulated run. It reads only what was seen from outside and the signed export, and
 * trusts nobody inside: it imports no code of the product (`check.test.ts` holds this). Pure.
 */
import type { Observed, Violation } from '../types.ts';
import { cards, doubt, outputs, proposed, results, stored } from './agree.ts';
import { awaited } from './awaited.ts';
import { bounded, failClosed, history, idle, replays, secrets } from './bounds.ts';
import { approved, authority, granted, outsideText, stop } from './consent.ts';
import { files } from './files.ts';
import { log } from './log.ts';
import { news } from './news.ts';
import { quiet } from './quiet.ts';
import { receipts } from './receipts.ts';
import { rest, states } from './rows.ts';
import { buildRun, type Rule } from './run.ts';
import { memory, money } from './state.ts';
import { times } from './times.ts';
import { oneEnd, order, prompt } from './turns.ts';
import { noTraceNoAct, seenOnce } from './visible.ts';

/**
 * I1 and I4 are `no-trace-no-act`, I5 is `approved`, I6 is `one-end`, I7 is `seen-once`, I10 is
 * `log` and `memory`, I15 is `news`. I2 (only Act may send) does not show outside: a text looks the
 * same whoever sent it.
 */
export const RULES: readonly Rule[] = [
  log,
  oneEnd,
  seenOnce,
  news,
  noTraceNoAct,
  approved,
  granted,
  order,
  prompt,
  memory,
  money,
  stop,
  failClosed,
  bounded,
  replays,
  history,
  secrets,
  idle,
  outsideText,
  authority,
  states,
  rest,
  stored,
  proposed,
  outputs,
  results,
  cards,
  doubt,
  files,
  receipts,
  quiet,
  times,
  awaited,
];

/** One rule that is broken everywhere must not hide the others. */
export const SENTENCES_MAX = 5;

export const check = (observed: Observed): readonly Violation[] => {
  const run = buildRun(observed);
  return RULES.flatMap((rule) =>
    rule
      .check(run)
      .slice(0, SENTENCES_MAX)
      .map((sentence) => ({ rule: rule.name, sentence })),
  );
};
