/** The code of guards and afters, loaded when one takes an action. */

export { awayNotice, wakeIfOver } from '../../lib/features/runner/late-afters.ts';
export { tellSkills } from '../../lib/features/skills/tell-skills.ts';
export { tellSubscribers } from '../../lib/features/subscriptions/tell-subscribers.ts';
export { voiceNotice } from '../../lib/features/voice/voice-notice.ts';
export { changeAnswered } from '../../lib/stages/act/afters/card-answered.ts';
export { returnNotice } from '../../lib/stages/act/afters/channel-back.ts';
export { doubtNotice } from '../../lib/stages/act/afters/doubt.ts';
export { fileNotice } from '../../lib/stages/act/afters/file-read.ts';
export { refusedNotice } from '../../lib/stages/act/afters/refused.ts';
export { resultNotice } from '../../lib/stages/act/afters/result.ts';
export { keepBack } from '../../lib/stages/act/guards/keep-back.ts';
export { lookAtMoney } from '../../lib/stages/act/guards/money.ts';
export { countNote } from '../../lib/stages/act/guards/notes.ts';
export { lookAtPast } from '../../lib/stages/act/guards/past.ts';
export { digestOverShare } from '../../lib/stages/act/guards/put-in-digest.ts';
