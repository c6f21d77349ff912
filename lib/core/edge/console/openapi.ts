/** All operations over HTTP as OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1). Pure. */

import * as z from 'zod/mini';
import { VERSION } from '../../base/version.ts';
import type { Operation } from '../../operations/operation.ts';
import { needOf, pathOf } from './operation-path.ts';

type Say = (text: string) => string;

const isReference = (value: unknown): boolean => typeof value === 'object' && value !== null && '$ref' in value;

/** The only schema that names itself is any JSON value. It becomes `{}`, which says the same. */
const schemaOf = (schema: z.core.$ZodType, io: 'input' | 'output', say: Say = (text) => text): object => {
  const { $schema: _, $defs: _any, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return JSON.parse(
    JSON.stringify(rest, (key, value: unknown) => {
      if (key === 'description' && typeof value === 'string') return say(value);
      return isReference(value) ? {} : value;
    }),
  );
};

const answerOf = (description: string, schema: object): object => ({
  description,
  content: { 'application/json': { schema } },
});

const ERROR = { $ref: '#/components/schemas/Error' };

const parametersOf = ({ args }: Operation, say: Say): readonly object[] =>
  Object.entries(args.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !z.safeParse(schema, undefined).success,
    schema: schemaOf(schema, 'input', say),
  }));

const describe = (operation: Operation, isSecond: boolean, say: Say): object => {
  const summary = say(operation.summary);
  const common = {
    operationId: `${isSecond ? 'change_' : ''}${operation.name.replace(/[ -]/g, '_')}`,
    summary,
    tags: [operation.name.split(' ')[0]],
    description: `Needs a token with the scope or role: ${needOf(operation)}.`,
  };
  const problem = answerOf('what is wrong, and what to do', ERROR);
  if (operation.kind === 'look') {
    const lines = { type: 'object', properties: { lines: { type: 'array', items: { type: 'string' } } } };
    const data = { allOf: [schemaOf(operation.data, 'output'), lines] };
    return {
      ...common,
      parameters: parametersOf(operation, say),
      responses: { 200: answerOf(summary, data), default: problem },
    };
  }
  const body = { required: true, content: { 'application/json': { schema: schemaOf(operation.args, 'input', say) } } };
  const kept = operation.kind === 'direct' ? schemaOf(operation.data, 'output') : undefined;
  const accepted = answerOf(
    'accepted; GET /api/signals/<id> tells what became of it',
    kept ?? { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  );
  return { ...common, requestBody: body, responses: { 202: accepted, default: problem } };
};

/** @param say the sentences and fields of operations, in the language of whoever reads them */
export const buildOpenApi = (operations: readonly Operation[], say: Say = (text) => text): object => {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = pathOf(operation);
    paths[path] = {
      ...paths[path],
      [operation.kind === 'look' ? 'get' : 'post']: describe(operation, paths[path] !== undefined, say),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Passepartout', version: VERSION },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['error'],
          properties: {
            error: {
              type: 'object',
              required: ['code', 'message'],
              properties: { code: { type: 'string' }, message: { type: 'string' } },
            },
          },
        },
      },
    },
  };
};
