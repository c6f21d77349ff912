/** The mute hours of a chat. */

import { clockAt } from '../../../base/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../../base/limits.ts';
import { chatSettingOf } from '../../../ledger/owner-settings.ts';
import type { Action } from '../../../signal/action.ts';
import { chatOf } from '../../../signal/channels.ts';
import type { ActDeps, ActTurn } from '../act-context.ts';

/** The sweep, which sends what was kept back, runs each minute. */
const QUEUE_BEHIND_MS = 2 * MINUTE_MS;

/** @returns when the hours end, also for texts that queue behind; undefined if it may be sent */
export const mutedUntil = (hours: string, zone: string, now: number): number | undefined => {
  const [from = Number.NaN, to = Number.NaN] = hours.split('-').map((time) => Date.parse(`1970-01-01T${time}Z`));
  const sinceStart = (clockAt(now, zone) - from) % DAY_MS;
  const length = (to - from + DAY_MS) % DAY_MS;
  if (!(sinceStart < length + QUEUE_BEHIND_MS)) return undefined;
  return now - (now % MINUTE_MS) + length - sinceStart;
};

/** When a text would be kept back for its chat; undefined if the chat is not muted. */
export const mutedFor = ({ zone = 'UTC' }: Pick<ActDeps, 'zone'>, { settings }: ActTurn, to: Action, now: number) =>
  mutedUntil(chatSettingOf(settings, 'mute', chatOf(to)), zone, now);
