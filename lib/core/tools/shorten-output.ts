/** Keeps a long output beside the effect, and gives its beginning. */
import { TOOL_OUTPUT_CHARS_MAX } from '../base/limits.ts';
import { type OutputStore, showLongOutput } from './long-output.ts';

export const shortenOutput = async (
  keepOutput: OutputStore['keep'],
  effectId: string,
  whole: Parameters<OutputStore['keep']>[1],
): Promise<string> => {
  if (whole.text.length <= TOOL_OUTPUT_CHARS_MAX) return whole.text.toWellFormed();
  // `<space>/<signal>#<n>`: the space is ours and no part of the id.
  const id = effectId.slice(effectId.indexOf('/') + 1);
  const kept = await keepOutput(id, whole);
  // It may say no more than that it was left out.
  return kept.text.length <= TOOL_OUTPUT_CHARS_MAX ? kept.text : showLongOutput(id, kept);
};
