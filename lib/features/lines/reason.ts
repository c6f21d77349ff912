/** The part of lines in Reason: the line below an answer, in a chat that asked for it. */
import { chatSettingOf, languageOf } from '../../core/ledger/owner-settings.ts';
import { chatOf } from '../../core/signal/channels.ts';
import type { AnswerView, ReasonFeature } from '../../core/stages/reason/reason-feature.ts';
import { lineParts } from '../../core/verbs/signals/turn-cost.ts';

const lineBelow = async (view: AnswerView): Promise<string | undefined> => {
  const { settings, reply, gateCount: rules, turnUsd: microDollars, done } = view;
  if (chatSettingOf(settings, 'lines', chatOf(reply)) !== 'on') return undefined;
  const hasOutput = done.length > 0;
  const parts = lineParts({ ...view, rules, microDollars, hasOutput }, languageOf(settings, reply));
  return [...parts, ...(hasOutput ? ['/output'] : [])].join(' · ');
};

export const reasonLines: ReasonFeature = { lineBelow };
