/** The code of the tools of skills, which reads YAML. */
import { ADD_SKILL_FORM, REMOVE_SKILL_FORM } from './tools/add-skill-form.ts';
import { EDIT_SKILL_FORM } from './tools/edit-skill-form.ts';

export const SKILL_FILE_PARTS = { ADD_SKILL_FORM, EDIT_SKILL_FORM, REMOVE_SKILL_FORM } as const;
