/** The modules for tools that read files of skills and features: the parser of YAML takes 30 ms. */
export { FEATURE_FILE_PARTS } from '../../features/file-parts.ts';
export { ADD_SKILL_FORM, REMOVE_SKILL_FORM } from './add-skill-form.ts';
export { EDIT_SKILL_FORM } from './edit-skill-form.ts';
