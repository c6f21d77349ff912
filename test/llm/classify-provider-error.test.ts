import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyProviderError } from '../../lib/llm/classify-provider-error.ts';

describe('classifyProviderError', () => {
  it('gives a phrase of our own for anything thrown, and never its message', () => {
    const secret = 'sk-very-secret';
    const thrown = fc.oneof(
      fc.anything(),
      fc.constantFrom(
        new Error(secret),
        new TypeError(secret, { cause: new Error(secret) }),
        new SyntaxError(secret),
        new DOMException(secret, 'TimeoutError'),
        Object.assign(new Error(secret), { code: 'ECONNREFUSED' }),
      ),
    );
    fc.assert(
      fc.property(thrown, (error) => {
        const { reason } = classifyProviderError(error);
        expect(reason).not.toContain(secret);
        expect(reason.length).toBeGreaterThan(5);
      }),
    );
  });

  it('survives a cause that names itself', () => {
    const error = new Error('x');
    error.cause = error;
    expect(classifyProviderError(error)).toStrictEqual({
      reason: 'failed in an unknown way',
      isTransient: false,
      mayBeBilled: true,
    });
  });

  it('tells time and connection apart', () => {
    expect(classifyProviderError(new DOMException('x', 'TimeoutError'))).toStrictEqual({
      reason: 'timed out',
      isTransient: true,
      mayBeBilled: true,
    });
    expect(classifyProviderError(Object.assign(new Error('x'), { code: 'EPIPE' }))).toStrictEqual({
      reason: 'not reachable',
      isTransient: true,
      mayBeBilled: true,
    });
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
    'knows that %s sent nothing',
    (code) => {
      expect(classifyProviderError(Object.assign(new Error('x'), { code }))).toStrictEqual({
        reason: 'not reachable',
        isTransient: true,
        mayBeBilled: false,
      });
    },
  );
});
