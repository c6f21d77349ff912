/**
 * Configured outgoing webhooks in the one form in which they are compared: names as `normaliseName` gives them, addresses as
 * the URL standard writes them. What is not a URL stays as it is, for the network gate to block by name.
 */
import { normaliseName } from '../signal/action.ts';

export const canonicalUrl = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

export const canonicalWebhooks = <T, U>(
  configured: Readonly<Record<string, T>>,
  map: (value: T) => U,
): Readonly<Record<string, U>> =>
  Object.fromEntries(Object.entries(configured).map(([name, value]) => [normaliseName(name), map(value)]));
