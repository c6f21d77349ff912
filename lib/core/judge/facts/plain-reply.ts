/** A text is a plain reply if it goes to whoever is answered, or to a further chat of the job. */
import { type Action, isSamePlace, isText, placeOf } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import type { FactSources } from '../fact-sources.ts';

export const gatherPlainReply = (
  action: Action,
  { reply, copies = [] }: Pick<FactSources, 'reply' | 'copies'>,
): Pick<Facts, 'isPlainReply'> => ({
  isPlainReply: isText(action) && [placeOf(reply), ...copies].some((place) => isSamePlace(place, action)),
});
