/** Code of features that Reason loads late. Late files of `stages/reason` import it. */
import type { HearsFailure } from '../core/stages/reason/reason-feature.ts';
import { buildLoadReadFile } from './runner/load-read-file.ts';

import { loadAddedPart, skillHears } from './skills/added-part.ts';
import { loadSkillTexts } from './skills/skill-texts.ts';

export const REASON_LATE = { buildLoadReadFile, loadAddedPart, loadSkillTexts } as const;

export const FAILURE_HEARERS: readonly HearsFailure[] = [skillHears];
