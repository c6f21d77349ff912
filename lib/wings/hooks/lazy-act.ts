/** The code of guards and afters, loaded when one takes an action. */
export { returnNotice } from '../../stages/act/afters/channel-back.ts';
export { doubtNotice } from '../../stages/act/afters/doubt.ts';
export { fileNotice } from '../../stages/act/afters/file-read.ts';
export { awayNotice } from '../../stages/act/afters/machine-away.ts';
export { refusedNotice } from '../../stages/act/afters/refused.ts';
export { resultNotice } from '../../stages/act/afters/result.ts';
export { tellSkills } from '../../stages/act/afters/skill-events.ts';
export { tellSubscribers } from '../../stages/act/afters/tell-subscribers.ts';
export { voiceNotice } from '../../stages/act/afters/voice.ts';
export { wakeIfOver } from '../../stages/act/afters/wake-if-over.ts';
export { keepBack } from '../../stages/act/guards/keep-back.ts';
export { lookAtMoney } from '../../stages/act/guards/money.ts';
export { countNote } from '../../stages/act/guards/notes.ts';
export { lookAtPast } from '../../stages/act/guards/past.ts';
export { digestOverShare } from '../../stages/act/guards/put-in-digest.ts';
export { lookAtRun } from '../../stages/act/guards/run-step.ts';
