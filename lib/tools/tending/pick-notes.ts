/**
 * Picks a few notes for a reflection: others every four hours, the same within them. Never private
 * ones, notes from outside, or insights.
 */
import { createHash } from 'node:crypto';
import { HOUR_MS } from '../../base/limits.ts';
import type { LiveObject } from '../../memory/object.ts';
import { visibleOf } from '../../memory/outline.ts';
import { titleOf } from '../../memory/rollback.ts';
import { buildInScope } from '../../memory/scope.ts';
import { joinOrigins } from '../../signal/signal.ts';
import { isMarkedPrivate } from '../../text/privacy.ts';
import { nameShown } from '../show-objects.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';
import { INSIGHT_TAG } from './keep-insight.ts';

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
