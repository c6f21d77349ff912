/** The setting of the MCP server. Its meaning is in `infra/setting-meanings.ts`. */
import { oneOf } from '../../core/store/setting-forms.ts';
import type { Setting } from '../../core/store/settings.ts';

export const MCP_DOOR_SETTINGS = {
  MCP_DOOR: { schema: oneOf('on', 'off'), default: 'off', functions: ['mcp'] },
} as const satisfies Readonly<Record<string, Setting>>;
