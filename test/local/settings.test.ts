import { describe, expect, it } from 'vitest';
import { parseLocalSettings, type Variables } from '../../infra/local/settings.ts';
import { ConfigError } from '../../lib/core/base/errors.ts';

const problemsOf = (variables: Variables): readonly string[] => {
  try {
    parseLocalSettings(variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};
const namesOf = (variables: Variables): readonly string[] =>
  problemsOf(variables).map((problem) => problem.split(/[: ]/)[0] ?? '');

const TOKEN = '123456:AAH-a_bot_token_that_is_long_enough';

describe('parseLocalSettings', () => {
  it('needs nothing', () => {
    expect(parseLocalSettings({})).toStrictEqual({
      host: '127.0.0.1',
      port: 8787,
      dataDir: '.passepartout',
      space: 'default',
      heartbeatIntervalSeconds: 60,
      skillsDir: undefined,
      dynamodbEndpoint: undefined,
      isWireHttp: false,
      providers: [],
      variables: {
        TELEGRAM_API_ROOT: 'https://api.telegram.org',
        TELEGRAM_BOT_ID: undefined,
        TELEGRAM_STATE: 'off',
        SLACK_STATE: 'off',
        SLACK_API_ROOT: 'https://slack.com/api',
        SIGNAL_STATE: 'off',
        MAIL_STATE: 'off',
        MAIL_DOOR_SECRET: undefined,
        WEBHOOK_URLS: undefined,
        PROVIDER_NAMES: '',
      },
    });
  });

  it('takes empty variables as unset', () => {
    expect(parseLocalSettings({ PORT: '', HOST: '', TELEGRAM_BOT_TOKEN: '' })).toStrictEqual(parseLocalSettings({}));
  });

  it('keeps the secrets of webhook targets out of the addresses that Reason sees', () => {
    const targets = { deploy: { url: 'https://example.com/hook', secret: 'whsec_secret' } };
    const { variables } = parseLocalSettings({ WEBHOOK_TARGETS: JSON.stringify(targets) });
    expect(variables.WEBHOOK_URLS).toBe('{"deploy":"https://example.com/hook"}');
    expect(variables.WEBHOOK_TARGETS).toBe(JSON.stringify(targets));
  });

  it('names the providers in the order they are tried', () => {
    const { providers, variables } = parseLocalSettings({
      OPENAI_API_KEY: 'k',
      GROQ_API_KEY: 'k',
      PROVIDER_CASCADE: 'groq:fast,openai:clever',
    });
    expect(providers).toStrictEqual(['groq/fast', 'openai/clever']);
    expect(variables.PROVIDER_NAMES).toBe('groq/fast,openai/clever');
  });

  it.each<[string, Variables]>([
    ['PORT', { PORT: '70000' }],
    ['PORT', { PORT: '1e3' }],
    ['HOST', { HOST: '0.0.0.0' }],
    ['SPACE', { SPACE: 'Mine!' }],
    ['APPROVER_TOKEN', { APPROVER_TOKEN: 'a token with spaces' }],
    ['API_TOKENS', { API_TOKENS: '{"a":{"token":"short","scopes":["read"]}}' }],
    ['TIME_ZONE', { TIME_ZONE: 'Mars/Olympus' }],
    ['DEFAULT_ACTUATOR', { DEFAULT_ACTUATOR: 'shell' }],
    ['TELEGRAM_BOT_TOKEN', { TELEGRAM_BOT_TOKEN: 'token' }],
    ['TELEGRAM_MODE', { TELEGRAM_MODE: 'push' }],
    ['TELEGRAM_API_ROOT', { TELEGRAM_API_ROOT: 'http://api.telegram.example' }],
    ['TELEGRAM_WEBHOOK_URL', { TELEGRAM_WEBHOOK_URL: 'http://bot.example' }],
    ['TELEGRAM_WEBHOOK_URL', { TELEGRAM_MODE: 'webhook', TELEGRAM_BOT_TOKEN: TOKEN }],
    ['TELEGRAM_ALLOWED_CHATS', { TELEGRAM_ALLOWED_CHATS: '1,@me' }],
    ['TELEGRAM_APPROVERS', { TELEGRAM_APPROVERS: '1,,2' }],
    ['WEBHOOK_SECRETS', { WEBHOOK_SECRETS: '{"github":"plain"}' }],
    ['WEBHOOK_SECRETS', { WEBHOOK_SECRETS: '[' }],
    ['WEBHOOK_TARGETS', { WEBHOOK_TARGETS: '{"a":{"url":"https://x.example","headers":{"host":"y"}}}' }],
    ['WEBHOOK_TARGETS', { WEBHOOK_TARGETS: '{"a":{"url":"https://x.example","bearer":"two\nlines"}}' }],
    ['WEBHOOK_TARGETS', { WEBHOOK_TARGETS: '{"a":{"url":"http://x.example","secret":"s"}}' }],
    ['WEBHOOK_TARGETS', { WEBHOOK_TARGETS: '{"a":{"url":"http://127.0.0.1:1","secret":"s"}}' }],
    ['ALLOW_LOOPBACK_WEBHOOKS', { ALLOW_LOOPBACK_WEBHOOKS: 'maybe' }],
    ['HEARTBEAT_INTERVAL_SECONDS', { HEARTBEAT_INTERVAL_SECONDS: '0' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['ANCHOR_CHAT', { ANCHOR_CHAT: '@me', TELEGRAM_BOT_TOKEN: TOKEN }],
    ['ANCHOR_CHAT', { ANCHOR_CHAT: '-42' }],
    ['CONTEXT_SEMANTIC_THRESHOLD', { CONTEXT_SEMANTIC_THRESHOLD: '75%' }],
    ['EVENT_LINK_HOSTS', { EVENT_LINK_HOSTS: 'github.com' }],
    ['REASON_MEMORY_MB', { REASON_MEMORY_MB: '127' }],
    ['CONSENSUS_PROVIDERS', { CONSENSUS_PROVIDERS: '1' }],
    ['MODEL_RULES', { MODEL_RULES: '[{"words": ["tax"]}]' }],
    ['MODEL_RULES', { MODEL_RULES: '[{"use": "skynet"}]' }],
    ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'ftp://x' }],
    ['PROVIDER_CASCADE', { PROVIDER_CASCADE: 'skynet' }],
    ['AWS_ENDPOINT_URL_DYNAMODB', { AWS_ENDPOINT_URL_DYNAMODB: 'nowhere' }],
  ])('refuses a %s that does not fit', (name, variables) => {
    expect(namesOf(variables)).toStrictEqual([name]);
  });

  it('allows webhooks to this machine when asked to', () => {
    const WEBHOOK_TARGETS = '{"a":{"url":"http://127.0.0.1:1","secret":"s"}}';
    expect(problemsOf({ WEBHOOK_TARGETS, ALLOW_LOOPBACK_WEBHOOKS: '1' })).toStrictEqual([]);
  });

  it('names everything that is wrong at once, and no value', () => {
    const bad = {
      PORT: 'a-port',
      HOST: 'example.com',
      TELEGRAM_BOT_TOKEN: 'secret-token-value',
      WEBHOOK_SECRETS: '{"github":"secret-value"}',
      PROVIDER_CASCADE: 'openai',
    };
    expect([...namesOf(bad)].sort()).toStrictEqual(Object.keys(bad).sort());
    expect(problemsOf(bad).join(' ')).not.toMatch(/secret-token-value|secret-value/);
  });
});
