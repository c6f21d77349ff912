/**
 * What is marked private stays in the space. Memory objects so tagged are never shown to the model (`lib/tools`); this
 * gate is for texts that carry the mark themselves, however they came in.
 * - stops: webhooks, URLs to open, and texts to others than who asked, in which a text carries a private tag, or whose
 *   `tags` name one
 * - lets through: replies to whoever asked, tools that work inside the space (a private note may be written), texts that
 *   only speak of personal things, e-mail addresses such as `me@personal.example`
 */
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { hasPrivateTag, isPrivateText } from '../../text/privacy.ts';
import { isFixedNotice, isPlainReply, kindName } from './action-kind.ts';
import { stringsOf } from './action-strings.ts';
import { effectsOf } from './tool-effects.ts';

const isStaying = (action: Action, facts: Facts): boolean => {
  if (isPlainReply(action, facts) || isFixedNotice(action) || action.target === 'system') return true;
  return action.target === 'tool' && effectsOf(action, facts).opensUrl === undefined;
};

/** Values of any `tags` or `tag` among the arguments, at any depth (bounded by the action's own). */
const tagsIn = (value: unknown, found: string[] = []): readonly string[] => {
  if (value === null || typeof value !== 'object') return found;
  for (const [key, child] of Object.entries(value)) {
    if (/^tags?$/i.test(key)) found.push(...[child].flat().filter((tag) => typeof tag === 'string'));
    tagsIn(child, found);
  }
  return found;
};

export const checkPrivacy = (action: Action, facts: Facts): Verdict => {
  if (isStaying(action, facts)) return PASS;
  const isTagged =
    hasPrivateTag(tagsIn(action.args), facts.privacyTags) ||
    stringsOf(action).some(({ value }) => isPrivateText(value, facts.privacyTags));
  if (!isTagged) return PASS;
  return { verdict: 'block', reason: `${kindName(action)} would carry out of the space what is marked private` };
};
