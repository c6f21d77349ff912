/** Facts name the effects of a tool only if rules would not assume the same without them. */
import { describe, expect, it } from 'vitest';
import { effectsOf } from '../../lib/gates/rules/tool-effects.ts';
import { gatherFacts } from '../../lib/judge/gather-facts.ts';
import { TOOLS } from '../../lib/tools/catalogue.ts';
import { MCP_EFFECTS } from '../../lib/tools/mcp/catalogue.ts';
import { toolCall } from '../gates/samples.ts';

const sources = {
  stage: 'reason',
  now: 1,
  space: 'default',
  reply: { target: 'console', to: 'main' },
  origin: 'owner',
  policyVersion: 'p',
} as const;
const gather = (tool: string) => gatherFacts(toolCall({ tool }), sources);

describe('gatherFacts', () => {
  it('gives rules the effects that each tool declares', async () => {
    for (const { name, effects = {} } of TOOLS)
      expect({ name, effects: effectsOf(toolCall({ tool: name }), await gather(name)) }).toStrictEqual({
        name,
        effects,
      });
    expect(effectsOf(toolCall({ tool: 'mcp-tracker-find' }), await gather('mcp-tracker-find'))).toStrictEqual(
      MCP_EFFECTS,
    );
  });

  it('names only effects that the release before cannot know', async () => {
    const named = await Promise.all(TOOLS.map(async ({ name }) => ('effects' in (await gather(name)) ? [name] : [])));
    expect(named.flat().sort()).toStrictEqual([
      'accept-mcp-server',
      'accept-offer',
      'add-skill',
      'edit-file',
      'edit-skill',
      'fetch-url',
      'list-files',
      'pair-runner',
      'pause-job',
      'pause-runner',
      'read-file',
      'remove-job',
      'remove-mcp-server',
      'remove-runner',
      'remove-skill',
      'resume-job',
      'resume-runner',
      'schedule-job',
      'search-files',
      'shell',
      'switch-skill-jobs',
      'write-file',
    ]);
  });
});
