/** Slack's ids as the core stores them. Pure. */
import * as z from 'zod/mini';
import type { ReplyRoute } from '../../core/signal/signal.ts';

/** Of a workspace, person, channel or file. */
export const SlackId = z.string().check(z.regex(/^[A-Z][A-Z0-9]{1,13}$/));
/** Seconds and microseconds: names a message in its conversation, and the thread below it. */
export const SlackTs = z.string().check(z.regex(/^\d{1,10}\.\d{6}$/));

/** The same as a whole number, which is exact until the year 2255. */
export const numberOf = (ts: string): number => Number(ts.replace('.', ''));
export const tsOf = (message: number): string => {
  const digits = String(message).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

/** @param id of a person or channel */
export const placeIn = (team: string, id: string): string => `${team}-${id}`;
/** The person or channel of a place. */
export const idIn = (to = ''): string => to.slice(to.indexOf('-') + 1);
export const teamIn = (to: string): string => to.slice(0, to.indexOf('-'));

export type Place = Pick<ReplyRoute, 'to' | 'topic'>;
