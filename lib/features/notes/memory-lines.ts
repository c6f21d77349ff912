/** Memory in short bounded lines. Links of outsiders cannot be opened. Pure. */

import { MEMORY_ID_SHOWN_CHARS } from '../../core/base/limits.ts';
import { makeVisible } from '../../core/base/make-visible.ts';
import { isoMinute } from '../../core/base/utc-minute.ts';
import type { AuditVersion, Difference } from '../../core/memory/history.ts';
import type { LiveObject, MemoryObject } from '../../core/memory/object.ts';
import type { RollbackLine } from '../../core/memory/rollback.ts';
import { titleOf } from '../../core/memory/rollback.ts';
import type { Origin } from '../../core/signal/signal.ts';
import { defang } from '../../core/text/tappable.ts';
import type { NoteTexts } from './texts.ts';

/** @param keepsLines for a text that is shown whole */
const safeText = (text: string, origin: Origin, keepsLines = false): string =>
  makeVisible(origin === 'outside' ? defang(text) : text, keepsLines);

export const shortId = (id: string): string => id.slice(0, MEMORY_ID_SHOWN_CHARS);

const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${text.slice(0, charsMax).toWellFormed()}…`;

export const titleLine = (object: LiveObject, say: NoteTexts): string => {
  const { attributes, origin } = object;
  const title = titleOf(object);
  const marks = [
    ...(attributes.todo === undefined ? [] : [attributes.todo]),
    ...attributes.tags.map((tag) => `#${tag}`),
    ...(object.scope === 'memex' ? [] : [`(${say.scope(object.scope)})`]),
    ...(origin === 'outside' ? [say.outside] : []),
  ];
  return `${shortId(object.id)}  ${safeText([title === '' ? say.untitled : title, ...marks].join(' '), origin)}`;
};

/** The title line of a found object, and the beginning of its text if that says more. */
export const foundLines = (object: LiveObject, charsMax: number, say: NoteTexts): readonly string[] => {
  const said = cut(object.content.trim().replace(/\s+/gu, ' '), charsMax);
  const isInTitle = said === titleOf(object).replace(/\s+/gu, ' ');
  return [titleLine(object, say), ...(said === '' || isInTitle ? [] : [`    ${safeText(said, object.origin)}`])];
};

/** A whole object, as far as a chat has room. */
export const objectLines = (object: MemoryObject, charsMax: number, say: NoteTexts): readonly string[] => {
  if (object.state !== 'live') return [`${object.id}  ${say.state(object.state)}`];
  const { type, scope, origin, version, updatedAt } = object;
  const about = say.about(say.type(type), say.scope(scope), say.origin(origin), version, isoMinute(updatedAt));
  return [
    titleLine(object, say),
    `${object.id} (${about})`,
    ...Object.entries(object.attributes.properties ?? {})
      .filter(([name]) => !name.startsWith('passepartout:'))
      .map(([name, value]) => safeText(`${name}: ${String(value)}`, object.origin)),
    ...(object.content.trim() === '' ? [] : ['', safeText(cut(object.content.trim(), charsMax), object.origin, true)]),
  ];
};

export type DifferenceWord = 'removed' | 'forgotten' | 'added' | 'moved' | 'changed';

const describeChange = ({ before, after }: Difference): DifferenceWord => {
  if (after === undefined || after.state === 'removed') return 'removed';
  if (after.state === 'forgotten') return 'forgotten';
  if (before === undefined || before.state === 'removed') return 'added';
  return before.version === after.version ? 'moved' : 'changed';
};

export const differenceLine = (difference: Difference, say: NoteTexts): string => {
  const { id, before, after } = difference;
  const object = after?.state === 'live' ? after : before?.state === 'live' && after === undefined ? before : undefined;
  return `${say.difference(describeChange(difference)).padEnd(9)}  ${object === undefined ? shortId(id) : titleLine(object, say)}`;
};

const ROLLBACK_WORDS: Readonly<Record<RollbackLine['what'], string>> = {
  restored: 'back as it was',
  removed: 'gone again',
  'brought-back': 'there again',
  'stays-forgotten': 'stays forgotten',
};

/** The plan does not say who wrote a title, so titles are shown as if outsiders had. */
export const rollbackLine = ({ id, title, what }: RollbackLine): string =>
  `${ROLLBACK_WORDS[what]}: ${title === '' ? '' : `${safeText(title, 'outside')} `}(${shortId(id)})`;

export const versionLine = (version: AuditVersion, say: NoteTexts): string => {
  const { commit, at, kind, state, hash, bySignal, actor } = version;
  // Forgetting erases the versions before it too, each with the commit that wrote it.
  const isErasedSince = state === 'forgotten' && kind !== 'forget' && kind !== undefined;
  const what = state === 'live' || isErasedSince ? (kind ?? 'write') : state;
  const who = `${actor === undefined ? '' : say.by(makeVisible(actor))}${say.saidBy(makeVisible(bySignal))}`;
  const when = at === undefined ? undefined : isoMinute(at);
  const line = say.version(version.version, commit, when, say.state(what), who);
  return `${line}${isErasedSince ? say.forgottenSince : ''}  ${hash.slice(0, 16)}`;
};

/** The lines for which there is room, and the number of the others. */
export const fitLines = (
  lines: readonly string[],
  charsMax: number,
  linesMax: number,
  say: NoteTexts,
): readonly string[] => {
  const shown: string[] = [];
  let room = charsMax;
  for (const line of lines) {
    if (shown.length >= linesMax || line.length + 1 > room) break;
    shown.push(line);
    room -= line.length + 1;
  }
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, say.more(left)] : shown;
};
