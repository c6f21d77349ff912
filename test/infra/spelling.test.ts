import { describe, expect, it } from 'vitest';
import { checkNames, findMeant } from '../../infra/spelling.ts';
import { SETTING_NAMES } from '../../lib/core/store/settings.ts';

describe('findMeant', () => {
  it.each([
    ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
    ['OPENAI_KEY_API', 'OPENAI_API_KEY'],
    ['OPEN_AI_API_KEY', 'OPENAI_API_KEY'],
    ['openai_api_key', 'OPENAI_API_KEY'],
    ['OPENIA_API_KYE', 'OPENAI_API_KEY'],
    ['OPENAI_BASE', 'OPENAI_BASE_URL'],
    ['BUGDET_DAY_USD', 'BUDGET_DAY_USD'],
    ['BUDGET_DAY', 'BUDGET_DAY_USD'],
    ['TELEGRAM_TOKEN', 'TELEGRAM_BOT_TOKEN'],
    ['OPENAI_KEY', 'OPENAI_API_KEY'],
    ['OPEN_AI_KEY', 'OPENAI_API_KEY'],
    ['OPEN_AI_TOKEN', undefined],
    ['OPENAI-API-KEY', 'OPENAI_API_KEY'],
    ['ANTHROPIC_KEY', 'ANTHROPIC_API_KEY'],
    ['TELEGRAM_BOT', 'TELEGRAM_BOT_TOKEN'],
    ['GOOGLE_KEY', undefined],
    ['TELEGRAM_BOTTOKEN', 'TELEGRAM_BOT_TOKEN'],
    ['DATADIR', 'DATA_DIR'],
    ['MY_OWN_THING', undefined],
  ])('in .env takes %s for %s', (name, meant) => {
    expect(findMeant(name, 2)).toBe(meant);
  });

  it.each([
    ['OPEN_AI_KEY', 'OPENAI_API_KEY'],
    ['TELEGRAM_TOKEN', 'TELEGRAM_BOT_TOKEN'],
    ['OPENAI_BASE', undefined],
  ])('in the environment takes %s for %s', (name, meant) => {
    expect(findMeant(name, 1)).toBe(meant);
  });

  it.each(SETTING_NAMES.map((name) => [name]))('takes %s for itself', (name) => {
    expect(findMeant(name, 2)).toBeUndefined();
  });

  // biome-ignore format: names that programs and shells set
  it.each([
    'HOME', 'HOSTNAME', 'PATH', 'PWD', 'SHELL', 'LANG', 'USER', 'TERM', 'TZ', 'TIMEZONE_NAME', 'LOGNAME', 'LOG_DIR', 'HOSTTYPE',
    'CI', 'NODE_ENV', 'NODE_OPTIONS', 'npm_config_user_agent', 'npm_lifecycle_event', 'INIT_CWD', 'DEBUG', 
    'AWS_REGION', 'AWS_PROFILE', 'AWS_ACCESS_KEY_ID', 'AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_S3', 'CDK_DEFAULT_ACCOUNT',
    'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID', 'OPENAI_API_BASE', 'OPENAI_ORGANIZATION', 'AZURE_OPENAI_API_KEY', 'COHERE_API_KEY',
    'GOOGLE_API_KEY', 'MISTRAL_API_KEY', 'XAI_API_KEY', 'TOGETHER_API_KEY', 'DEEPSEEK_API_KEY',
    'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL', 'OLLAMA_HOST', 'OLLAMA_MODELS_DIR', 'EMBEDDINGS_URL',
    'TELEGRAM_CHAT_ID', 'SLACK_BOT_TOKEN', 'DISCORD_BOT_TOKEN', 'DOCKER_HOST', 'GITHUB_TOKEN', 
  ])('leaves %s of the environment alone', (name) => {
    expect(findMeant(name, 1)).toBeUndefined();
  });
});

describe('checkNames', () => {
  it('names what resembles a setting, in .env with more tolerance', () => {
    expect(
      checkNames(['OPENAI_APIKEY', 'OPENIA_API_KYE', 'PORT'], ['OPENIA_API_KYE_', 'TELEGRAM_BOTTOKEN', 'HOME']),
    ).toStrictEqual({
      remarks: [
        'TELEGRAM_BOTTOKEN is no setting and does nothing: did you mean TELEGRAM_BOT_TOKEN?',
        'OPENAI_APIKEY is no setting and does nothing: did you mean OPENAI_API_KEY?',
        'OPENIA_API_KYE is no setting and does nothing: did you mean OPENAI_API_KEY?',
      ],
      problems: [],
    });
  });

  it('finds a bound of spending with a part left out in the environment too', () => {
    expect(checkNames([], ['BUDGET_DAY', 'BUDGET_DAILY_USD']).problems).toStrictEqual([
      'BUDGET_DAY: is no setting; write BUDGET_DAY_USD, or remove it',
      'BUDGET_DAILY_USD: is no setting; write BUDGET_DAY_USD, or remove it',
    ]);
  });

  it.each([
    [['BUGDET_DAY_USD'], []],
    [[], ['BUGDET_DAY_USD']],
  ])('calls a misspelt bound of spending a problem (.env %j, environment %j)', (file, environment) => {
    expect(checkNames(file, environment)).toStrictEqual({
      remarks: [],
      problems: ['BUGDET_DAY_USD: is no setting; write BUDGET_DAY_USD, or remove it'],
    });
  });
});
