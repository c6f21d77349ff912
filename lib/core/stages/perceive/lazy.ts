/** The modules that Perceive loads when code answers a signal: most signals are for the model. */
export { loadWaitingHere } from '../../judge/waiting-approvals.ts';
export { buildReadMemory } from '../../memory/read-memory.ts';
export { buildGateSets } from '../gate-sets.ts';
export { answerByCode, dropByCode } from './answer-by-code.ts';
export { findTypedChoice } from './answer-choice.ts';
export { correct } from './correct.ts';
export { gatherAlbum } from './gather-album.ts';
