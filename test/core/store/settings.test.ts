import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../lib/core/base/errors.ts';
import { STREAM_REQUESTS_HELD_MAX } from '../../../lib/core/edge/limits.ts';
import { PROVIDER_KEY_NAMES } from '../../../lib/core/llm/providers.ts';
import { CONTEXT_SEMANTIC_THRESHOLD } from '../../../lib/core/prompt/choose-context.ts';
import { readEnvironment, readSettings } from '../../../lib/core/store/env.ts';
import { SETTINGS, type SettingName, secretsOf, type Variables } from '../../../lib/core/store/settings.ts';

const read = (name: SettingName, text: string | undefined): unknown => {
  const problems: string[] = [];
  const values = readSettings([name], { [name]: text }, problems);
  return problems.length > 0 ? 'wrong' : values[name];
};

const problemsOf = (source: Variables): readonly string[] => {
  try {
    readEnvironment('telegram', source);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('SETTINGS', () => {
  it('give the secrets of Reason as the providers name them', () => {
    expect([...secretsOf('reason')].sort()).toStrictEqual([...PROVIDER_KEY_NAMES, 'SECRET_PRINTS'].sort());
  });

  it('have the same defaults and bounds as the code that uses them', () => {
    expect(Number(SETTINGS.CONTEXT_SEMANTIC_THRESHOLD.default)).toBe(CONTEXT_SEMANTIC_THRESHOLD);
    // More runs than the console holds for streams: some are left for everything else.
    expect(read('URL_CONCURRENCY', `${STREAM_REQUESTS_HELD_MAX + 2}`)).toBe(STREAM_REQUESTS_HELD_MAX + 2);
    expect(read('URL_CONCURRENCY', `${STREAM_REQUESTS_HELD_MAX + 1}`)).toBe('wrong');
  });
});

describe('readSettings', () => {
  it.each<[SettingName, readonly (readonly [string | undefined, unknown])[]]>([
    [
      'HOME_CHAT',
      [
        [undefined, undefined],
        ['-1001', '-1001'],
        ['@me', 'wrong'],
      ],
    ],
    [
      'OPENAI_API_KEY',
      [
        [undefined, undefined],
        ['sk-proj-a_B1', 'sk-proj-a_B1'],
        ['…', 'wrong'],
        ['sk-a b', 'wrong'],
      ],
    ],
    [
      'CONSENSUS_PROVIDERS',
      [
        [undefined, 0],
        ['', 0],
        ['0', 0],
        ['2', 2],
        ['3', 3],
        ['1', 'wrong'],
        ['4', 'wrong'],
        ['two', 'wrong'],
        ['2.5', 'wrong'],
      ],
    ],
    [
      'CONTEXT_SEMANTIC_THRESHOLD',
      [
        [undefined, 0.75],
        ['', 0.75],
        ['0.8', 0.8],
        ['1', 1],
        ['1.0', 1],
        ['0.000001', 0.000001],
        ['0', 'wrong'],
        ['0.0', 'wrong'],
        ['1.1', 'wrong'],
        ['-0.5', 'wrong'],
        ['.5', 'wrong'],
        ['75%', 'wrong'],
        ['1e-3', 'wrong'],
      ],
    ],
    [
      'TELEGRAM_APPROVERS',
      [
        [undefined, []],
        [' 1, -2 ', ['1', '-2']],
        ['1,,2', 'wrong'],
        ['@me', 'wrong'],
      ],
    ],
    [
      'ALLOW_LOOPBACK_WEBHOOKS',
      [
        [undefined, false],
        ['1', true],
        ['0', false],
        ['yes', 'wrong'],
      ],
    ],
    [
      'WEBHOOK_URLS',
      [
        [undefined, {}],
        ['{"a":"https://a.example"}', { a: 'https://a.example' }],
        ['{"a":1}', 'wrong'],
        ['[', 'wrong'],
      ],
    ],
  ])('reads %s', (name, rows) => {
    expect(rows.map(([text]) => [text, read(name, text)])).toStrictEqual(rows);
  });
});

describe('readEnvironment', () => {
  it('gives a function its settings and no others, with their defaults', () => {
    const source = { SPACE: 'home', TABLE_NAME: 'table', PERCEIVE_QUEUE_URL: 'https://q.example/p', OPENAI_MODEL: 'm' };
    expect(readEnvironment('telegram', source)).toStrictEqual({
      SPACE: 'home',
      LOG_LEVEL: 'info',
      TELEGRAM_BOT_ID: '0',
      TELEGRAM_BOT_USERNAME: undefined,
      TELEGRAM_ALLOWED_CHATS: [],
      TELEGRAM_APPROVERS: [],
      TABLE_NAME: 'table',
      PERCEIVE_QUEUE_URL: 'https://q.example/p',
    });
  });

  it('names every variable that is missing or wrong at once, and no value', () => {
    expect(problemsOf({ TABLE_NAME: '', PERCEIVE_QUEUE_URL: 'nowhere', TELEGRAM_APPROVERS: '@me' })).toStrictEqual([
      'SPACE is missing',
      'TABLE_NAME is missing',
      'TELEGRAM_APPROVERS: must be numeric ids, separated by commas',
      'PERCEIVE_QUEUE_URL: must be an http or https address',
    ]);
  });
});
