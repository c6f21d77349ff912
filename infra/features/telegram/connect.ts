/** Connects the bot: by long polling, or by its webhook, with one connection to keep the order. */

import { registerWebhook } from '../../../lib/features/telegram/client.ts';
import { setMenus } from '../../../lib/features/telegram/menu.ts';
import type { Connection } from '../../channel-program.ts';
import { loadTalk } from '../../local/load-talk.ts';
import { startTelegramPoller } from './poller.ts';
import type { TelegramSettings } from './settings.ts';

export interface TelegramInput {
  readonly telegram: TelegramSettings;
  readonly stackUrl: string;
  readonly webhookSecret: string;
  /** The settings asked for polling by name: a webhook that is set may be taken away. */
  readonly isPollingWished: boolean;
  readonly log: (line: string) => void;
}

const poll = (input: TelegramInput, token: string, apiRoot: string): Connection => {
  const deliver = async (update: unknown) => {
    const answer = await fetch(`${input.stackUrl}/telegram`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': input.webhookSecret },
      body: JSON.stringify(update),
    });
    const body: unknown = await answer.json().catch(() => undefined);
    // An update nobody will ever take (400, 413) must not hold up those behind it.
    const isSettled = answer.ok || answer.status === 400 || answer.status === 413;
    if (!answer.ok) input.log(`Telegram: an update was answered ${answer.status}`);
    return { ok: isSettled, answer: answer.ok ? body : undefined };
  };
  const poller = startTelegramPoller({ token, apiRoot, deliver, log: input.log, isTakingOver: input.isPollingWished });
  const problem = (): string | undefined => (poller.problem() === '' ? undefined : `Telegram: ${poller.problem()}`);
  return { description: 'long polling', problem, stop: poller.stop };
};

const listen = async (input: TelegramInput, token: string, apiRoot: string, publicUrl: string): Promise<Connection> => {
  const url = new URL('telegram', publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`).href;
  const problem = await registerWebhook({ token, apiRoot, url, secret: input.webhookSecret });
  const stop = (): Promise<void> => Promise.resolve();
  if (problem === '') return { description: `webhook at ${url}`, problem: () => undefined, stop };
  const description = `webhook at ${url} could not be registered: ${problem}`;
  return { description, problem: () => `Telegram: ${description}`, stop };
};

/** The menu is a help, and no start waits for it. */
const offerCommands = (bot: { readonly token: string; readonly apiRoot: string }): void => {
  void loadTalk().then(({ FEATURES }) => setMenus(bot, FEATURES));
};

export const connectTelegram = async (input: TelegramInput): Promise<Connection> => {
  const { telegram } = input;
  if (telegram.mode !== 'off') offerCommands(telegram);
  switch (telegram.mode) {
    case 'off':
      return {
        description: 'off (set TELEGRAM_BOT_TOKEN)',
        problem: () => undefined,
        stop: () => Promise.resolve(),
      };
    case 'polling':
      return poll(input, telegram.token, telegram.apiRoot);
    case 'webhook':
      return listen(input, telegram.token, telegram.apiRoot, telegram.publicUrl);
  }
};
