/** Tells once that a channel takes messages again, after an outage in which a text waited. */
import { CHANNEL_BACK, notices } from '../../../judge/notices.ts';
import { findChannel, homeRoute } from '../../../signal/channels.ts';
import type { Signal } from '../../../signal/signal.ts';
import { absent, anyOf, below, type Condition, equals } from '../../../store/condition.ts';
import type { Table } from '../../../store/table.ts';
import { updateIf } from '../../../store/update-if.ts';
import type { EffectNotice } from '../after.ts';

/** A shorter wait is no news. */
const OUTAGE_TOLD_MS_MIN = 10_000;

/** Nobody was told since the text began to wait, or this very signal told it. */
const isFirstToTell = async (
  table: Pick<Table, 'update'>,
  signal: Signal,
  channel: string,
  since: number,
  now: number,
) => {
  const isUntold: Condition = {
    name: 'nobody was told that the channel is back',
    holds: anyOf(absent('at'), below('at', since), equals('by', signal.id)),
  };
  const key = { pk: `session#${signal.space}#${channel}`, sk: 'back' };
  return updateIf(table, key, { set: { schemaVersion: 1, at: now, by: signal.id } }, isUntold);
};

const isReturnNotice = ({ payload }: Signal): boolean =>
  payload.sensor === 'notice' && payload.template === CHANNEL_BACK;

export const returnNotice: EffectNotice['build'] = async (
  deps,
  { record: { signal } },
  { effect, action: { target } },
) => {
  const { n, waitingSince: since, settledAt: until = deps.now() } = effect;
  // The news may have waited too: it would give rise to news of its own, without end.
  if (isReturnNotice(signal)) return undefined;
  if (since === undefined || until - since < OUTAGE_TOLD_MS_MIN) return undefined;
  if (!(await isFirstToTell(deps.table, signal, target, since, until))) return undefined;
  const notice = notices.channelBack(
    findChannel(target)?.name ?? target,
    since,
    until,
    homeRoute(deps.homeChat) ?? signal.reply,
  );
  return { suffix: `back-${n}`, notice };
};
