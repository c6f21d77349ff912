/**
 * Cards that a change of the rules ends: each was asked for under the rules of before (I5). The
 * card of the change says how many wait. They are counted only where a card is written.
 */
import { countWords } from '../text/quoted.ts';
import type { Mark } from './marks.ts';
import type { FormContext } from './tool.ts';

type Counting = Pick<FormContext, 'countOpenCards'>;

export const sayEndedCards = async ({ countOpenCards }: Counting, mark: Mark): Promise<readonly string[]> => {
  const count = (await countOpenCards?.()) ?? 0;
  return count === 0
    ? []
    : [mark(`CHANGED rules: a yes ends ${countWords(count, 'other waiting card')}, to be asked for again`)];
};
