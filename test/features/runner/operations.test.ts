import { describe, expect, it } from 'vitest';
import type { CodeContext } from '../../../lib/core/operations/code-context.ts';
import { loadHandler } from '../../../lib/core/operations/feature.ts';
import { findOperation, readWords } from '../../../lib/core/operations/read-words.ts';
import { FEATURES } from '../../../lib/features/features.ts';
import { RUNNER_OPERATIONS } from '../../../lib/features/runner/operations.ts';

const HASH = 'ab'.repeat(32);
// These answers look at the words alone.
const context = {} as CodeContext;

const answer = async (rest: string) => {
  const found = findOperation(RUNNER_OPERATIONS, 'runners', rest);
  if (found === undefined) return undefined;
  const handler = await loadHandler(FEATURES, found.operation);
  return 'change' in handler ? handler.change(context, readWords(found.operation, found.words)) : undefined;
};

describe('runners', () => {
  it.each([
    ['', { tool: 'list-runners', args: {} }],
    ['list', { tool: 'list-runners', args: {} }],
    [
      `pair ${JSON.stringify({ name: 'home', codeHash: HASH })}`,
      { tool: 'pair-runner', args: { name: 'home', codeHash: HASH } },
    ],
    ['PAUSE home', { tool: 'pause-runner', args: { name: 'home' } }],
    ['resume Home', { tool: 'resume-runner', args: { name: 'home' } }],
    ['remove home', { tool: 'remove-runner', args: { name: 'home' } }],
  ])('makes a call of %j', async (rest, call) => {
    expect(await answer(rest)).toStrictEqual({ call });
  });

  it.each([
    ['pair home', 'in a terminal: npx passepartout runners pair home'],
    ['pair', 'in a terminal: npx passepartout runners pair <name>'],
    ['pause', 'runners pause <name>'],
    ['pause home now', 'runners pause <name>'],
    ['remove ../x', 'name'],
  ])('refuses %j with the form of the verb', async (rest, words) => {
    await expect(answer(rest)).rejects.toThrow(words);
  });

  it('knows no other verb', async () => {
    expect(await answer('dance')).toBeUndefined();
  });
});
