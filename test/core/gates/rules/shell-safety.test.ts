/** A command is judged by what was found in it, and never without a look at it. */

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../lib/core/base/json.ts';
import { checkShellSafety } from '../../../../lib/core/gates/rules/shell-safety.ts';
import type { Facts, ToolEffects } from '../../../../lib/core/signal/facts.ts';
import { gatherShell } from '../../../../lib/features/runner/facts/command-class.ts';
import { SHELL_RULES_VERSION } from '../../../../lib/features/runner/shell/classify-command.ts';
import { factsFor, toolCall } from '../samples.ts';

describe('checkShellSafety', () => {
  /** A tool made for this test: no tool of the catalogue runs commands. */
  const effects: ToolEffects = { runsCommand: 'line' };
  const action = toolCall({ tool: 'made-for-this', args: { line: 'ls' } });
  const factsWith = (changes: Partial<Facts> = {}) => factsFor(action, { effects, ...changes });

  it('passes a command in which nothing was found', () => {
    const shell = { rulesVersion: SHELL_RULES_VERSION, dangers: [] };
    expect(checkShellSafety(action, factsWith({ shell }))).toStrictEqual({ verdict: 'pass', reason: '' });
  });

  it('blocks with what was found', () => {
    const shell = { rulesVersion: SHELL_RULES_VERSION, dangers: ['it reads credentials', 'it sends data out'] };
    expect(checkShellSafety(action, factsWith({ shell }))).toStrictEqual({
      verdict: 'block',
      reason: 'the command must not run: it reads credentials; it sends data out',
    });
  });

  it('blocks a command nobody looked into', () => {
    expect(checkShellSafety(action, factsWith())).toStrictEqual({
      verdict: 'block',
      reason: 'nobody looked into this command',
    });
  });

  it('judges what the facts found in the declared argument, and in no other', async () => {
    const judge = async (args: JsonObject) => {
      const call = toolCall({ tool: 'made-for-this', args });
      const facts = factsFor(call, { effects });
      return checkShellSafety(call, { ...facts, ...(await gatherShell(call, {}, facts)) }).verdict;
    };
    expect(await judge({ line: 'ls' })).toBe('pass');
    expect(await judge({ cmd: 'ls' })).toBe('block');
    const other = toolCall({ args: { line: 'rm -rf /' } });
    expect(await gatherShell(other, {}, factsFor(other))).toStrictEqual({ shell: null });
  });

  it('passes every other tool', () => {
    expect(checkShellSafety(toolCall(), factsFor(toolCall()))).toStrictEqual({ verdict: 'pass', reason: '' });
  });
});
