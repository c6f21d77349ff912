/** The forms of features' settings. `infra/settings.ts` alone imports this list. */
import { WITNESS_PARSERS } from './witnesses/ask-witnesses.ts';

export const FEATURE_PARSERS = { ...WITNESS_PARSERS } as const;
