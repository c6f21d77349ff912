/** The settings that name what features' tools ask. `tools/services.ts` alone imports this list. */
import type { ServiceEnv } from '../core/tools/tool.ts';
import { WEB_SERVICES } from './web/services.ts';

export const FEATURE_SERVICES: Readonly<Record<string, keyof ServiceEnv>> = { ...WEB_SERVICES };
