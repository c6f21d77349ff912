import { APIError } from 'openai';
import { describe, expect, it } from 'vitest';
import { classifyProviderError } from '../../../lib/core/llm/provider-failure.ts';
import { fc } from '../../support/fast-check.ts';

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
      fault: 'unknown',
      reason: 'failed in an unknown way',
      isTransient: false,
      mayBeBilled: true,
    });
  });

  it('tells time and connection apart', () => {
    expect(classifyProviderError(new DOMException('x', 'TimeoutError'))).toStrictEqual({
      fault: 'slow',
      reason: 'did not answer in time',
      isTransient: true,
      mayBeBilled: true,
    });
    expect(classifyProviderError(Object.assign(new Error('x'), { code: 'EPIPE' }))).toStrictEqual({
      fault: 'down',
      reason: 'is not reachable',
      isTransient: true,
      mayBeBilled: true,
    });
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
    'knows that %s sent nothing',
    (code) => {
      expect(classifyProviderError(Object.assign(new Error('x'), { code }))).toStrictEqual({
        fault: 'down',
        reason: 'is not reachable',
        isTransient: true,
        mayBeBilled: false,
      });
    },
  );

  const says = (status: number, error: object, headers = {}) =>
    APIError.generate(status, { error }, 'sk-secret in the message', new Headers(headers));

  it.each([
    [says(401, {}), 'auth', 'refuses the key (401)', false],
    [says(403, {}), 'denied', 'does not permit this, though it knows the key (403)', false],
    [says(402, {}), 'billing', 'has no credit left (402)', false],
    [says(429, { code: 'insufficient_quota' }), 'billing', 'has no credit left (429)', false],
    [says(429, {}), 'busy', 'limits how often it may be asked (429)', false],
    [says(404, {}), 'model', 'knows no such model at this address (404)', false],
    [says(400, { code: 'model_not_found' }), 'model', 'knows no such model at this address (400)', false],
    [
      says(400, { message: 'x/y is not a valid model ID' }),
      'model',
      'knows no such model at this address (400)',
      false,
    ],
    [says(400, { message: 'Model Not Exist' }), 'model', 'knows no such model at this address (400)', false],
    // As Ollama, OpenRouter, vLLM, Groq and llama.cpp say it.
    [
      says(400, { message: 'registry.ollama.ai/library/x:1b does not support tools' }),
      'tools',
      'takes no tools (400)',
      false,
    ],
    [says(404, { message: 'No endpoints found that support tool use.' }), 'tools', 'takes no tools (404)', false],
    [
      says(400, { message: '"auto" tool choice requires --enable-auto-tool-choice' }),
      'tools',
      'takes no tools (400)',
      false,
    ],
    [says(400, { message: '`tool calling` is not supported with this model' }), 'tools', 'takes no tools (400)', false],
    [says(500, { message: 'tools param requires --jinja flag' }), 'tools', 'takes no tools (500)', true],
    [says(400, { code: 'context_length_exceeded' }), 'overflow', 'says the prompt is too long (400)', false],
    [says(400, { message: 'prompt is too long: 9 > 8' }), 'overflow', 'says the prompt is too long (400)', false],
    [says(413, {}), 'overflow', 'says the prompt is too long (413)', false],
    [says(400, { code: 'content_filter' }), 'policy', 'refuses such content (400)', false],
    [says(400, {}), 'request', 'refused the request (400)', false],
    [says(422, { message: 'prompt is too long' }), 'request', 'refused the request (422)', false],
    [says(408, {}), 'slow', 'did not answer in time (408)', true],
    [says(500, { code: 'context_length_exceeded' }), 'server', 'failed on its side (500)', true],
    [says(503, {}), 'server', 'failed on its side (503)', true],
    [says(529, {}), 'server', 'failed on its side (529)', true],
  ])('tells by status and code what to do: %#', (error, fault, reason, mayBeBilled) => {
    const isTransient = ['busy', 'server', 'slow'].includes(fault);
    expect(classifyProviderError(error)).toStrictEqual({ fault, reason, isTransient, mayBeBilled });
  });

  it('reads Retry-After in seconds, and nothing else as one', () => {
    const after = (text: string) => classifyProviderError(says(429, {}, { 'retry-after': text })).retryAfterMs;
    expect(['2', '0', '0.25', '-1', '1e9', 'Wed, 21 Oct 2026 07:28:00 GMT', '99999999', ''].map(after)).toStrictEqual([
      2_000,
      0,
      250,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('takes a 503 that says when to come back for a refusal: it cost nothing', () => {
    expect(classifyProviderError(says(503, {}, { 'retry-after': '1' }))).toStrictEqual({
      fault: 'server',
      reason: 'failed on its side (503)',
      isTransient: true,
      mayBeBilled: false,
      retryAfterMs: 1_000,
    });
  });
});
