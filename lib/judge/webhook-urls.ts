/** Names and addresses of outgoing webhooks, in the one form in which they are compared. */
import { normaliseName } from '../signal/action.ts';

/**
 * Writes an address as the URL standard does. A text that is no URL stays, and the gate blocks it.
 */
export const canonicalUrl = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

/** Gives each configured webhook its canonical name, and maps its value. */
export const canonicalWebhooks = <T, U>(
  configured: Readonly<Record<string, T>>,
  map: (value: T) => U,
): Readonly<Record<string, U>> =>
  Object.fromEntries(Object.entries(configured).map(([name, value]) => [normaliseName(name), map(value)]));
