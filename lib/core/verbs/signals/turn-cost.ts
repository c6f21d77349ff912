/** The cost and time of a turn with a model, in one line. Pure. */
import { showUsd } from '../../base/money.ts';

interface AnsweredTurn {
  readonly receivedAt: number;
  readonly decision?:
    | {
        readonly attempts: readonly {
          readonly provider: string;
          readonly model: string;
          readonly turnUsd?: number | undefined;
        }[];
        readonly actions: readonly { readonly trace: readonly unknown[] }[];
      }
    | null
    | undefined;
}

interface Figures {
  /** Such as `openai/gpt-5`. */
  readonly model: string;
  readonly rules: number;
  /** Undefined if nobody knows the price. */
  readonly microDollars: number | undefined;
  readonly ms: number;
}

/** @param endedAt epoch milliseconds. @returns undefined if no model was asked */
export const turnFigures = ({ receivedAt, decision }: AnsweredTurn, endedAt: number): Figures | undefined => {
  const attempt = decision?.attempts.at(-1);
  if (attempt === undefined) return undefined;
  const rules = decision?.actions.flatMap(({ trace }) => trace).length ?? 0;
  const model = `${attempt.provider}/${attempt.model}`;
  return { model, rules, microDollars: attempt.turnUsd, ms: endedAt - receivedAt };
};

/** @returns the figures in one line; undefined if no model was asked */
export const turnCost = (answered: AnsweredTurn, endedAt: number): string | undefined => {
  const figures = turnFigures(answered, endedAt);
  if (figures === undefined) return undefined;
  const { model, rules, microDollars, ms } = figures;
  const cost = microDollars === undefined ? [] : [showUsd(microDollars)];
  return [model, `${rules} rules checked`, ...cost, `${(ms / 1000).toFixed(1)} s`].join(' · ');
};
