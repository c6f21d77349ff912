/** The gate stops a refused or denied action that is proposed again, and says so. */
import { describe, expect, it } from 'vitest';
import { checkRepeat } from '../../../../lib/core/gates/rules/repeat.ts';
import { factsFor, toolCall } from '../samples.ts';

const refused = 'exactly this was refused before: propose something else, or say why it cannot be done';
const denied = 'a person denied exactly this: propose something else, or say that it will not be done';

describe('checkRepeat', () => {
  it.each([
    [{}, { verdict: 'pass', reason: '' }],
    [{ isRefusedBefore: true }, { verdict: 'block', reason: refused }],
    [{ isDeniedBefore: true }, { verdict: 'block', reason: denied }],
    [
      { isRefusedBefore: true, isDeniedBefore: true },
      { verdict: 'block', reason: denied },
    ],
  ])('judges %j', (changes, verdict) => {
    expect(checkRepeat(toolCall(), factsFor(toolCall(), changes))).toStrictEqual(verdict);
  });
});
