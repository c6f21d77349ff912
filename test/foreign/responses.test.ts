/** Requests of programs that speak with a model, files of `responses/`, as the door reads them. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readChat, readResponses } from '../../lib/features/responses/request.ts';
import { answerByCode } from '../../lib/features/responses/titles.ts';
import { readCases } from './read-cases.ts';

const Case = z.strictObject({
  by: z.string(),
  api: z.enum(['responses', 'chat']),
  body: z.looseObject({}),
  /** The words of the person, and what the program adds to them. */
  expect: z.looseObject({}).optional(),
  /** What code answers without a turn. */
  answer: z.string().optional(),
});

describe('a request of a program', () => {
  it.each(readCases('responses', Case))('$name', ({ api, body, expect: expected, answer }) => {
    const request = (api === 'chat' ? readChat : readResponses)(body, {});
    expect(answerByCode(request)).toBe(answer);
    if (expected !== undefined) expect(request.said).toStrictEqual(expected);
  });
});
