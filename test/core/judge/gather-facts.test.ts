/**
 * Every fact has a file and a row. Facts name the effects of a tool only if rules would not assume
 * the same without them.
 */
import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { effectsOf } from '../../../lib/core/gates/rules/tool-effects.ts';
import type { FactSources } from '../../../lib/core/judge/fact-sources.ts';
import { FACTS, gatherFacts } from '../../../lib/core/judge/gather-facts.ts';
import { FACT_DEFAULTS } from '../../../lib/core/signal/facts.ts';
import { TOOLS } from '../../../lib/core/tools/catalogue.ts';
import { MCP_EFFECTS } from '../../../lib/core/tools/mcp-catalogue.ts';
import type { Runners } from '../../../lib/features/runner/runners.ts';
import { SHELL_RULES_VERSION } from '../../../lib/features/runner/shell/classify-command.ts';
import { toolCall } from '../gates/samples.ts';

const LIB = fileURLToPath(new URL('../../../lib/', import.meta.url));
const sources = {
  stage: 'reason',
  now: 1,
  space: 'default',
  reply: { target: 'console', to: 'main' },
  origin: 'owner',
  state: { policyVersion: 'p' },
} as const;
const gather = (tool: string) => gatherFacts(toolCall({ tool }), sources);

describe('gatherFacts', () => {
  it('has a row for every file of facts, and a row that makes every fact which has a default', async () => {
    const files = ['core/judge/facts', ...globSync('features/*/facts', { cwd: LIB })].flatMap((folder) =>
      readdirSync(join(LIB, folder)),
    );
    expect(FACTS.length, 'add each file of lib/core/judge/facts to FACTS in gather-facts.ts').toBe(files.length);
    const action = toolCall();
    const facts = await gatherFacts(action, sources);
    const made = await Promise.all(FACTS.map((gatherOne) => gatherOne(action, sources, facts)));
    const unmade = Object.keys(FACT_DEFAULTS).filter((name) => !made.some((found) => name in found));
    expect(unmade, 'no row of FACTS makes these').toStrictEqual([]);
  });

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
      'add-local-provider',
      'add-provider',
      'add-skill',
      'change-setting',
      'edit-file',
      'edit-skill',
      'fetch-url',
      'list-files',
      'order-providers',
      'pair-runner',
      'pause-job',
      'pause-runner',
      'propose-plan',
      'read-file',
      'remove-chat',
      'remove-job',
      'remove-mcp-server',
      'remove-runner',
      'remove-skill',
      'resume-job',
      'resume-runner',
      'schedule-job',
      'search-files',
      'search-web',
      'shell',
      'switch-skill-jobs',
      'try-provider',
      'write-file',
    ]);
  });

  const ALLOW = {
    hash: 'a'.repeat(64),
    home: '/home/ada',
    read: ['/r'],
    write: ['/w'],
    programs: [],
    hasNetwork: false,
  };
  const paired = { name: 'desk', publicKey: 'k', slot: 1, pairedAt: 1, pairedBy: '7', isPaused: false, allow: ALLOW };
  const runners: Runners = { schemaVersion: 1, round: 1, runners: [paired] };
  const run = (cmd: string, more: Partial<FactSources> = {}) =>
    gatherFacts(toolCall({ tool: 'shell', args: { cmd, folder: '/w', runner: 'desk' } }), {
      ...sources,
      state: { policyVersion: 'p', records: { runners } },
      ...more,
    });

  it('gives a command its class, its paths on the machine it names, and that machine', async () => {
    const { shell, runner, tier } = await run('cat a ~/b > c');
    expect({ shell, runner, tier }).toStrictEqual({
      shell: {
        rulesVersion: SHELL_RULES_VERSION,
        dangers: [],
        class: 'changes',
        because: ['it writes to a file'],
        reads: ['/home/ada/b', '/w/a'],
        writes: ['/w/c'],
        programs: ['cat'],
      },
      runner: {
        name: 'desk',
        isPaired: true,
        isPaused: false,
        home: '/home/ada',
        read: ['/r'],
        write: ['/w'],
        programs: [],
        hasNetwork: false,
        hasNeverStarted: true,
      },
      tier: 'ask',
    });
    expect((await run('git push -f')).shell).toMatchObject({ class: 'leaves', destroys: true });
    expect((await gatherFacts(toolCall({ tool: 'shell', args: { cmd: 'ls' } }), sources)).runner?.isPaired).toBe(false);
    expect('runner' in (await gather('remember'))).toBe(false);
  });

  it.each([
    ['ls', 'allow'],
    ['touch a', 'ask'],
    ['rm a', 'ask'],
    ['curl x', 'ask'],
    ['./x', 'ask'],
  ])('gives %s the tier of its class: %s', async (cmd, tier) => {
    expect((await run(cmd)).tier).toBe(tier);
    // A job asks at least, whatever it runs.
    expect((await run(cmd, { session: 'job:0a1b2c3d4e5f' })).tier).toBe('ask');
  });
});
