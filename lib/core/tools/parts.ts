/**
 * All that tools load with their first call: the forms of arguments, and the code that performs the
 * larger tools. Every function knows every tool, and few call one. `file-parts.ts` has the rest.
 */
export { FEATURE_PARTS } from '../../features/tool-parts.ts';
export { shareResults } from '../memory/recall.ts';
export { runScript, scriptOutput } from '../sandbox/run-script.ts';
export { changeNote, storeNote } from './change-note.ts';
export { documentWords, judgeDocument } from './document-facts.ts';
export { loadIsHidden } from './hidden-notes.ts';
export { EDIT_FORM, REMEMBER_FORM } from './note-forms.ts';
export { loadOutputs, SEND_FILE_FORM, SEND_MESSAGE_FORM } from './place-forms.ts';
export { PLAN_FORM } from './plan-form.ts';
export { runWithState } from './script-state.ts';
export { takeInFile } from './take-in-file.ts';
export { takeInTree } from './take-in-tree.ts';
