/** Starts the sender of traces with the settings of its function. */
import { buildLive } from '../../core/ledger/live-settings.ts';
import type { Variables } from '../../core/store/settings.ts';
import { buildSendTraces, type SendDeps, type TraceSettings } from './send-traces.ts';

type Started = Omit<SendDeps, 'settings' | 'now'> & { readonly read: (variables: Variables) => TraceSettings };

export const startTraces = ({ read: build, ...deps }: Started): (() => Promise<void>) =>
  buildSendTraces({ ...deps, settings: buildLive({ table: deps.table, space: deps.space, build }), now: Date.now });
