/** The check of `doctor` for the MCP server of this stack: whether it answers, and to whom. */
import { parseApiTokens } from '../../../lib/core/edge/console/tokens.ts';
import { DOOR_PATH } from '../../../lib/features/door/tools.ts';
import { type FeatureCheck, MENDS, ok, wrong } from '../../cli/doctor/check.ts';
import { readVariables } from '../../cli/stack.ts';
import { printable } from '../../cli/terminal.ts';

/** Ends a wait for something else that took the address. */
const LOOK_MS = 5_000;

/** A request without a token is refused as unauthorised (401): nothing else answers so there. */
const isAnswering = async (url: URL): Promise<boolean> => {
  try {
    const { status } = await fetch(url, { method: 'POST', redirect: 'error', signal: AbortSignal.timeout(LOOK_MS) });
    return status === 401;
  } catch {
    return false;
  }
};

export const checkDoor: FeatureCheck = async ({ env, folder, text }, access) => {
  const { MCP_DOOR: wanted, API_TOKENS: words } = readVariables(env, folder);
  if (wanted !== 'on' || text('stack') !== undefined) return [];
  const url = new URL(DOOR_PATH, access.url);
  if (!(await isAnswering(url))) return [wrong('programs', `nothing answers at ${printable(url.href)}`, MENDS.door)];
  const { tokens } = parseApiTokens(words, access.approverToken);
  if (tokens.length === 0) return [wrong('programs', 'no token may use /mcp', MENDS.program)];
  const users = tokens.map(({ name, scopes }) => `${name} (${[...scopes].join(', ')})`);
  return [ok('programs', `${printable(url.href)} answers, for the tokens ${users.join(', ')}`)];
};
