/**
 * The names that services give to their events, and the kinds that a person decides on: an alert
 * that fires and its end are one kind. A job names several events with commas. Pure.
 */

/** Kinds in the heading of a digest, and characters of one: it is one line on a phone. */
const KINDS_SHOWN_MAX = 4;
const KIND_CHARS_MAX = 24;

const WORD = /^[\w.:/-]{0,63}[\w./-]$/;
const NAMEABLE = /^(?!\s)[^\p{C}\p{Zl}\p{Zp},]{1,64}(?<!\s)$/u;
const PLAIN = /^[a-z]+(?:[ _-][a-z]+){0,3}$/i;
const UNCOUNTED = /(?:s|\w{3}ed|\w{3}ing)$/;
const HISSING = /(?:x|z|ch|sh)$/;
const PING = /(?:^|[.:])ping$/i;
const [FIRING, RESOLVED] = ['firing', 'resolved'];

/** Needs no quotes in a sentence. */
export const isEventWord = (event: string): boolean => WORD.test(event);

/** Whether a job can wait for this event alone: no long name, no comma, no hidden characters. */
export const isNameable = (event: string): boolean => NAMEABLE.test(event);

/** The service only says that it is connected. */
export const isPing = (event: string): boolean => PING.test(event);

export const kindOf = (event: string): string => (event === RESOLVED ? FIRING : event);

/** The events of a kind, as a job names them. */
export const eventsOf = (kind: string): string => (kind === FIRING ? `${FIRING},${RESOLVED}` : kind);

/** @param named by the job; any event if absent */
export const isNamedEvent = (named: string | undefined, event: string): boolean =>
  named === undefined || named === event || named.split(',').includes(event);

const counted = (noun: string, count: number): string => {
  if (count === 1 || UNCOUNTED.test(noun)) return `${count} ${noun}`;
  if (/[^aeiou]y$/.test(noun)) return `${count} ${noun.slice(0, -1)}ies`;
  return `${count} ${noun}${HISSING.test(noun) ? 'es' : 's'}`;
};

/** Of the kinds in a digest. */
export const KIND_WORDS = {
  /** Tells of no event. */
  text: 'text',
  other: 'other',
  counted,
  more: (count: number): string => `${count} more`,
};

const nounOf = (say: typeof KIND_WORDS, event: string | undefined): string => {
  if (event === undefined) return say.text;
  const [first = ''] = event.split(/[.:/]/);
  return PLAIN.test(first) && first.length <= KIND_CHARS_MAX ? first.replaceAll(/[_-]/g, ' ').toLowerCase() : say.other;
};

/**
 * `6 pushes, 3 pull requests`, the most frequent first. A name that is no plain words is not shown.
 * @param events undefined for what tells of none
 */
export const countKinds = (say: typeof KIND_WORDS, events: readonly (string | undefined)[]): string => {
  const counts = new Map<string, number>();
  for (const noun of events.map((event) => nounOf(say, event))) counts.set(noun, (counts.get(noun) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const rest = sorted.slice(KINDS_SHOWN_MAX).reduce((sum, [, count]) => sum + count, 0);
  const shown = sorted.slice(0, KINDS_SHOWN_MAX).map(([noun, count]) => say.counted(noun, count));
  return [...shown, ...(rest === 0 ? [] : [say.more(rest)])].join(', ');
};
