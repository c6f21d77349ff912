import { describe, expect, it } from 'vitest';
import { actionSentence } from '../../../../lib/core/tools/action-sentence.ts';

describe('the sentence of add-skill', () => {
  it.each([
    ['---\nname: tea\ndescription: Tea.\n---\n# Tea\n', 'Put the skill tea of 1 file in force'],
    ['---\ndescription: Tea.\nname: "tea"\n---\nname: rum\n', 'Put the skill tea of 1 file in force'],
    ['---\nname: Tea “x”\n---\n', 'Put a skill of 1 file in force'],
    ['name: tea\n', 'Put a skill of 1 file in force'],
  ])('names a skill by its own file: %j', (text, words) => {
    const files = [{ path: 'SKILL.md', text }];
    const action = { target: 'tool', tool: 'add-skill', args: { files, trust: 'outside' } };
    expect(actionSentence(action)).toBe(`${words}: “SKILL.md”`);
  });
});
