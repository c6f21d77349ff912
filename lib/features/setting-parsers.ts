/** The forms of features' settings. `infra/settings.ts` alone imports this list. */
import { TRACE_PARSERS } from './traces/post-spans.ts';
import { SEARCH_PARSERS } from './web/search-services.ts';
import { WITNESS_PARSERS } from './witnesses/ask-witnesses.ts';

export const FEATURE_PARSERS = { ...SEARCH_PARSERS, ...TRACE_PARSERS, ...WITNESS_PARSERS } as const;
