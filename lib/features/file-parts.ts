/** The code of features that reads YAML. `tools/file-parts.ts` alone imports this list. */
import { runbookParts } from './runbooks/file-parts.ts';

export const FEATURE_PARTS = { runbookParts } as const;
