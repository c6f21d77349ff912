/** The links that a text made from outside text may show so that a person can open them. */
import { type Action, isText } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import type { FactSources } from '../fact-sources.ts';
import { firstListed } from '../listed-links.ts';

export const gatherKnownUrls = (
  action: Action,
  { origin, turn: { listedLinks = [] } = {} }: Pick<FactSources, 'origin' | 'turn'>,
): Pick<Facts, 'knownUrls'> => ({
  knownUrls:
    origin === 'outside' && isText(action) && action.author !== 'code'
      ? firstListed(action.text ?? '', listedLinks)
      : [],
});
