/** The part of the web in Act, which alone has the key of the search service. */
import { ProtocolError } from '../../core/base/errors.ts';
import type { ActFeature } from '../../core/operations/act-feature.ts';
import type { searchWeb } from './ask-service.ts';
import { findService } from './search-services.ts';

declare module '../../core/operations/act-feature.ts' {
  interface ActWays {
    readonly searchWeb: typeof searchWeb;
  }
}

const loadSearch: typeof searchWeb = async (...given) => (await import('./ask-service.ts')).searchWeb(...given);

export const actWeb: ActFeature = {
  buildKeyPowers: ({ env, secrets, ways: { searchWeb: search = loadSearch } }) => {
    const found = findService(env.SEARCH ?? '');
    if (found === undefined) return {};
    return {
      search: async (title, query, noteCost) => {
        if (title !== found.title) throw new ProtocolError('another search service was set since');
        return search(found, secrets.get('SEARCH_API_KEY') ?? '', query, noteCost);
      },
    };
  },
};
