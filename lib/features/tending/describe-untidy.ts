/**
 * The Gardener's report: one text with numbered lines, each with what to do about it. Damage comes
 * first. The same memory gives the same text, so that nobody reads it twice: it names days, never
 * how long ago they are. Pure.
 */
import { makeVisible } from '../../core/base/make-visible.ts';
import type { LiveObject } from '../../core/memory/object.ts';
import { titleOf } from '../../core/memory/rollback.ts';
import { defang } from '../../core/text/tappable.ts';
import type { Damaged } from './find-damage.ts';
import type { Untidy } from './find-untidy.ts';

/** Lines of each kind; the rest is counted. */
const LINES_OF_A_KIND_MAX = 5;
/** A title in a line. */
const TITLE_CHARS_MAX = 60;

export interface Report {
  readonly text: string;
  /** Objects whose words it shows. */
  readonly shown: readonly LiveObject[];
  /** Findings by kind. */
  readonly counts: Readonly<Record<string, number>>;
}

interface Line {
  readonly words: string;
  readonly shown: readonly LiveObject[];
}

interface UntidyKind {
  readonly name: string;
  readonly head: string;
  readonly lines: readonly Line[];
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const nameOf = (object: LiveObject): string => {
  const title = titleOf(object);
  const cut = title.length > TITLE_CHARS_MAX ? `${title.slice(0, TITLE_CHARS_MAX).toWellFormed()}…` : title;
  const words = cut === '' ? 'Untitled' : makeVisible(object.origin === 'outside' ? defang(cut) : cut);
  return `${words} (${object.id.slice(0, 8)})`;
};

const lineOf = (object: LiveObject, rest = ''): Line => ({ words: `${nameOf(object)}${rest}`, shown: [object] });

const kindsOf = (damaged: readonly Damaged[], untidy: Untidy): readonly UntidyKind[] => [
  {
    name: 'damaged',
    head: 'Damaged: restore a backup, or ask /audit verify',
    lines: damaged.map(({ id, why }) => ({ words: `${id.slice(0, 8)}: ${why}`, shown: [] })),
  },
  {
    name: 'links',
    head: 'Links that lead nowhere',
    lines: untidy.brokenLinks.map(({ object, target }) => lineOf(object, ` → ${makeVisible(defang(target))}`)),
  },
  {
    name: 'duplicates',
    head: 'Notes that say the same',
    lines: untidy.duplicates.map((group) => ({ words: group.map(nameOf).join(' = '), shown: group })),
  },
  {
    name: 'near-duplicates',
    head: 'Notes that say nearly the same',
    lines: untidy.nearDuplicates.map(({ a, b }) => ({ words: `${nameOf(a)} ≈ ${nameOf(b)}`, shown: [a, b] })),
  },
  {
    name: 'tasks',
    head: 'Tasks that nobody touched for a month',
    lines: untidy.staleTasks.map((one) => lineOf(one, `, ${one.attributes.todo} since ${dayOf(one.updatedAt)}`)),
  },
  {
    name: 'projects',
    head: 'Projects without movement for three weeks',
    lines: untidy.stillProjects.map((one) => lineOf(one)),
  },
  {
    name: 'orphans',
    head: 'Notes whose upper note was forgotten',
    lines: untidy.orphans.map((one) => lineOf(one)),
  },
  {
    name: 'alone',
    head: 'Notes that stand alone, without a tag or a link',
    lines: untidy.alone.map((one) => lineOf(one)),
  },
];

/** @param hints further sentences at the end, such as what was not looked at */
export const describeUntidy = (damaged: readonly Damaged[], untidy: Untidy, hints: readonly string[] = []): Report => {
  const kinds = kindsOf(damaged, untidy).filter(({ lines }) => lines.length > 0);
  const shown: LiveObject[] = [];
  let number = 0;
  const texts = kinds.flatMap(({ head, lines }) => {
    const some = lines.slice(0, LINES_OF_A_KIND_MAX);
    shown.push(...some.flatMap((line) => line.shown));
    const left = lines.length - some.length;
    const numbered = some.map(({ words }) => {
      number += 1;
      return `${number}. ${words}`;
    });
    return ['', `${head} (${lines.length}):`, ...numbered, ...(left > 0 ? [`… ${left} more`] : [])];
  });
  const text =
    kinds.length === 0
      ? ''
      : ['Memory could be tidier. Answer this message with what to do, such as: close 3.', ...texts, ...hints].join(
          '\n',
        );
  return {
    text,
    shown: [...new Map(shown.map((object) => [object.id, object])).values()],
    counts: Object.fromEntries(kinds.map(({ name, lines }) => [name, lines.length])),
  };
};
