/**
 * Keeps an insight that a model drew from a few notes, if a person says yes on its card. It names
 * its sources, so that forgetting one takes it along. An answer that is not new does not fit: the
 * step fails, and the job of the runbook is paused.
 */
import { ProtocolError } from '../../base/errors.ts';
import { parseWith } from '../../base/json.ts';
import { createMade } from '../../memory/made-notes.ts';
import { memoryIdOf } from '../../memory/object.ts';
import { nameOf } from '../../memory/tend/mends.ts';
import { joinOrigins } from '../../signal/signal.ts';
import { isMarkedPrivate } from '../../text/privacy.ts';
import { argumentProblems } from '../argument-problems.ts';
import { KeepInsightArgs, keepInsight as tool } from '../tending.ts';
import type { ToolContext, ToolForm, ToolOutput } from '../tool.ts';

/** Tag of every insight. */
export const INSIGHT_TAG = 'insight';

export const INSIGHT_FORM: ToolForm = {
  complete: async (given) => given,
  findProblems: async (given) => argumentProblems(tool, given),
  describe: async (given, { loadNotes }) => {
    const { text, notes } = parseWith('the insight', given, KeepInsightArgs);
    const objects = await loadNotes(notes);
    return ['Keep this thought:', text, 'It was drawn from:', ...notes.map((id) => nameOf(objects.get(id)))];
  },
};

export const keepInsight = async ({ text, notes }: KeepInsightArgs, context: ToolContext): Promise<ToolOutput> => {
  const { memory, origin, signalId, effectId, actor, now, newNonce, privacyTags = [] } = context;
  const sources = [...(await memory.loadMany(notes)).values()];
  const isGone = sources.length < new Set(notes).size || sources.some(({ state }) => state !== 'live');
  if (isGone) throw new ProtocolError('a note it was drawn from is not there any more');
  if (sources.some((source) => source.state === 'live' && isMarkedPrivate(source, privacyTags)))
    throw new ProtocolError('a note it was drawn from is private by now');
  const by = { signalId, effectId, actor, now };
  const made = { id: memoryIdOf(effectId), text: text.trim(), tags: [INSIGHT_TAG], notes };
  const from = joinOrigins(['agent', origin, ...sources.map((source) => source.origin)]);
  await memory.edit({ by, edits: () => [createMade(made, by, from, newNonce())] });
  return { output: `Remembered as ${made.id}.`, origin: from };
};
