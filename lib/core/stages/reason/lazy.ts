/** The modules that Reason loads late: memory, and the needs of few proposals. */
export { REASON_LATE } from '../../../features/lazy-reason.ts';
export { notices } from '../../judge/notices.ts';
export { loadObject } from '../../memory/read.ts';
export { buildAskVector } from '../../prompt/embeddings/ask-vector.ts';
export { buildLookups } from '../../tools/form-lookups.ts';
export { loadOpenNotes } from '../../tools/hidden-notes.ts';
export { lookAtWork } from '../look-at-work.ts';
export { decideIngest, decideReading } from './decide-reading.ts';
export { loadDocumentText, loadPictures } from './load-pictures.ts';
export { loadTurnOutput } from './load-turn-output.ts';
export { buildLookAtMemory, readSummary } from './look-at-memory.ts';
export { markOutside } from './mark-outside.ts';
export { publishWait, waitForModel } from './publish-wait.ts';
export { refuse, refuseStopped, refuseUnasked, withFailure, withNotices } from './refuse.ts';
export {
  refuseOverBudget,
  refuseUnanswered,
  refuseUnheard,
  tellRefusedEmbeddings,
  tellRefusedKeys,
} from './refuse-failed.ts';
export { takeOpinions } from './second-opinions.ts';
