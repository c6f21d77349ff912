/** The modules for tools that read files of runbooks and skills: the parser of YAML takes 30 ms. */
export { describeRunbook } from '../runbooks/describe-runbook.ts';
export { parseRunbook } from '../runbooks/parse-runbook.ts';
export { loadRun } from '../runbooks/store-run.ts';
export { runbookTexts } from '../runbooks/texts.ts';
export { ADD_SKILL_FORM, REMOVE_SKILL_FORM } from './add-skill-form.ts';
export { EDIT_SKILL_FORM } from './edit-skill-form.ts';
export { JOB_FORM } from './job-form.ts';
export { RUNBOOK_FORM } from './runbook-form.ts';
export { startRun } from './start-run.ts';
