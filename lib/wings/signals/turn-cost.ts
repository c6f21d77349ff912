/** The cost and time of a turn with a model, in one line. Pure. */
import { showUsd } from '../../base/money.ts';

interface Answered {
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

/** @param endedAt epoch milliseconds. @returns undefined if no model was asked */
export const turnCost = ({ receivedAt, decision }: Answered, endedAt: number): string | undefined => {
  const attempt = decision?.attempts.at(-1);
  if (attempt === undefined) return undefined;
  const rules = decision?.actions.flatMap(({ trace }) => trace).length ?? 0;
  const cost = attempt.turnUsd === undefined ? [] : [showUsd(attempt.turnUsd)];
  const seconds = `${((endedAt - receivedAt) / 1000).toFixed(1)} s`;
  return [`${attempt.provider}/${attempt.model}`, `${rules} rules checked`, ...cost, seconds].join(' · ');
};
