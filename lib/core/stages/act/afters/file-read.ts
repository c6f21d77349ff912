/**
 * Quotes a recording to its sender, and tells of a file that could not be read: one sentence for
 * all files of an album that fail alike, and a button if the file may be tried again.
 */
import { notices } from '../../../judge/notices.ts';
import { outputOf } from '../../../ledger/ledger.ts';
import { codeOfEffect } from '../../../ledger/old-sentences.ts';
import { isRecording, mayReadAgain, NOT_READ, READ_ATTACHMENT } from '../../../signal/attachment.ts';
import { doubtSuffix } from '../../../signal/ids.ts';
import type { ActTurn } from '../act-context.ts';
import type { Acted, EffectNotice } from '../after.ts';
import { buildResult } from './result.ts';

/** The sentence of a file that could not be read; undefined of any other effect. */
const failedText = (turn: ActTurn, acted: Acted): string | undefined => {
  const isFailed = acted.action.tool === READ_ATTACHMENT && acted.effect.state !== 'done';
  return isFailed ? buildResult(turn, acted)?.text : undefined;
};

export const fileNotice: EffectNotice['build'] = async (_, turn, acted, all) => {
  const notice = buildResult(turn, acted);
  if (notice === undefined) return undefined;
  const { effect, action } = acted;
  const { n, tries, state, outputOrigin = 'agent' } = effect;
  const suffix = `result-${n}`;
  if (state === 'done') {
    const heard = notices.heard(outputOf(effect), outputOrigin);
    return isRecording(action.args?.kind) ? { suffix, notice: heard } : undefined;
  }
  if (all.slice(0, all.indexOf(acted)).some((one) => failedText(turn, one) === notice.text)) return undefined;
  return mayReadAgain(effect, codeOfEffect(effect), action.tool)
    ? { suffix: doubtSuffix(n, tries), notice: { ...notice, template: NOT_READ } }
    : { suffix, notice };
};
