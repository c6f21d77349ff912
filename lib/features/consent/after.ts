/** Tells once whoever asked that a login has ended, if a call failed for it. */
import { isMcpTool } from '../../core/signal/mcp-name.ts';
import type { EffectNotice } from '../../core/stages/act/after.ts';

/** @param loadLate loads all late code of Act */
export const loginEnded = (loadLate: () => Promise<typeof import('./late-after.ts')>): EffectNotice => ({
  name: 'login ended',
  takes: (_, { effect, action }) => effect.state === 'failed' && isMcpTool(action.tool),
  build: async (...acted) => (await loadLate()).endedNotice(...acted),
});
