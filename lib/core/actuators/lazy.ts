/** The modules that Act loads with its first call. Most turns are answered with a text. */
export { ACT_FEATURES } from '../../features/act.ts';
export { forgetAgain, forgetLate } from '../operations/act-feature.ts';
export { buildContents } from '../store/contents.ts';
export { buildCaller, buildHanding, keyPowers, loadDocumentText, sayAloud } from './key-context.ts';
export { loadCardFile } from './load-card-file.ts';
export { buildToolActuator } from './tool.ts';
export { buildToolSet } from './tool-set.ts';
