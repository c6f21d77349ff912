/** Answers of services that search the web, files of `search/`, read as the tool reads them. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { faultOf, readResults } from '../../lib/features/web/ask-service.ts';
import { findService } from '../../lib/features/web/search-services.ts';
import { readCases } from './read-cases.ts';

const Case = z.strictObject({
  by: z.string(),
  service: z.string(),
  status: z.int().default(200),
  body: z.unknown(),
  /** None of these: the key is taken, and the request is not. */
  expect: z.strictObject({
    results: z.array(z.string()).optional(),
    fault: z.string().optional(),
    isKey: z.literal(true).optional(),
  }),
});

describe('the answer of a search service', () => {
  it.each(readCases('search', Case))('$name', ({ service: name, status, body, expect: expected }) => {
    const service = findService(name);
    if (service === undefined) throw new Error(`there is no service ${name}`);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const fault = faultOf(service, { status, text });
    expect(fault?.words).toBe(expected.fault);
    expect(fault?.isKey).toBe(expected.isKey);
    if (status === 200) expect(readResults(service, text)).toStrictEqual(expected.results);
  });
});
