/**
 * Keeps what a model distilled from gathered turns as atomic notes, one commit for each period. The
 * turns are gathered again: a source that is not among them, because it was forgotten meanwhile or
 * never was, takes its note out. The same period makes the same notes, and none that a person took
 * back comes again.
 */
import * as z from 'zod/mini';
import { ProtocolError } from '../../core/base/errors.ts';
import { parseJson } from '../../core/base/json.ts';
import { joinOrigins } from '../../core/signal/signal.ts';
import { hasPrivateTag, isPrivateText } from '../../core/text/privacy.ts';
import { nameShown } from '../../core/tools/show-objects.ts';
import { powerOf, type ToolContext, type ToolOutput } from '../../core/tools/tool.ts';
import { gather } from './gather-turns.ts';
import { createMade, scribeNoteId } from './made-notes.ts';
import { GATHERED_TURNS_MAX, type KeepNotesArgs } from './tools.ts';

/** Notes of one period: more would be a protocol. */
const SCRIBE_NOTES_MAX = 12;
/** An atomic note is a sentence or two. */
const SCRIBE_NOTE_CHARS_MAX = 600;
/** Tags that the model may give a note, beside the Scribe's own. */
const SCRIBE_TAGS_MAX = 4;
/** Tag of every note of the Scribe. */
const SCRIBE_TAG = 'scribe';

const tag = z.string().check(z.regex(/^[\p{L}\p{N}_-]{1,32}$/u));

const Distilled = z
  .array(
    z.object({
      text: z.string().check(z.regex(/\S/), z.maxLength(SCRIBE_NOTE_CHARS_MAX)),
      tags: z.optional(z.array(tag).check(z.maxLength(SCRIBE_TAGS_MAX))),
      /** Numbers of its turns, from 1. */
      from: z.array(z.int().check(z.minimum(1), z.maximum(GATHERED_TURNS_MAX))).check(z.minLength(1)),
    }),
  )
  .check(z.maxLength(SCRIBE_NOTES_MAX));

interface KeptNote {
  readonly id: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** Roots of the turns it was made of. */
  readonly turns: readonly string[];
}

/** Models wrap JSON in a fence, though nobody asked for one. */
const withoutFence = (answer: string): string => answer.trim().replace(/^```(?:json)?\s*\n([\s\S]*?)\n?```$/, '$1');

/** @throws ProtocolError if the answer is no list of notes */
const parseNotes = (answer: string, turns: readonly string[]): readonly KeptNote[] =>
  parseJson("the model's answer", withoutFence(answer), Distilled).map(({ text, tags = [], from }, n) => ({
    id: scribeNoteId(turns, n),
    text: text.trim(),
    tags: [SCRIBE_TAG, ...tags],
    turns: [...new Set(from)].map((number) => turns[number - 1] ?? ''),
  }));

interface Period {
  readonly from: number;
  readonly until: number;
}

const loadGathered = async (context: ToolContext, { from, until }: Period): Promise<ReadonlySet<string>> =>
  new Set((await gather(context, from, until)).turns.map(({ id }) => id));

const isAllFrom = ({ turns }: KeptNote, gathered: ReadonlySet<string>): boolean =>
  turns.every((id) => gathered.has(id));

/** Forgets notes of which a source was forgotten while they were stored. */
const forgetOvertaken = async (context: ToolContext, notes: readonly KeptNote[], period: Period): Promise<number> => {
  if (notes.length === 0) return 0;
  const gathered = await loadGathered(context, period);
  const gone = notes.filter((note) => !isAllFrom(note, gathered));
  const { memory, signalId, actor, now } = context;
  for (const { id } of gone) await memory.forget({ id, signalId, actor, now });
  return gone.length;
};

const describe = (notes: readonly KeptNote[], left: number, commit: number | undefined): string =>
  [
    ...(notes.length === 0 || commit === undefined
      ? ['Nothing of it was worth a note.']
      : [
          `Noted from your conversations (${notes.length}):`,
          ...notes.map(({ id, text }) => `+ ${text} (${id.slice(0, 8)})`),
        ]),
    ...(left === 0 ? [] : [`${left} left out, because a source is not there, or is private.`]),
    ...(notes.length === 0 || commit === undefined ? [] : [`To take all of it back: /revert ${commit}`]),
  ].join('\n');

export const keepNotes = async (
  { from, until, turns, answer }: KeepNotesArgs,
  context: ToolContext,
): Promise<ToolOutput> => {
  const { memory, origin, signalId, effectId, actor, now, newNonce, privacyTags = [] } = context;
  if (origin === 'outside') throw new ProtocolError('notes are made of your own conversations only');
  const period = { from, until };
  const gathered = await loadGathered(context, period);
  const distilled = parseNotes(answer, turns);
  const isPrivate = ({ text, tags }: KeptNote): boolean =>
    isPrivateText(text, privacyTags) || hasPrivateTag(tags, privacyTags);
  const fit = distilled.filter((note) => isAllFrom(note, gathered) && !isPrivate(note));
  const by = { signalId, effectId, actor, now };
  const known = await memory.loadMany(fit.map(({ id }) => id));
  const isOwn = (id: string): boolean => known.get(id)?.byEffect === effectId;
  const notes = fit.filter(({ id }) => !known.has(id) || isOwn(id));
  const fresh = notes.filter(({ id }) => !known.has(id));
  const result = await memory.edit({
    by,
    edits: () => fresh.map((note) => createMade(note, by, joinOrigins(['agent', origin]), newNonce())),
  });
  const overtaken = await forgetOvertaken(context, notes, period);
  await powerOf(context.powers, 'tending').saveScribed(until);
  const commit = result.state === 'unchanged' ? undefined : result.record.number;
  const kept = overtaken === 0 ? notes : [];
  const report = describe(kept, distilled.length - fit.length + overtaken, commit);
  const shown = kept.map(({ id }) => nameShown({ id, version: 1 }));
  return {
    output: JSON.stringify({ kept: commit === undefined ? 0 : kept.length, report, shown }),
    origin: joinOrigins(['agent', origin]),
  };
};
