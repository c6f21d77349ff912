/**
 * Text that is marked private stays in the space. Tools never show the model a private note; this
 * gate judges texts that carry the mark themselves.
 * - stops: webhooks, URLs to open, words for a service, and texts to others than the asker, if a
 *   text in them carries a private tag or their `tags` name one
 * - lets through: replies to the asker; tools that work inside the space; talk about personal
 *   things; addresses such as `me@personal.example`
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
  const { opensUrl, asksService } = effectsOf(action, facts);
  return action.target === 'tool' && opensUrl === undefined && asksService === undefined;
};

/** Values of `tags` and `tag` among the arguments, at any depth. */
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
