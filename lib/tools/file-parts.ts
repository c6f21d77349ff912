/** The modules for tools that read files of runbooks and skills: the parser of YAML takes 30 ms. */
export { describeRunbook } from '../features/runbooks/describe-runbook.ts';
export { parseRunbook } from '../features/runbooks/parse-runbook.ts';
export { RUNBOOK_FORM } from '../features/runbooks/runbook-form.ts';
export { startRun } from '../features/runbooks/start-run.ts';
export { loadRun } from '../features/runbooks/store-run.ts';
export { runbookTexts } from '../features/runbooks/texts.ts';
export { ADD_SKILL_FORM, REMOVE_SKILL_FORM } from './add-skill-form.ts';
export { EDIT_SKILL_FORM } from './edit-skill-form.ts';
export { JOB_FORM } from './job-form.ts';
