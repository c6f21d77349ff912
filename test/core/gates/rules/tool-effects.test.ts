/** Rules judge what a tool declares. A name in a rule must at least be the name of a tool. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MCP_ROW, TOOLS as ROWS } from '../../../../lib/core/gates/rules/access-table.ts';
import { EFFECTS_OF_STORED_FACTS, effectsOf } from '../../../../lib/core/gates/rules/tool-effects.ts';
import { TOOLS } from '../../../../lib/core/tools/catalogue.ts';
import { factsFor, reply, toolCall } from '../samples.ts';
import { codeOf } from '../source.ts';

const NAMES = new Set([...TOOLS.map(({ name }) => name), MCP_ROW]);
const RULES = new URL('../../../../lib/core/gates/rules/', import.meta.url);
const sources = readdirSync(RULES)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, code: codeOf(readFileSync(new URL(file, RULES), 'utf8')) }));

/** A quoted word where a rule speaks of an action's tool, or of a list of tools. */
const NAMED = /^(?!import\b).*(?:\btool\b|TOOLS?\b).*$/gm;
const WORD = /'([a-z]+(?:-[a-z]+)*)'/g;
/** Words of such lines that are fields or targets of an action. */
const OTHER = new Set([
  'text',
  'to',
  'topic',
  'url',
  'tool',
  'args',
  'explanation',
  'template',
  'card',
  'webhook',
  'model',
  'owner',
  'block',
]);

describe('names of tools in rules', () => {
  it('are names that tools have', () => {
    const unknown = sources.flatMap(({ file, code }) =>
      [...code.matchAll(NAMED)].flatMap(([line]) =>
        [...line.matchAll(WORD)]
          .map(([, word = '']) => word)
          .filter((word) => !NAMES.has(word) && !OTHER.has(word))
          .map((word) => `${file}: ${word}`),
      ),
    );
    expect(unknown).toStrictEqual([]);
  });

  it('stand in no rule but the table of rights and the table for stored facts', () => {
    const tables = new Set(['access-table.ts', 'tool-effects.ts']);
    const named = sources.flatMap(({ file, code }) =>
      tables.has(file) ? [] : [...NAMES].filter((name) => code.includes(`'${name}'`)).map((name) => `${file}: ${name}`),
    );
    expect(named).toStrictEqual([]);
    const tabled = [...Object.keys(ROWS), ...Object.keys(EFFECTS_OF_STORED_FACTS)];
    expect(tabled.filter((name) => !NAMES.has(name))).toStrictEqual([]);
  });
});

describe('effectsOf', () => {
  it('gives what the facts say, and reads facts from before as what the tools did', () => {
    const { effects: _, ...before } = factsFor(toolCall({ tool: 'forget' }));
    expect(effectsOf(toolCall({ tool: 'forget' }), before)).toStrictEqual({ destroys: true });
    expect(effectsOf(toolCall({ tool: 'forget' }), { ...before, effects: {} })).toStrictEqual({});
    expect(effectsOf(toolCall({ tool: 'mcp-tracker-find' }), before)).toStrictEqual({ leavesSpace: true });
    for (const tool of ['remember', 'constructor']) expect(effectsOf(toolCall({ tool }), before)).toStrictEqual({});
    expect(effectsOf(reply(), before)).toStrictEqual({});
  });

  it('is no weaker today than for stored facts', () => {
    for (const [name, stored] of Object.entries(EFFECTS_OF_STORED_FACTS))
      expect(TOOLS.find((tool) => tool.name === name)?.effects, name).toMatchObject(stored);
  });
});
