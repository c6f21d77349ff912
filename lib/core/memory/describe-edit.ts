/**
 * The difference a change makes to a note, in plain lines for a card or an answer: each field as it
 * was and as it becomes, and the lines of the text that go and come. Everything new is shown whole,
 * because a person decides on it. The caller makes each line fit to be shown. Pure.
 */
import { canonicalJson } from '../base/canonical.ts';
import { MEMORY_ID_SHOWN_CHARS } from '../base/limits.ts';
import type { LiveObject } from './object.ts';
import { NO_PARENT, type NoteChange } from './plan-edit.ts';
import { titleOf } from './rollback.ts';

/** Lines of the old text that are shown. */
const OLD_LINES_MAX = 12;

const shown = (value: string | undefined): string => (value === undefined || value === '' ? '(none)' : value);

const fieldLine = (name: string, before: string | undefined, after: string | undefined): readonly string[] =>
  after === undefined || (before ?? '') === after ? [] : [`${name}: ${shown(before)} → ${shown(after)}`];

/** The lines between those that both texts begin and end with. */
const textLines = (before: string, after: string): readonly string[] => {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let first = 0;
  while (first < shorter && old[first] === now[first]) first += 1;
  let last = 0;
  while (last < shorter - first && old.at(-1 - last) === now.at(-1 - last)) last += 1;
  const gone = old.slice(first, old.length - last).map((line) => `- ${line}`);
  const come = now.slice(first, now.length - last).map((line) => `+ ${line}`);
  const left = gone.length - OLD_LINES_MAX;
  return ['text:', ...gone.slice(0, OLD_LINES_MAX), ...(left > 0 ? [`- … ${left} more lines`] : []), ...come];
};

const tagsLine = (tags: readonly string[]): string => [...new Set(tags)].map((tag) => `#${tag}`).join(' ');

/** @param parent the new parent, if it is known */
export const describeEdit = (
  object: LiveObject,
  change: NoteChange,
  parent: LiveObject | undefined,
): readonly string[] => {
  const { title, tags, todo, properties = {} } = object.attributes;
  const below = change.parent === NO_PARENT ? 'nothing, it stands alone' : parent && titleOf(parent);
  return [
    ...fieldLine('title', title, change.title),
    ...fieldLine('state', todo, change.state),
    ...(change.tags === undefined ? [] : fieldLine('tags', tagsLine(tags), tagsLine(change.tags))),
    ...Object.entries(change.properties ?? {}).flatMap(([name, value]) => {
      const before = properties[name];
      return fieldLine(name, typeof before === 'string' ? before : before && canonicalJson(before), value);
    }),
    ...fieldLine('scope', object.scope, change.scope),
    ...(change.parent === undefined ? [] : [`now below: ${below ?? change.parent}`]),
    ...(change.order === undefined ? [] : [`now in place ${change.order} among its siblings`]),
    ...(change.text === undefined || change.text === object.content ? [] : textLines(object.content, change.text)),
  ];
};

/** The note that is changed, in one line. */
export const editedNoteLine = (object: LiveObject): string =>
  `${object.id.slice(0, MEMORY_ID_SHOWN_CHARS)}  ${titleOf(object) || 'Untitled'}`;
