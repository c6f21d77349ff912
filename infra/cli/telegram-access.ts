/**
 * What registering a deployed stack's bot needs: the address of its Telegram function among the
 * outputs, and token and secret from the two secrets that hold them. For the command line, with its
 * owner's own credentials.
 */
import * as z from 'zod/mini';
import { ConfigError } from '../../lib/base/errors.ts';
import { parseJson } from '../../lib/base/json.ts';
import { loadSecretString } from '../../lib/store/secret-store.ts';
import { loadStackOutputs } from '../../lib/store/stack-outputs.ts';

export interface TelegramAccess {
  /** Whole address of the webhook. */
  readonly url: string;
  readonly token: string;
  readonly secret: string;
}

const Ingress = z.object({ TELEGRAM_WEBHOOK_SECRET: z.string().check(z.minLength(1)) });
const Hands = z.object({ TELEGRAM_BOT_TOKEN: z.string().check(z.regex(/^\d+:\S+$/)) });

/** @throws ConfigError naming what is not there; what the AWS clients throw. */
export const loadTelegramAccess = async (stack: string): Promise<TelegramAccess> => {
  const [outputs, ingress, hands] = await Promise.all([
    loadStackOutputs(stack),
    loadSecretString(`passepartout/${stack}/telegram`),
    loadSecretString(`passepartout/${stack}/act`),
  ]);
  const base = outputs.get('TelegramUrl');
  if (base === undefined) throw new ConfigError([`the stack ${stack} has no output TelegramUrl`]);
  return {
    url: new URL('telegram', base).href,
    secret: parseJson(`the secret passepartout/${stack}/telegram`, ingress, Ingress).TELEGRAM_WEBHOOK_SECRET,
    token: parseJson(`the secret passepartout/${stack}/act`, hands, Hands).TELEGRAM_BOT_TOKEN,
  };
};
