import { describe, expect, it } from 'vitest';
import type { CodeContext } from '../../lib/stages/perceive/code-context.ts';
import { runners } from '../../lib/stages/perceive/commands/runner-commands.ts';

const HASH = 'ab'.repeat(32);
// The command looks at its words alone.
const context = {} as CodeContext;

describe('runners', () => {
  it.each([
    ['', { tool: 'list-runners', args: {} }],
    ['list', { tool: 'list-runners', args: {} }],
    [`pair home ${HASH}`, { tool: 'pair-runner', args: { name: 'home', codeHash: HASH } }],
    ['PAUSE home', { tool: 'pause-runner', args: { name: 'home' } }],
    ['resume home', { tool: 'resume-runner', args: { name: 'home' } }],
    ['remove home', { tool: 'remove-runner', args: { name: 'home' } }],
  ])('makes a call of %j', async (rest, call) => {
    expect(await runners(context, rest, 'runners')).toStrictEqual({ call });
  });

  it.each([
    ['pair home', 'in a terminal: npx passepartout runners pair home.'],
    ['pair', 'in a terminal: npx passepartout runners pair <name>.'],
    ['pause', 'That command needs another form'],
    ['pause home now', 'That command needs another form'],
    ['remove ../x', 'That command needs another form'],
    ['list all of them', 'That command needs another form'],
  ])('explains %j', async (rest, words) => {
    const answer = await runners(context, rest, 'runners');
    expect('notices' in answer && answer.notices[0]?.text).toContain(words);
  });
});
