import { describe, expect, it } from 'vitest';
import { buildOpenApi } from '../../../lib/core/edge/console/openapi.ts';
import { operationsIn } from '../../../lib/core/operations/feature.ts';
import { findOperation, readWords } from '../../../lib/core/operations/read-words.ts';
import { FEATURES } from '../../../lib/features/features.ts';
import { NOTE_OPERATIONS } from '../../../lib/features/notes/operations.ts';

const read = (noun: string, rest: string) => {
  const found = findOperation(NOTE_OPERATIONS, noun, rest);
  return found === undefined ? undefined : [found.operation.kind, readWords(found.operation, found.words)];
};

describe('the words of memory', () => {
  it.each([
    ['remember', '{curly} words', ['change', { text: '{curly} words' }]],
    ['remember', '{"a": 1}', ['change', { text: '{"a": 1}' }]],
    ['remember', '{"text": "as JSON"}', ['change', { text: 'as JSON' }]],
    ['focus', '', ['look', {}]],
    ['focus', 'garden party', ['change', { object: 'garden party' }]],
    ['scope', 'session', ['change', { scope: 'session' }]],
    ['memory', 'abcdef', ['look', { id: 'abcdef' }]],
    ['memory', 'close -100', ['change', { chat: '-100' }]],
    ['diff', 'before trip .. 2', ['look', { from: 'before', to: 'trip .. 2' }]],
  ])('of /%s %s are read', (noun, rest, expected) => {
    expect(read(noun, rest)).toStrictEqual(expected);
  });

  it('have one name each for programs', () => {
    const { paths } = JSON.parse(JSON.stringify(buildOpenApi(operationsIn(FEATURES))));
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(Object(path)).map((one) => Object(one).operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});
