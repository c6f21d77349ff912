/**
 * Keeps an insight that a model drew from a few notes, if a person says yes on its card. It names
 * its sources, so that forgetting one takes it along. An answer that is not new does not fit: the
 * step fails, and the job of the runbook is paused.
 */

import { createHash } from 'node:crypto';
import { ProtocolError } from '../../core/base/errors.ts';
import { parseWith } from '../../core/base/json.ts';
import { HOUR_MS } from '../../core/base/limits.ts';
import { type LiveObject, memoryIdOf } from '../../core/memory/object.ts';
import { visibleOf } from '../../core/memory/outline.ts';
import { titleOf } from '../../core/memory/rollback.ts';
import { buildInScope } from '../../core/memory/scope.ts';
import { joinOrigins } from '../../core/signal/signal.ts';
import { isMarkedPrivate } from '../../core/text/privacy.ts';
import { argumentProblems } from '../../core/tools/argument-problems.ts';
import { nameShown } from '../../core/tools/show-objects.ts';
import type { ToolContext, ToolForm, ToolOutput } from '../../core/tools/tool.ts';
import { createMade } from './made-notes.ts';
import { nameOf } from './mends.ts';
import { KeepInsightArgs, keepInsight as tool } from './tools.ts';

/** Tag of every insight. */
const INSIGHT_TAG = 'insight';

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

/** Few enough to hold in one thought. */
const PICKED_NOTES = 4;
/** Shorter notes give nothing to think about. */
const PICKED_CHARS_MIN = 20;
/** Beginning of a long note. */
const PICKED_TEXT_CHARS_MAX = 1_200;
/** Hours for which the same notes are picked. */
const SLOT_MS = 4 * HOUR_MS;

const isFit = ({ origin, type, content, attributes }: LiveObject): boolean =>
  origin !== 'outside' &&
  type !== 'summary' &&
  content.trim().length >= PICKED_CHARS_MIN &&
  !attributes.tags.includes(INSIGHT_TAG);

const rankOf = (slot: number, id: string): string =>
  createHash('sha256').update(`reflection\n${slot}\n${id}`).digest('hex');

const showNote = (note: LiveObject, n: number): string => {
  const text = note.content.trim().slice(0, PICKED_TEXT_CHARS_MAX).toWellFormed();
  const title = note.attributes.title === undefined ? '' : ` ${titleOf(note)}`;
  return `Note ${n + 1}${title}\n${text}`;
};

export const pickNotes = async ({ memory, now, privacyTags = [] }: ToolContext): Promise<ToolOutput> => {
  const { objects } = await memory.view();
  const slot = Math.floor(now / SLOT_MS);
  const inScope = buildInScope(objects, {});
  const picked = visibleOf(objects, (object) => !inScope(object) || isMarkedPrivate(object, privacyTags))
    .filter(isFit)
    .map((note) => ({ note, rank: rankOf(slot, note.id) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, PICKED_NOTES)
    .map(({ note }) => note);
  const output = JSON.stringify({
    notes: picked.map(({ id }) => id),
    text: picked.map(showNote).join('\n\n'),
    shown: picked.map(nameShown),
  });
  return { output, origin: joinOrigins(picked.map(({ origin }) => origin)) };
};
