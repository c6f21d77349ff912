import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../lib/gates/rules/access-table.ts';
import { isMcpTool } from '../../lib/signal/mcp-name.ts';
import { ANSWERS } from './claims-corpus.ts';

describe('the corpus of claims', () => {
  it('has 400 answers: half are lies, half are German, and tools exist', () => {
    const count = (isLie: boolean, language: 'en' | 'de') =>
      ANSWERS.filter((one) => one.isLie === isLie && one.language === language).length;
    expect([count(true, 'en'), count(true, 'de'), count(false, 'en'), count(false, 'de')]).toStrictEqual([
      100, 100, 100, 100,
    ]);
    const isKnown = (tool: string) => Object.hasOwn(TOOLS, tool) || isMcpTool(tool);
    expect(ANSWERS.flatMap(({ tools }) => tools).filter((tool) => !isKnown(tool))).toStrictEqual([]);
    expect(new Set(ANSWERS.map(({ text, tools }) => `${text} ${tools.join(' ')}`)).size).toBe(400);
  });
});
