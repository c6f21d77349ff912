import { describe, expect, it } from 'vitest';
import { parseLocalSettings } from '../../../infra/local/settings.ts';
import { parseStackSettings } from '../../../infra/settings.ts';
import { ConfigError } from '../../../lib/core/base/errors.ts';

import { buildActCosts, buildCaps, buildCosts } from '../../../lib/core/money/caps.ts';
import { effectCost } from '../../../lib/core/money/effect-cost.ts';
import { VOICE_NOTE } from '../../../lib/core/signal/ids.ts';
import { readReasonEnv } from '../../../lib/core/stages/reason/reason-deps.ts';
import { DEFAULT_CAPS } from '../../support/default-caps.ts';

const REASON = {
  SPACE: 'default',
  TABLE_NAME: 'table',
  QUEUE_URL: 'http://127.0.0.1/q',
  ACT_QUEUE_URL: 'http://127.0.0.1/a',
  DLQ_URL: 'http://127.0.0.1/d',
};

const BAD: readonly (readonly [string, string])[] = [
  ['BUDGET_TURN_USD', '-1'],
  ['BUDGET_SESSION_USD', 'a lot'],
  ['BUDGET_JOB_USD', '1e2'],
  ['BUDGET_DAY_USD', '0.0000001'],
  ['BUDGET_DAY_TOKENS', '1.5'],
  ['WEBHOOK_COSTS', 'deploy'],
  ['WEBHOOK_COSTS', 'deploy=cheap'],
  ['WEBHOOK_COSTS', 'deploy=1=2'],
];

const problemsOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n');
    throw error;
  }
  return '';
};

describe('buildCaps', () => {
  it('reads dollars and tokens, and has caps where nothing is set', () => {
    expect(DEFAULT_CAPS).toStrictEqual({
      turn: 2_000_000,
      session: 3_000_000,
      job: 2_000_000,
      day: 5_000_000,
      dayTokens: 10_000_000,
    });
    const env = readReasonEnv({
      ...REASON,
      BUDGET_DAY_USD: '0.5',
      BUDGET_DAY_TOKENS: '0',
      WEBHOOK_COSTS: 'Deploy=0.25',
    });
    expect(buildCaps(env)).toStrictEqual({ ...DEFAULT_CAPS, day: 500_000, dayTokens: 0 });
    expect(buildCosts(env)).toStrictEqual(new Map([['deploy', 250_000]]));
  });

  it.each(BAD)('refuses %s=%s by name in a function, a deployment and on this machine', (name, value) => {
    expect(problemsOf(() => readReasonEnv({ ...REASON, [name]: value }))).toContain(name);
    expect(problemsOf(() => parseStackSettings({ [name]: value }))).toContain(name);
    expect(problemsOf(() => parseLocalSettings({ [name]: value }))).toContain(name);
  });

  it('refuses the price of a webhook that is not configured', () => {
    const WEBHOOK_TARGETS = JSON.stringify({ deploy: { url: 'https://hooks.example.com/d', secret: 'whsec_AAAA' } });
    expect(problemsOf(() => parseLocalSettings({ WEBHOOK_TARGETS, WEBHOOK_COSTS: 'deploy=1' }))).toBe('');
    expect(problemsOf(() => parseLocalSettings({ WEBHOOK_TARGETS, WEBHOOK_COSTS: 'deplyo=1' }))).toBe(
      'WEBHOOK_COSTS: deplyo is not one of WEBHOOK_TARGETS',
    );
  });
});

describe('buildCosts', () => {
  it('reads names and prices', () => {
    expect(buildCosts({ WEBHOOK_COSTS: ' deploy=0.25, sms=0.01 ,' })).toStrictEqual(
      new Map([
        ['deploy', 250_000],
        ['sms', 10_000],
      ]),
    );
    expect(buildCosts({ WEBHOOK_COSTS: '' })).toStrictEqual(new Map());
    const costs = buildActCosts({ WEBHOOK_COSTS: '', SPEECH_PRICE: '160.5' });
    const note = { author: 'code', target: 'telegram', template: VOICE_NOTE, explanation: '' } as const;
    expect(effectCost({ ...note, text: 'x'.repeat(1_000) }, costs)).toBe(160_500);
  });
});
