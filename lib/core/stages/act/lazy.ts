/** The modules that Act loads late. A turn that is answered with a text needs none of it. */
export { buildGrantFacts, findGrant } from '../../approvals/find-grant.ts';
export { isGrantOver } from '../../approvals/grants.ts';
export { noteErasure } from '../../ledger/last-erasure.ts';
export { lookAtWork } from '../look-at-work.ts';
export { saveWithCost } from './correct-cost.ts';
export { endSummary } from './end-summary.ts';
export { eraseReplies } from './erase-replies.ts';
export { buildHandOver, collectHanded } from './hand-over.ts';
export { loadAsked, saveCards, suspendAction, updateCard } from './suspend.ts';
export { tellPeople } from './tell-people.ts';
export { stopForApprovals, tellStopped } from './tell-stopped.ts';
