/** A reply that only the last mile refused leaves its person a word, unless all is stopped. */
import { notices } from '../../../judge/notices.ts';
import type { EffectNotice } from '../after.ts';
import { wasStopped } from '../was-stopped.ts';

export const refusedNotice: EffectNotice['build'] = async (_, { record, decision, killSwitch, head }, { effect }) => {
  if (killSwitch?.isStopped === true) return undefined;
  const { n, reason = '' } = effect;
  const { id } = record.signal;
  const suffix = `refused-${n}`;
  if (decision.forgottenAt !== undefined) return { suffix, notice: notices.forgottenMeanwhile(id) };
  // By now somebody resumed.
  if (wasStopped(effect) && head?.stoppedBecause === undefined) return { suffix, notice: notices.stoppedMeanwhile(id) };
  const isOwn = decision.actions[n]?.facts.at(-1)?.askedBy !== 'member';
  return { suffix, notice: notices.refused(id, [reason], isOwn) };
};
