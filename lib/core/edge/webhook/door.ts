/**
 * The door of the webhooks: the first look at a post, by its head alone. A post that carries no
 * proof in the form of any scheme is refused without its body, and so the same for every name.
 * Posts that prove nothing are counted for a minute: those over the bound are not noted or logged.
 */
import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../../base/limits.ts';
import type { Head, Source } from './scheme.ts';
import { SCHEMES } from './sources.ts';

/** A service that is being set up tries some times a minute; a loop does so in a second. */
export const UNPROVEN_A_MINUTE_MAX = 30;

/** The second part is a token, for senders that can send a secret nowhere else. */
const PATH = /^\/webhook\/([^/]+)(?:\/([^/]+))?$/;

export interface HookPath {
  readonly name: string;
  readonly pathToken: string | undefined;
}

export const readHookPath = (path: string): HookPath | undefined => {
  const [, name, pathToken] = PATH.exec(path) ?? [];
  return name === undefined ? undefined : { name, pathToken };
};

/** Headers that the owner chose stand in the entries. */
const SHAPES: readonly Pick<Source, 'scheme' | 'options'>[] = Object.keys(SCHEMES).map((scheme) => ({
  scheme,
  options: {},
}));

/** Tells nothing of a name: a proof in the form of any source opens the door of all. */
export const carriesProof = (head: Head, sources: ReadonlyMap<string, Source>): boolean =>
  [...SHAPES, ...sources.values()].some((source) => SCHEMES[source.scheme]?.carries(head, source) === true);

/** Counts a call of this name. @returns when the minute ends, if it is one too many */
export type CountUnproven = (name: string, now: number) => number | undefined;

/** A sender may invent names: each has one of 256 counters, by the first byte of its hash. */
export const buildCountUnproven = (aMinuteMax = UNPROVEN_A_MINUTE_MAX): CountUnproven => {
  const counts = new Map<number, number>();
  let minute = 0;
  return (name, now) => {
    const current = Math.floor(now / MINUTE_MS);
    if (current !== minute) counts.clear();
    minute = current;
    const counter = createHash('sha256').update(name).digest().readUInt8();
    const count = (counts.get(counter) ?? 0) + 1;
    counts.set(counter, count);
    return count > aMinuteMax ? (minute + 1) * MINUTE_MS : undefined;
  };
};
