/** The part of skills in a tick: handlers that listen to one which found work. */
import type { FeatureHooks } from '../../core/operations/hooks.ts';
import { tellTick } from './tell-tick.ts';

export const skillTick: FeatureHooks = { onWork: tellTick };
