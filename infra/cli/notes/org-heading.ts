/**
 * The words of an Org heading, both ways: `TODO [#A] title :tag:other:`. Which words are states is
 * the file's to say (`#+TODO:`), beside those in wide use. Pure; rendering what was parsed gives
 * what parses the same.
 */
import { defined } from '../../../lib/base/defined.ts';
import { TodoState } from './note.ts';
import { oneLine } from './text-lines.ts';

export interface OrgHeading {
  readonly title: string;
  readonly tags: readonly string[];
  readonly todo?: string | undefined;
  readonly priority?: string | undefined;
}

/** Org's own two, and those most files agree on without saying so. */
export const ORG_STATES: ReadonlySet<string> = new Set([
  'TODO',
  'DONE',
  'NEXT',
  'WAITING',
  'STARTED',
  'HOLD',
  'CANCELLED',
  'CANCELED',
]);

const TAG = /^[\p{L}\p{N}_@#%]{1,64}$/u;
export const isOrgTag = (tag: string): boolean => TAG.test(tag);
export const isOrgPriority = (text: string): boolean => /^[A-Za-z0-9]$/.test(text);

/** States that `#+TODO: A(a) B | C` names. */
export const statesOf = (value: string): readonly string[] =>
  value
    .split(/\s+/)
    .map((word) => word.replace(/\(.*$/, ''))
    .filter((word) => TodoState.safeParse(word).success);

/** `:a:b:` as tags; undefined when it is anything else. */
export const tagGroupOf = (word: string): readonly string[] | undefined => {
  if (word.length < 3 || !word.startsWith(':') || !word.endsWith(':')) return undefined;
  const tags = word
    .slice(1, -1)
    .split(':')
    .filter((tag) => tag !== '');
  return tags.length > 0 && tags.every(isOrgTag) ? tags : undefined;
};

/** The first word where it stands alone, and what follows. */
const splitFirst = (text: string): readonly [string, string] => {
  const at = text.search(/[ \t]/);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at).trim()];
};

/** @param raw the heading without its stars */
export const parseOrgHeading = (raw: string, states: ReadonlySet<string>): OrgHeading => {
  let rest = oneLine(raw);
  const last = Math.max(rest.lastIndexOf(' '), rest.lastIndexOf('\t'));
  const tags = tagGroupOf(rest.slice(last + 1));
  if (tags !== undefined) rest = rest.slice(0, Math.max(0, last)).trim();
  const [first, after] = splitFirst(rest);
  const todo = states.has(first) ? first : undefined;
  if (todo !== undefined) rest = after;
  const [, priority] = /^\[#([A-Za-z0-9])\](?=[ \t]|$)/.exec(rest) ?? [];
  return {
    title: priority === undefined ? rest : rest.slice(4).trim(),
    tags: tags ?? [],
    ...defined({ todo, priority }),
  };
};

/** The heading without its stars. */
export const renderOrgHeading = ({ title, tags, todo, priority }: OrgHeading): string =>
  [todo ?? '', priority === undefined ? '' : `[#${priority}]`, title, tags.length === 0 ? '' : `:${tags.join(':')}:`]
    .filter((word) => word !== '')
    .join(' ');
