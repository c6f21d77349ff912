/** The code of `after.ts`, loaded when a call of an MCP server failed. */
import { mcpTargetOf } from '../../core/signal/mcp-name.ts';
import type { EffectNotice } from '../../core/stages/act/after.ts';
import { changeLogin } from './login-record.ts';
import { consentNotices } from './texts.ts';

/** The row says whose turn tells it: a repeat of that one tells the same, and no other one. */
export const endedNotice: EffectNotice['build'] = async ({ table }, { record: { signal } }, { effect, action }) => {
  const server = mcpTargetOf(action.tool)?.slice('mcp-'.length) ?? '';
  const login = await changeLogin(table, signal.space, server, (one) =>
    one?.state === 'ended' && one.told === undefined ? { ...one, told: signal.id } : undefined,
  );
  if (login?.state !== 'ended' || login.told !== signal.id) return undefined;
  return { suffix: `login-${effect.n}`, notice: consentNotices.loginEnded(server) };
};
