import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../lib/base/errors.ts';
import { CONTEXT_SEMANTIC_THRESHOLD } from '../../lib/prompt/limits.ts';
import { parseThreshold } from '../../lib/prompt/parse-threshold.ts';
import { readReasonEnv } from '../../lib/stages/reason/reason-env.ts';

const REASON = {
  SPACE: 'default',
  TABLE_NAME: 'table',
  QUEUE_URL: 'https://q.example/r',
  ACT_QUEUE_URL: 'https://q.example/a',
  DLQ_URL: 'https://q.example/d',
};

describe('parseThreshold', () => {
  it.each<readonly [string | undefined, number | undefined]>([
    [undefined, CONTEXT_SEMANTIC_THRESHOLD],
    ['', CONTEXT_SEMANTIC_THRESHOLD],
    ['0.8', 0.8],
    ['1', 1],
    ['1.0', 1],
    ['0.000001', 0.000001],
    ['0', undefined],
    ['0.0', undefined],
    ['1.1', undefined],
    ['-0.5', undefined],
    ['.5', undefined],
    ['75%', undefined],
    ['1e-3', undefined],
  ])('reads %j as %j', (text, threshold) => {
    expect(parseThreshold(text)).toBe(threshold);
  });
});

describe('readReasonEnv', () => {
  it('takes the threshold from the environment, and names one that is none', () => {
    expect(readReasonEnv(REASON).CONTEXT_SEMANTIC_THRESHOLD).toBe(0.75);
    expect(readReasonEnv({ ...REASON, CONTEXT_SEMANTIC_THRESHOLD: '0.6' }).CONTEXT_SEMANTIC_THRESHOLD).toBe(0.6);
    expect(() => readReasonEnv({ ...REASON, CONTEXT_SEMANTIC_THRESHOLD: 'high' })).toThrow(ConfigError);
    expect(() => readReasonEnv({ ...REASON, CONTEXT_SEMANTIC_THRESHOLD: 'high' })).toThrow(
      /CONTEXT_SEMANTIC_THRESHOLD.*above 0 and up to 1/,
    );
  });
});
