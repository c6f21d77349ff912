import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../lib/core/base/errors.ts';
import { estimateTokens } from '../../../lib/core/base/estimate-tokens.ts';
import { TOOLS } from '../../../lib/core/tools/catalogue.ts';
import { TOOL_DESCRIPTIONS } from '../../../lib/core/tools/describe-tools.ts';
import { defineSkills, MANDATES_TOKENS_MAX, SKILLS, type Skill } from '../../../lib/features/skills/skills.ts';

const skill = (changes: Partial<Skill> = {}): Skill => ({
  name: 'one',
  trigger: { sensors: [], words: undefined },
  mandates: [],
  tools: [],
  owns: () => false,
  tier: 'auto',
  ...changes,
});

/** Each added skill is switched off by itself, so that nobody need switch off their reading. */
const OFFERED = TOOL_DESCRIPTIONS.map(({ name }) => name).filter((name) => !['read-skill', 'run-skill'].includes(name));

describe('SKILLS', () => {
  it('own every tool a model is offered, each exactly once', () => {
    const names = [...OFFERED, 'mcp-tracker-search'];
    expect(names.map((name) => [name, SKILLS.filter(({ owns }) => owns(name)).length])).toStrictEqual(
      names.map((name) => [name, 1]),
    );
  });

  it('name only tools that exist', () => {
    const named = SKILLS.flatMap(({ tools }) => tools).filter((name) => !name.startsWith('mcp-'));
    const unasked = TOOLS.filter(({ isMaintenance }) => isMaintenance === true).map(({ name }) => name);
    expect(named.toSorted()).toStrictEqual([...OFFERED, ...unasked].toSorted());
  });

  it('leave room for words in the smallest window', () => {
    const text = SKILLS.flatMap(({ mandates }) => mandates).join('\n');
    expect(estimateTokens(text)).toBeLessThan(MANDATES_TOKENS_MAX);
  });
});

describe('defineSkills', () => {
  it('refuses a table whose mandates no prompt could hold, and names all that is wrong', () => {
    const table = [
      skill({ mandates: ['word '.repeat(300)], tools: ['recall'] }),
      skill({ mandates: ['one\ntwo'], tools: ['recall'] }),
      skill({ name: 'Two words' }),
    ];
    expect(() => defineSkills(table)).toThrow(
      new ConfigError([
        'Two words is no name of a skill',
        'there are two skills one',
        'the tool recall is of two skills',
        'a mandate of one is no single line',
        `the mandates take 505 tokens, and ${MANDATES_TOKENS_MAX} are allowed`,
      ]),
    );
    expect(defineSkills([skill()])).toHaveLength(1);
  });
});
