/**
 * Sends the newest checkpoint to a chat that the owner named, so that a copy stands outside the
 * table: a notice with a decision, performed like any other (I1). At most one an hour, and none for
 * the leaves that sending the last one made. A repeat after a crash sends nothing twice.
 */

import * as z from 'zod/mini';
import { HOUR_MS, SWEEP_BACKOFF_MS } from '../../base/limits.ts';
import type { GateSet } from '../../gates/engine/verify.ts';
import { notices } from '../../judge/notices.ts';
import { buildNoticeDecision } from '../../judge/notify.ts';
import { perceiveMessage } from '../../ledger/accept.ts';
import { saveDecidedSignal } from '../../ledger/ledger.ts';
import { ownerSettingsKey, readOwnerSettings } from '../../ledger/owner-settings.ts';
import { buildRecordItem } from '../../ledger/record.ts';
import { loadCheckpoint } from '../../log/read-log.ts';
import { LogHead } from '../../log/stored.ts';
import { chatRoute } from '../../signal/channels.ts';
import type { PerceiveMessage } from '../../signal/messages.ts';
import { SIGNAL_SCHEMA_VERSION, type Signal } from '../../signal/signal.ts';
import { logKeys, settingKey } from '../../store/keys.ts';
import { loadNamed } from '../../store/load-named.ts';
import { parseStored } from '../../store/parse-stored.ts';
import type { Publish } from '../../store/queue.ts';
import type { Table } from '../../store/table.ts';

/** Shortest time between two checkpoints sent to ANCHOR_CHAT. */
export const ANCHOR_CHAT_INTERVAL_MS = HOUR_MS;
/** Leaves that sending one makes: a decision and an effect, both again when they change. */
export const ANCHOR_CHAT_OWN_LEAVES_MAX = 4;

export interface SendAnchorDeps {
  readonly table: Pick<Table, 'load' | 'put' | 'query'>;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly gateSet: GateSet;
  readonly space: string;
  /** Telegram chat id. */
  readonly chat: string;
  readonly now: number;
}

/** The checkpoint that was sent last. */
const Sent = z.object({ schemaVersion: z.literal(1), size: z.int(), at: z.int() });

const sentKey = (space: string) => settingKey(space, 'anchor-chat');

const buildAnchorSignal = ({ space, chat, now }: SendAnchorDeps, size: number, template: string): Signal => ({
  schemaVersion: SIGNAL_SCHEMA_VERSION,
  id: `anchor-${size}`,
  type: 'RESPONSE',
  source: 'system',
  space,
  session: 'system:anchor',
  root: `anchor-${size}`,
  depth: 0,
  receivedAt: now,
  sender: { id: 'system', isApprover: false },
  reply: chatRoute(chat),
  payload: { sensor: 'notice', template },
});

/** @returns the size of the checkpoint that is sent, if any */
export const sendAnchor = async (deps: SendAnchorDeps): Promise<number | undefined> => {
  const { table, space, now } = deps;
  const keys = { head: logKeys.head(space), sent: sentKey(space), owner: ownerSettingsKey(space) };
  const items = await loadNamed(table, keys);
  const size = items.head === undefined ? 0 : parseStored(items.head, LogHead).checkpointSize;
  const sent = items.sent === undefined ? undefined : parseStored(items.sent, Sent, 'setting anchor-chat');
  const isSoon = sent !== undefined && now - sent.at < ANCHOR_CHAT_INTERVAL_MS;
  if (size === 0 || isSoon || size - (sent?.size ?? -Infinity) <= ANCHOR_CHAT_OWN_LEAVES_MAX) return undefined;
  const note = await loadCheckpoint(table, space, size);
  if (note === undefined) return undefined;
  const notice = notices.anchor(size, note);
  const signal = buildAnchorSignal(deps, size, notice.template);
  const context = { ...deps, settings: readOwnerSettings(items.owner) };
  const decision = await buildNoticeDecision(context, signal, 'act', '', [notice]);
  await saveDecidedSignal(table, signal, buildRecordItem(signal, 'reasoned', now + SWEEP_BACKOFF_MS[0]), decision);
  await table.put(sentKey(space), { schemaVersion: 1, size, at: now });
  await deps.publishPerceive(perceiveMessage(signal), 'notice');
  return size;
};
