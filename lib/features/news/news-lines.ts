/** The lines of a digest, read from the decisions that hold their words. */
import type { Digest, Line } from '../../core/ledger/digests.ts';
import { parseDecision } from '../../core/ledger/ledger.ts';
import type { Decision, JudgedAction } from '../../core/signal/decision.ts';
import { joinOrigins, type Origin } from '../../core/signal/signal.ts';
import { signalKeys } from '../../core/store/keys.ts';
import { readOrSkip } from '../../core/store/parse-stored.ts';
import type { Table } from '../../core/store/table.ts';
import { newsTexts } from './texts.ts';

export interface NewsLine extends Line {
  readonly text: string;
  readonly origin: Origin;
  /** Undefined if its words are forgotten. */
  readonly decision: Decision | undefined;
}

const originOf = (judged: JudgedAction | undefined): Origin =>
  joinOrigins(['agent', ...(judged?.facts ?? []).map(({ origin }) => origin)]);

/** Oldest first. */
export const loadNewsLines = async (
  table: Pick<Table, 'load'>,
  space: string,
  { newest }: Pick<Digest, 'newest'>,
): Promise<readonly NewsLine[]> => {
  const items = await table.load(newest.map(({ id }) => signalKeys.decision(space, id)));
  return newest.map((line, at) => {
    const decision = readOrSkip(items[at], (item) => parseDecision(line.id, item));
    const judged = decision?.actions[line.n];
    const isKnown = decision !== undefined && decision.forgottenAt === undefined;
    return {
      ...line,
      text: isKnown ? (judged?.action.text ?? '') : newsTexts.en.forgotten,
      origin: originOf(judged),
      decision: isKnown ? decision : undefined,
    };
  });
};
