/** Tells skills' handlers of a heartbeat that found work: no message, no model (I12). */

import { acceptSignal } from '../../core/ledger/accept.ts';
import type { WorkHook } from '../../core/operations/hooks.ts';
import { homeRoute } from '../../core/signal/channels.ts';
import { SIGNAL_SCHEMA_VERSION, type Signal } from '../../core/signal/signal.ts';
import { findListeners } from './find-listeners.ts';

/** A tick that is delivered twice tells only once. */
export const tellTick: WorkHook = async ({ table, publishPerceive, space, homeChat = '', now }, tick, report) => {
  const listeners = await findListeners({ table, space }, ['tick'], now);
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
