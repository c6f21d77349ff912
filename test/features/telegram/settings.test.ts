import { describe, expect, it } from 'vitest';
import { readTelegram } from '../../../infra/features/telegram/settings.ts';
import { parseLocalSettings, type Variables } from '../../../infra/local/settings.ts';

const TOKEN = '123456:AAH-a_bot_token_that_is_long_enough';

describe('readTelegram', () => {
  it('is off without a token', () => {
    expect(readTelegram(parseLocalSettings({}).variables)).toStrictEqual({ mode: 'off' });
  });

  it.each<[string, Variables, object]>([
    ['polls without a public address', {}, { mode: 'polling', token: TOKEN, apiRoot: 'https://api.telegram.org' }],
    [
      'uses the webhook with one',
      { TELEGRAM_WEBHOOK_URL: 'https://bot.example' },
      { mode: 'webhook', token: TOKEN, apiRoot: 'https://api.telegram.org', publicUrl: 'https://bot.example' },
    ],
    [
      'polls with one, if told to',
      {
        TELEGRAM_WEBHOOK_URL: 'https://bot.example',
        TELEGRAM_MODE: 'polling',
        TELEGRAM_API_ROOT: 'http://127.0.0.1:1',
      },
      { mode: 'polling', token: TOKEN, apiRoot: 'http://127.0.0.1:1' },
    ],
  ])('%s', (_, variables, telegram) => {
    const settings = parseLocalSettings({ TELEGRAM_BOT_TOKEN: TOKEN, ...variables });
    expect(readTelegram(settings.variables)).toStrictEqual(telegram);
    expect(settings.variables.TELEGRAM_BOT_ID).toBe('123456');
  });
});
