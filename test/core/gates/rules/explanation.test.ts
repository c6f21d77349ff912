/**
 * What software writes where the model wrote nothing is no explanation, and what is refused says
 * why.
 */
import { describe, expect, it } from 'vitest';
import { checkExplanation } from '../../../../lib/core/gates/rules/explanation.ts';
import type { Action } from '../../../../lib/core/signal/action.ts';
import { factsFor, reply, toolCall } from '../samples.ts';

const judged = (action: Action) => checkExplanation(action, factsFor(action, { isPlainReply: false }));
const explained = (explanation: string) => judged(toolCall({ explanation }));

describe('checkExplanation', () => {
  it.each([
    'No explanation',
    'No explanation given.',
    'No explanation needed',
    'explanation not provided',
    'Explanation missing!',
    'Not applicable',
    'Calling the tool',
    'Function call.',
    'calling tool...',
    'Model tool call',
    'The model called a tool.',
    'As requested.',
    'Requested by user',
    'User requested',
    'User request',
    'The user asked.',
    'Automatically generated',
    'Auto-generated explanation',
    'Default explanation',
    'Lorem ipsum dolor sit amet',
    'placeholder',
    'Explanation',
    'Explanation goes here',
    'undefined undefined',
    '“As - requested”',
    't o o l   c a l l',
  ])('takes a stock sentence for none: %s', (explanation) => {
    expect(explained(explanation.padEnd(11, '.'))).toStrictEqual({
      verdict: 'block',
      reason: 'the explanation is a stock sentence: say why this is done, in own words',
    });
  });

  it.each([
    ['too short.', 'the explanation must say in at least 11 characters why this is done'],
    ['aaaaaaaaaaaaaaa', 'the explanation holds no sentence'],
  ])('says what is wrong with %j', (explanation, reason) => {
    expect(explained(explanation)).toStrictEqual({ verdict: 'block', reason });
  });

  it("asks no reason of a person's own command, and of a person's text", () => {
    const command = toolCall({ explanation: '', author: 'owner' });
    expect(judged(command)).toStrictEqual({ verdict: 'pass', reason: "a person's own command" });
    expect(judged(reply({ explanation: '', author: 'owner' })).verdict).toBe('block');
    expect(judged(toolCall({ explanation: '' })).verdict).toBe('block');
  });
});
