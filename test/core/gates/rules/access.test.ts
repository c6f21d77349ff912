/** Every tool has a row of access, and the gate keeps to the rows. */
import { describe, expect, it } from 'vitest';
import { checkAccess } from '../../../../lib/core/gates/rules/access.ts';
import {
  MACHINE_ROW,
  MCP_ROW,
  mayUseTool,
  TOOLS as ROWS,
  toolAccess,
} from '../../../../lib/core/gates/rules/access-table.ts';
import { Asker, ChatMemory } from '../../../../lib/core/signal/asker.ts';
import { TOOLS } from '../../../../lib/core/tools/catalogue.ts';
import { factsFor, notice, reply, toolCall } from '../samples.ts';

const NAMES = [...TOOLS.map(({ name }) => name), MCP_ROW];

describe('the table of tools', () => {
  it('has a row for every tool, and for no other name', () => {
    expect(Object.keys(ROWS).sort()).toStrictEqual([...TOOLS.map(({ name }) => name), MCP_ROW].sort());
    expect(toolAccess('mcp-files-read')).toBe(ROWS['mcp-call']);
    for (const name of ['constructor', 'unknown-tool', '']) expect(toolAccess(name)).toBe(undefined);
  });

  it('gives memory, and what other servers hold, to nobody but the owner in a chat that is named for it', () => {
    for (const tool of ['recall', 'list-memory', 'rollback', 'ingest', 'mcp-files-read'])
      for (const asker of Asker.options)
        for (const chat of ChatMemory.options) {
          const isOwner = asker === 'approver' || asker === 'owner' || (asker === 'system' && tool.startsWith('mcp-'));
          expect(mayUseTool(tool, asker, chat), `${tool} ${asker} ${chat}`).toBe(isOwner && chat !== 'closed');
        }
  });
});

describe('checkAccess', () => {
  it.each(NAMES)('lets %s pass exactly where its row does, and never without a row', (tool) => {
    for (const askedBy of Asker.options)
      for (const chatMemory of ChatMemory.options)
        for (const author of ['model', 'owner'] as const) {
          const action = toolCall({ tool, author });
          const { verdict } = checkAccess(action, factsFor(action, { askedBy, chatMemory }));
          const isOwners = MACHINE_ROW.who.includes(askedBy) && chatMemory !== 'closed';
          const may = toolAccess(tool) === undefined ? isOwners : mayUseTool(tool, askedBy, chatMemory);
          expect(verdict).toBe(may ? 'pass' : 'block');
        }
    const unknown = toolCall({ tool: `x-${tool}` });
    expect(checkAccess(unknown, factsFor(unknown)).verdict).toBe('block');
  });

  it('asks before a text made from memory goes to a group that is not open, and lets code speak', () => {
    for (const chatMemory of ChatMemory.options)
      for (const isMemoryShown of [true, false]) {
        const { verdict } = checkAccess(reply(), factsFor(reply(), { chatMemory, isMemoryShown }));
        expect(verdict).toBe(isMemoryShown && chatMemory !== 'open' ? 'ask' : 'pass');
        const said = checkAccess(notice(), factsFor(notice(), { chatMemory, isMemoryShown, askedBy: 'member' }));
        expect(said.verdict).toBe('pass');
      }
  });
});
