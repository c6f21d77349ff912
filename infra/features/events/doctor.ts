/** The check of `doctor` for services whose events come in. */
import { USUAL_LANGUAGE } from '../../../lib/core/base/language.ts';
import { hooksList } from '../../../lib/features/events/operations.ts';
import { parseSources } from '../../../lib/features/webhooks/edge/sources.ts';
import { isRefusal, refusalTexts, sayRefusal } from '../../../lib/features/webhooks/refusal-texts.ts';
import { NO_SUCH_NAME } from '../../../lib/features/webhooks/unproven-requests.ts';
import { performLook } from '../../cli/client.ts';
import type { CommandContext } from '../../cli/command.ts';
import { type Check, type FeatureCheck, MENDS, ok, tryCheck, wrong } from '../../cli/doctor/check.ts';
import { readVariables } from '../../cli/stack.ts';
import { printable } from '../../cli/terminal.ts';

/** Services of this machine's settings of which nothing came lately. */
const findSilentSources = ({ env, folder, text }: CommandContext, known: readonly string[]): readonly Check[] => {
  if (text('stack') !== undefined) return [];
  const names = [...parseSources(readVariables(env, folder).WEBHOOK_SECRETS).sources.keys()];
  return names
    .filter((name) => !known.includes(name))
    .map((name) => ok('sender', `${name}: nothing came yet; to try it: npx passepartout hooks test ${name}`));
};

/** A service all of whose requests are refused has another secret than this stack. */
export const checkSources: FeatureCheck = (context, access) =>
  tryCheck('sender', async () => {
    const { services } = await performLook(access, hooksList, {});
    const refusals = await refusalTexts.in(context.language?.() ?? USUAL_LANGUAGE);
    const names = services.map(({ name }) => name);
    const checks = services.map(({ name, count, refused = 0, because = '', refusal }) => {
      const line = printable(`${name}: ${count} taken today`);
      if (refused === 0) return ok('sender', line);
      const words = `${line}, ${refused} refused, the last because ${printable(isRefusal(refusal) ? sayRefusal(refusals, refusal) : because)}`;
      // Anybody can send what is refused.
      return count > 0 || name === NO_SUCH_NAME ? ok('sender', words) : wrong('sender', words, MENDS.sender);
    });
    return [...checks, ...findSilentSources(context, names)];
  });
