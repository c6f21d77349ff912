/**
 * Events that earlier releases held back until the end of the hour, for a job with the input
 * `hourly`. One signal that is due then stands for them, and its run gets their lines. Nothing is
 * held back any more: what a job says too often goes into a digest (`lib/core/ledger/digests.ts`).
 */
import * as z from 'zod/mini';
import { SWEEP_BACKOFF_MS } from '../../core/base/limits.ts';
import { parseRecord } from '../../core/ledger/ledger.ts';
import { buildRecordItem } from '../../core/ledger/record.ts';
import type { EventDeps } from '../../core/operations/hooks.ts';
import type { Signal, TextPiece } from '../../core/signal/signal.ts';
import { type Key, signalKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { putOnce } from '../../core/store/put-once.ts';
import { countWords } from '../../core/text/quoted.ts';

/** Of a digest, and characters of each line: one message of a chat has room for them. */
const DIGEST_LINES_MAX = 20;
const DIGEST_LINE_CHARS_MAX = 150;

/** Events of a job in an hour. It needs no day of its own: the next hour has another item. */
const hourKey = (space: string, job: string, hour: number): Key => ({
  pk: `quota#${space}#digest#${job}`,
  sk: String(hour),
});

const DIGEST = /^digest-([a-z0-9-]{1,32})-(\d{1,9})$/;

/** Ids of the hour's events, the first one first. A repeat stands in the list again. */
const Hour = z.object({ ids: z.array(z.string()) });
const idsOf = (item: unknown): readonly string[] => [...new Set(Hour.safeParse(item).data?.ids)];

/** The job that a digest is for; undefined for an event. */
export const digestJob = ({ id }: Pick<Signal, 'id'>): string | undefined => DIGEST.exec(id)?.[1];

const lineOf = (text: string): string =>
  text.length <= DIGEST_LINE_CHARS_MAX ? text : `${text.slice(0, DIGEST_LINE_CHARS_MAX).toWellFormed()}…`;

/** @returns the signal with the lines of all events that waited; undefined if it is no digest */
export const gatherDigest = async (
  { table, now }: EventDeps,
  signal: Signal,
  most: number,
): Promise<{ readonly id: string; readonly text: TextPiece[] } | undefined> => {
  const [, job = '', hour = ''] = DIGEST.exec(signal.id) ?? [];
  const { space, payload } = signal;
  if (job === '' || payload.sensor !== 'webhook') return undefined;
  const waiting = idsOf(await loadItem(table, hourKey(space, job, Number(hour)))).slice(most);
  const shown = waiting.slice(0, DIGEST_LINES_MAX);
  const items = await table.load(shown.map((id) => signalKeys.record(space, id)));
  const lines = shown.flatMap((id, n) => {
    const item = items[n];
    const event = item === undefined ? undefined : parseRecord(id, item).signal.payload;
    return event?.sensor === 'webhook' ? [`– ${lineOf(event.text.map(({ text }) => text).join(' '))}`] : [];
  });
  const more = waiting.length - shown.length;
  const head = `${countWords(waiting.length, 'further event')} of ${payload.source} within that hour:`;
  const text: TextPiece[] = [
    {
      text: [head, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
      origin: 'outside',
      label: 'webhook body',
    },
  ];
  const id = `${signal.id}:lines`;
  const told: Signal = { ...signal, id, root: id, payload: { ...payload, text } };
  const record = buildRecordItem(told, 'dropped', now() + SWEEP_BACKOFF_MS[0]);
  const stateReason = `its lines go to the job ${job}`;
  await putOnce(table, signalKeys.record(space, id), {
    ...record,
    stateReason,
    because: { code: 'lines' },
    awaitsLog: true,
    ends: 1,
  });
  return { id, text };
};
