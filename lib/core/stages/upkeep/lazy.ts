/** The modules of a tick that judges something, or gives a signal up. */

export { loadPolicyVersion } from '../../judge/judge.ts';
export { homeOf } from '../../signal/home.ts';
export { buildGateSets } from '../gate-sets.ts';
export { buryDead } from './dead-letter.ts';
export { expireApprovals } from './expire-approvals.ts';
export { lookForRelease } from './look-for-release.ts';
export { sendAnchor } from './send-anchor.ts';
export { tellOfAnswers } from './tell-of-answers.ts';
