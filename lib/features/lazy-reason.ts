/** Code of features that Reason loads late. `stages/reason/lazy.ts` alone imports this list. */
import { buildLoadReadFile } from './runner/load-read-file.ts';

import { countUse } from './skills/count-use.ts';
import { loadSkillTexts } from './skills/skill-texts.ts';

export const REASON_LATE = { buildLoadReadFile, countUse, loadSkillTexts } as const;
