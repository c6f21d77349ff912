/** The code of guards and afters, loaded when one takes an action. */

export { changeAnswered } from '../../lib/core/stages/act/afters/card-answered.ts';
export { returnNotice } from '../../lib/core/stages/act/afters/channel-back.ts';
export { doubtNotice } from '../../lib/core/stages/act/afters/doubt.ts';
export { fileNotice } from '../../lib/core/stages/act/afters/file-read.ts';
export { refusedNotice } from '../../lib/core/stages/act/afters/refused.ts';
export { resultNotice } from '../../lib/core/stages/act/afters/result.ts';
export { keepBack } from '../../lib/core/stages/act/guards/keep-back.ts';
export { lookAtMoney } from '../../lib/core/stages/act/guards/money.ts';
export { countNote } from '../../lib/core/stages/act/guards/notes.ts';
export { lookAtPast } from '../../lib/core/stages/act/guards/past.ts';
export { digestOverShare } from '../../lib/core/stages/act/guards/put-in-digest.ts';
export { endedNotice } from '../../lib/features/consent/late-after.ts';
export { noteMachineOffers } from '../../lib/features/mcp/late-after.ts';
export { awayNotice, wakeIfOver } from '../../lib/features/runner/late-afters.ts';
export { tellSkills } from '../../lib/features/skills/tell-skills.ts';
export { tellSubscribers } from '../../lib/features/subscriptions/tell-subscribers.ts';
export { voiceNotice } from '../../lib/features/voice/voice-notice.ts';
