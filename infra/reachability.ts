/** Words about another side that takes a key, or does not, and the setting that mends it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProviderFault } from '../lib/core/base/errors.ts';
import { SECOND_MS } from '../lib/core/base/limits.ts';
import type { Variables } from '../lib/core/store/settings.ts';
import type { ShownOffer } from './inspection.ts';

/**
 * A person waits for all at once, at each start. On a busy machine the start keeps this process
 * from reading an answer for some seconds, and what is there must not be called away.
 */
export const LOOK_TIMEOUT_MS = 8 * SECOND_MS;

/** Characters of a provider's own words about a refusal. */
const REFUSAL_CHARS_MAX = 160;

export interface Reachability {
  readonly isReachable: boolean;
  /** A short phrase: `reachable`, or why the provider is not usable. */
  readonly detail: string;
  readonly fault?: ProviderFault;
  readonly isRefused?: true;
  readonly isAway?: true;
  /** Its list lacks the model. It may answer all the same. */
  readonly isUnlisted?: true;
  readonly isNearLimit?: true;
  /** The models that it lists. */
  readonly offers?: ShownOffer[];
  /** Seconds that this machine's clock is ahead of the provider's, if they are many. */
  readonly clockAheadS?: number;
}

/** Some providers repeat the key, or its ends. */
const KEY_LIKE = /[\w*-]{16,}|\S*\*{3}\S*/g;

/** Another side's own words, as far as a line has room, without anything that looks like a key. */
export const quotedWords = (message: string, key: string): string => {
  const open = key === '' ? message : message.replaceAll(key, '…');
  const words = open.replace(KEY_LIKE, '…').replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return words === '' ? '' : ` (“${words.slice(0, REFUSAL_CHARS_MAX)}”)`;
};

/**
 * The file or place that the value of a setting stands in. Empty where it was just typed, and no
 * advice is due.
 */
export type SettingPlace = (setting: string) => string;

/** @param folder the one that was started in */
export const placeIn =
  (folder: string, environment: Variables): SettingPlace =>
  (setting) => {
    if (environment[setting]) return `${setting} in the environment`;
    const file = join(folder, '.env');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    const line = lines.findLastIndex((text) => /^\s*(?:export\s+)?(\w+)\s*=/.exec(text)?.[1] === setting) + 1;
    return line === 0 ? setting : `${setting} in line ${line} of .env`;
  };

export const withRemedy = (answer: Reachability, place: string): Reachability =>
  answer.isRefused === true && place !== ''
    ? { ...answer, detail: `${answer.detail}: change ${place} and start again` }
    : answer;
