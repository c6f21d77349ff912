/** The forms of features' settings. `infra/settings.ts` alone imports this list. */
import { TRACE_PARSERS } from './traces/post-spans.ts';
import { WITNESS_PARSERS } from './witnesses/ask-witnesses.ts';

export const FEATURE_PARSERS = { ...WITNESS_PARSERS, ...TRACE_PARSERS } as const;
