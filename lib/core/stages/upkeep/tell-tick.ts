/** Tells skills' handlers of a heartbeat that found work: no message, no model (I12). */

import { acceptSignal } from '../../ledger/accept.ts';
import { homeRoute } from '../../signal/channels.ts';
import type { PerceiveMessage } from '../../signal/messages.ts';
import { SIGNAL_SCHEMA_VERSION, type Signal } from '../../signal/signal.ts';
import type { FindListeners } from '../../skills/listener.ts';
import type { Publish } from '../../store/queue.ts';
import type { Table } from '../../store/table.ts';

export interface TellTickDeps {
  readonly table: Pick<Table, 'put'>;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly findListeners: FindListeners;
  readonly space: string;
  /** Telegram chat that gets texts nobody asked for. */
  readonly homeChat?: string | undefined;
  readonly now: number;
}

/** Counts of the work that a tick found. */
export type TickReport = Readonly<Record<string, number>>;

/** @param tick names the tick: one that is delivered twice tells only once */
export const tellTick = async (deps: TellTickDeps, tick: string, report: TickReport): Promise<void> => {
  if (Object.values(report).every((count) => count === 0)) return;
  const { table, publishPerceive, space, homeChat = '', now } = deps;
  const listeners = await deps.findListeners(['tick']);
  for (const [n, { skill, handler, on }] of listeners.entries()) {
    const id = `tick-${tick.replace(/[^A-Za-z0-9_.:-]/g, '')}.${n}`;
    const signal: Signal = {
      schemaVersion: SIGNAL_SCHEMA_VERSION,
      id,
      type: 'EVENT',
      source: 'system',
      space,
      session: 'system:skills',
      root: id,
      depth: 0,
      receivedAt: now,
      sender: { id: 'system', isApprover: false },
      reply: homeRoute(homeChat) ?? { target: 'system', to: '' },
      payload: { sensor: 'skill-event', skill, handler, on, report: { at: now, ...report } },
    };
    await acceptSignal({ table, publish: publishPerceive }, signal);
  }
};
