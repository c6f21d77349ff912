/**
 * Words for a collector whose owner wants them there: of a text that holds a secret or is marked
 * private none, of any other no more than a bound. Pure.
 */
import { KIB } from '../../core/base/limits.ts';
import { leaveOutOfText } from '../../core/judge/leave-out.ts';
import { isPrivateText } from '../../core/text/privacy.ts';
import type { Say } from './build-spans.ts';

/** Of one text: a trace is for looking at, and collectors cut longer attributes themselves. */
const TEXT_CHARS_MAX = 8 * KIB;

/** @param secrets those that the function holds, and the prints of all others */
export const buildSay =
  (secrets: ReadonlyMap<string, string>, privateTags: readonly string[]): Say =>
  (text) => {
    if (isPrivateText(text, privateTags)) return '[private]';
    // Before it is cut: a secret may lie across the cut.
    return leaveOutOfText(text, secrets).slice(0, TEXT_CHARS_MAX).toWellFormed();
  };
