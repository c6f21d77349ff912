import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { buildToolEntry } from '../../../lib/core/llm/describe-tools.ts';

const remember = {
  name: 'remember',
  description: 'Keeps a fact.',
  parameters: z.toJSONSchema(
    z.strictObject({ text: z.string().max(10), tags: z.array(z.string()).optional() }),
  ) as unknown as JsonObject,
};

describe('buildToolEntry', () => {
  it('adds a required explanation and drops the dialect', () => {
    const { function: entry } = buildToolEntry(remember);
    expect(entry).toStrictEqual({
      name: 'remember',
      description: 'Keeps a fact.',
      parameters: {
        type: 'object',
        properties: {
          text: { type: 'string', maxLength: 10 },
          tags: { type: 'array', items: { type: 'string' } },
          explanation: expect.objectContaining({ type: 'string', minLength: 11 }),
        },
        required: ['text', 'explanation'],
        additionalProperties: false,
      },
    });
  });

  it('replaces an explanation the tool declares itself, and copes with a schema of nothing', () => {
    const own = { type: 'object', properties: { explanation: { type: 'number' } }, required: ['explanation'] };
    const entries = [own, {}].map((parameters) => buildToolEntry({ name: 'x', description: '', parameters }).function);
    for (const { parameters } of entries) {
      expect(parameters).toStrictEqual({
        type: 'object',
        properties: { explanation: expect.objectContaining({ type: 'string' }) },
        required: ['explanation'],
      });
    }
  });
});
