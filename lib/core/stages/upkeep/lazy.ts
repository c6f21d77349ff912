/** The modules of a tick that judges something, gives a signal up, or keeps built-in jobs. */

export { loadPolicyVersion } from '../../judge/judge.ts';
export { homeOf } from '../../signal/home.ts';
export { buildGateSets } from '../../skills/gate-sets.ts';
export { keepBuiltInJobs } from '../../skills/maintenance.ts';
export { buryDead } from './dead-letter.ts';
export { expireApprovals } from './expire-approvals.ts';
export { lookForRelease } from './look-for-release.ts';
export { sendAnchor } from './send-anchor.ts';
export { tellOfAnswers } from './tell-of-answers.ts';
