/** The check of `doctor` for programs that speak with the agent as with a model. */
import { parseApiTokens } from '../../../lib/core/edge/console/tokens.ts';
import { MODEL } from '../../../lib/features/responses/request.ts';
import { type FeatureCheck, MENDS, ok, wrong } from '../../cli/doctor/check.ts';
import { readVariables } from '../../cli/stack.ts';

/** Of this machine's stack: a deployed one keeps its tokens to itself. */
export const checkPrograms: FeatureCheck = async ({ env, folder, text }, { url, approverToken }) => {
  const { OPENAI_DOOR: door, API_TOKENS: given } = readVariables(env, folder);
  if (text('stack') !== undefined || door !== 'on') return [];
  const [token] = parseApiTokens(given, approverToken).tokens.filter(
    ({ scopes }) => scopes.size > Number(scopes.has('read')),
  );
  if (token === undefined)
    return [wrong('programs', 'OPENAI_DOOR is on, and no token of API_TOKENS may speak', MENDS.name)];
  const answer = await fetch(`${url}/v1/models/${MODEL}`, {
    headers: { authorization: `Bearer ${token.token}` },
  }).catch(() => undefined);
  return answer?.status === 200
    ? [ok('programs', `they speak at ${url}/v1, such as ${token.name}`)]
    : [wrong('programs', `${url}/v1 does not answer ${token.name}`, MENDS.settings)];
};
