/** An answer in a chat with `/voice on` is said again in a voice note, or one sentence says why. */
import { defined } from '../../core/base/defined.ts';
import { VOICE_NOTE } from '../../core/signal/ids.ts';
import type { EffectNotice } from '../../core/stages/act/after.ts';
import { isPutOff } from '../../core/stages/act/put-off.ts';
import { fileIn } from '../../core/text/file-text.ts';
import { voiceNotices } from './texts.ts';

/** Longer texts are said as far as a sentence ends before it. */
const SPOKEN_CHARS_MAX = 2_000;

const spokenPart = (text: string): string => {
  const part = text.slice(0, SPOKEN_CHARS_MAX).toWellFormed();
  return part.length === text.length ? text : (/^[\s\S]*[.!?…\n]/.exec(part)?.[0] ?? part);
};

export const voiceNotice: EffectNotice['build'] = async (
  _,
  { decision, killSwitch },
  { effect, action: { author, template, target, to = '', topic, text = '' } },
) => {
  const { n, state, reason = '' } = effect;
  const suffix = `voice-${n}`;
  if (template === VOICE_NOTE)
    return state === 'done' || killSwitch?.isStopped === true
      ? undefined
      : { suffix, notice: voiceNotices.notSpoken(reason) };
  const isAnswer = author === 'model' && state === 'done' && decision.actions[n]?.facts.at(-1)?.isPlainReply === true;
  if (target === 'tool' || target === 'webhook' || !isAnswer) return undefined;
  if (isPutOff(effect) || fileIn(text) !== undefined) return undefined;
  return {
    suffix,
    notice: { template: VOICE_NOTE, text: spokenPart(text), route: { target, to, ...defined({ topic }) } },
  };
};
