/** Services whose calls are known, by name. The forms of settings alone import this list. */
import type { Calling } from '../core/store/calling.ts';
import { WEBHOOK_PRESETS } from './webhooks/presets.ts';

export const PRESETS: Readonly<Record<string, Calling>> = { ...WEBHOOK_PRESETS };
