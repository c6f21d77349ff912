/**
 * The names that services give to their events, and the kinds that a person decides on: an alert
 * that fires and its end are one kind. A job names several events with commas. Pure.
 */

const WORD = /^[\w.:/-]{0,63}[\w./-]$/;
const NAMEABLE = /^(?!\s)[^\p{C}\p{Zl}\p{Zp},]{1,64}(?<!\s)$/u;
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
