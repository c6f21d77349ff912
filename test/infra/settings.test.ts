import { describe, expect, it } from 'vitest';
import { buildLocalSettings, HANDED_ON, parseStackSettings } from '../../infra/settings.ts';
import { ConfigError } from '../../lib/core/base/errors.ts';

describe('parseStackSettings', () => {
  it('gives a production stack of the default space when nothing is set', () => {
    expect(parseStackSettings({})).toStrictEqual({
      stackName: 'Passepartout',
      space: 'default',
      logLevel: 'info',
      isProduction: true,
      isShifted: true,
      alarmEmail: undefined,
      urlConcurrency: undefined,
      reasonMemoryMb: undefined,
      functions: { TELEGRAM_STATE: 'off' },
    });
  });

  it('hands the settings on, and treats empty variables as unset', () => {
    const settings = parseStackSettings({
      SPACE: 'home',
      LOG_LEVEL: '',
      PRODUCTION: '0',
      PROVIDER_CASCADE: 'openai,groq',
      TELEGRAM_BOT_ID: '42',
      HEARTBEAT_INTERVAL_SECONDS: '5',
      OPENAI_API_KEY: 'never in a template',
    });
    expect(settings).toStrictEqual({
      stackName: 'Passepartout',
      space: 'home',
      logLevel: 'info',
      isProduction: false,
      isShifted: true,
      alarmEmail: undefined,
      urlConcurrency: undefined,
      reasonMemoryMb: undefined,
      functions: {
        PROVIDER_CASCADE: 'openai,groq',
        PROVIDER_NAMES: 'openai,groq',
        TELEGRAM_BOT_ID: '42',
        TELEGRAM_STATE: 'webhook',
      },
    });
  });

  it('takes how close a note must be, and the size of Reason', () => {
    const settings = parseStackSettings({ CONTEXT_SEMANTIC_THRESHOLD: '0.8', REASON_MEMORY_MB: '512' });
    expect(settings).toMatchObject({ reasonMemoryMb: 512, functions: { CONTEXT_SEMANTIC_THRESHOLD: '0.8' } });
    expect(settings.functions).not.toHaveProperty('REASON_MEMORY_MB');
  });

  it('takes rules that name providers, the added ones too, and no others', () => {
    const PROVIDERS = '{"mine": {"baseUrl": "https://models.example/v1", "model": "m"}}';
    const MODEL_RULES = '[{"use": "mine"}, {"skip": ["groq"]}]';
    const settings = parseStackSettings({ PROVIDERS, MODEL_RULES, CONSENSUS_PROVIDERS: '2' });
    expect(settings.functions).toMatchObject({ MODEL_RULES, CONSENSUS_PROVIDERS: '2' });
    expect(() => parseStackSettings({ MODEL_RULES })).toThrow('MODEL_RULES: rule 1 names "mine", which is none of');
  });

  it('names every variable that does not fit, at once', () => {
    const bad = {
      SPACE: 'Not Good',
      LOG_LEVEL: 'loud',
      TELEGRAM_BOT_ID: 'bot',
      WEBHOOK_URLS: '[',
      OPENAI_BASE_URL: 'http://x',
      CONTEXT_SEMANTIC_THRESHOLD: '0',
      REASON_MEMORY_MB: '10241',
      URL_CONCURRENCY: '7',
    };
    const problems = (() => {
      try {
        parseStackSettings(bad);
        return [];
      } catch (error) {
        return error instanceof ConfigError ? error.problems : [String(error)];
      }
    })();
    expect(problems.map((problem) => problem.split(':')[0]).sort()).toStrictEqual(Object.keys(bad).sort());
  });
});

describe('buildLocalSettings', () => {
  it('leaves every setting open for the local stack to fill in', () => {
    expect(buildLocalSettings('home').functions).toStrictEqual(
      Object.fromEntries(HANDED_ON.map((name) => [name, `\${${name}}`])),
    );
  });
});
