import { describe, expect, it } from 'vitest';
import { buildCascade } from '../../lib/core/llm/providers.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { FUNCTION_NAMES, SETTINGS, secretsOf } from '../../lib/core/store/settings.ts';
import { CONFIG, CONFIGURED } from './outside/config.ts';

const QUEUES = ['QUEUE', 'DLQ', 'PERCEIVE_QUEUE', 'REASON_QUEUE', 'ACT_QUEUE', 'LOG_QUEUE'];
const NAMES = {
  CONSOLE_FUNCTION: 'console',
  ...Object.fromEntries(QUEUES.map((name) => [`${name}_URL`, 'http://127.0.0.1/q'])),
  RUNNER_QUEUE_URLS: 'http://127.0.0.1/q',
  RUNNER_ROLE_ARN: 'arn:aws:iam::000000000000:role/runner',
};

describe('CONFIG', () => {
  it.each(FUNCTION_NAMES)('is an environment for %s, with its secrets apart', (name) => {
    expect(() => readEnvironment(name, { ...CONFIG.environment, ...NAMES, TABLE_NAME: 'table' })).not.toThrow();
    expect(
      Object.keys(CONFIG.environment).filter((key) => secretsOf(name).some((secret) => secret === key)),
    ).toStrictEqual([]);
  });

  it('names only settings that exist, each secret in its form', () => {
    for (const [key, value] of Object.entries({ ...CONFIG.environment, ...CONFIG.secrets })) {
      const setting = Object.entries(SETTINGS).find(([name]) => name === key)?.[1];
      expect(setting?.schema.safeParse(value).success, key).toBe(true);
    }
  });

  it('configures one provider, with the prices that calls are billed with', () => {
    const cascade = buildCascade(CONFIG.environment, new Map());
    expect(cascade.map(({ name, prices }) => [name, prices])).toStrictEqual([
      ['simulated', { 'simulated-1': { prompt: 1_000, cached: 1_000, completion: 4_000 } }],
    ]);
  });

  it('tells the checker every secret alone, not inside JSON', () => {
    expect(CONFIGURED.secrets.filter((secret) => secret.includes('{'))).toStrictEqual([]);
    const all = JSON.stringify(CONFIG.secrets);
    expect(CONFIGURED.secrets.filter((secret) => !all.includes(secret))).toStrictEqual([]);
    expect(CONFIGURED.secrets).toHaveLength(8);
  });
});
