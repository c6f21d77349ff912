/** The part of lines in Reason: the line below an answer, in a chat that asked for it. */
import { showUsd } from '../../core/base/money.ts';
import { chatSettingOf, languageOf } from '../../core/ledger/owner-settings.ts';
import { chatOf } from '../../core/signal/channels.ts';
import type { AnswerView, ReasonFeature } from '../../core/stages/reason/reason-feature.ts';
import { lineWords } from './line-texts.ts';

const lineBelow = async (view: AnswerView): Promise<string | undefined> => {
  const { settings, reply, model, gateCount, turnUsd, waiting, hasFocus } = view;
  if (chatSettingOf(settings, 'lines', chatOf(reply)) !== 'on') return undefined;
  const say = await lineWords.in(languageOf(settings, reply));
  return [
    model,
    say.rules(gateCount),
    showUsd(turnUsd),
    ...(waiting > 0 ? [say.waiting(waiting)] : []),
    ...(hasFocus ? [say.inFocus] : []),
  ].join(' · ');
};

export const reasonLines: ReasonFeature = { lineBelow };
