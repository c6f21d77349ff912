/**
 * Every tool of the catalogue is called once, with powers that note what it asks of them: a tool
 * that changes a job, a skill, a runner, a server, a grant or the policy stands in the one list,
 * and a tool that changes memory declares it.
 */
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { JsonObject } from '../../../lib/core/base/json.ts';
import { textHash } from '../../../lib/core/base/text-hash.ts';
import { buildNote } from '../../../lib/core/memory/object.ts';
import { TreeUpdate, treeHash } from '../../../lib/core/memory/tree-update.ts';
import { CHANGING_TOOLS } from '../../../lib/core/signal/changing-tools.ts';
import { argumentProblems } from '../../../lib/core/tools/argument-problems.ts';
import { TOOLS } from '../../../lib/core/tools/catalogue.ts';
import type { RunnableTool, ToolContext } from '../../../lib/core/tools/tool.ts';
import { planRunbook, runbookNameOf } from '../../../lib/features/plans/plan-steps.ts';
import { DEFINITIONS } from '../evidence/job-world.ts';

/** Powers over records, each with those of its functions that change nothing. */
const READING: Readonly<Record<string, readonly string[]>> = {
  jobs: ['load', 'list', 'run'],
  skills: ['read', 'findTool', 'readAll', 'keep'],
  learning: ['look', 'describe'],
  runners: ['list'],
  mcp: ['list'],
  chats: ['list'],
  // Events become signals like those of webhooks, and a cursor is no authority.
  mcpEvents: ['read'],
  settings: [],
  // The power is a function, which is told the tool.
  providers: ['try-provider', 'try-local-provider'],
  logins: [],
  plans: [],
  // A snapshot changes no object, and forgetting cannot be taken back.
  memory: ['view', 'load', 'loadMany', 'loadRemoved', 'list', 'recall', 'forget', 'snapshot', 'autoSave'],
};

const WRITTEN = { effectId: 's/w#0', signalId: 'w', origin: 'owner', now: 0, nonce: '0'.repeat(32) } as const;
const NOTE = buildNote({ text: 'x', tags: [], ...WRITTEN });
const STEP = buildNote({ text: 'calculate {}', tags: [], ...WRITTEN, effectId: 's/w#1' });
const PLAN = {
  ...buildNote({ text: 'plan', tags: [], ...WRITTEN, effectId: 's/w#2' }),
  children: [{ id: STEP.id, hash: STEP.hash }],
};
const OBJECTS = new Map([NOTE, STEP, PLAN].map((one) => [one.id, one]));
const PARTS = {
  plan: PLAN.id,
  title: 'plan',
  steps: [{ note: STEP.id, words: 'calculate', tool: 'calculate', args: {} }],
};
const TREE = TreeUpdate.parse({ origin: 'owner', nodes: [{ level: 1, key: 'x', title: 'x' }] });

/** What a tool reads on its way to a change of memory. */
const MEMORY_READS: Readonly<Record<string, unknown>> = {
  view: { objects: OBJECTS },
  loadMany: new Map([[NOTE.id, NOTE]]),
  loadRemoved: [],
};
const READS: Readonly<Record<string, unknown>> = {
  loadPayload: async () => ({
    sensor: 'buffer-update',
    tree: TREE,
    results: [{ n: 1, tool: 'read-attachment', state: 'done', output: 'x', origin: 'outside' }],
  }),
  loadSummarised: async () => ({ session: 's', turns: ['x'], shown: [], askedAt: 0, isForgotten: false }),
  loadFocus: async () => undefined,
  loadVectors: async () => [],
  walkSignals: async () => true,
};

/** Records that a tool reads by a power. */
const POWERS: Readonly<Record<string, unknown>> = {
  planRuns: {
    load: async () => ({
      run: {
        runbook: runbookNameOf(PLAN.id),
        state: 'running',
        ended: [{ at: [0], state: 'done' }],
        current: { at: [1] },
      },
      notes: [STEP.id],
    }),
  },
};

/** Arguments that no schema gives away. */
const ARGS: Readonly<Record<string, JsonObject>> = {
  'propose-plan': { steps: [{ tool: 'call-webhook', args: {} }] },
  'schedule-job': JsonObject.parse(DEFINITIONS.early),
  'change-setting': { name: 'TELEGRAM_APPROVERS', value: '7' },
  'edit-memory': { id: NOTE.id, text: 'y' },
  'arrange-notes': { note: NOTE.id, base: NOTE.hash, summary: { title: 'x', text: 'y' } },
  'write-plan': { title: 'x', steps: [{ words: 'x', tool: 'calculate', args: {} }] },
  'run-plan': { ...PARTS, hash: planRunbook(PARTS).hash, approveWhole: true },
  'mark-plan': { plan: PLAN.id },
  'keep-insight': { text: 'x', notes: [NOTE.id], isNew: true },
  'keep-notes': { from: 0, until: 1, turns: ['x'], answer: '[]' },
  ingest: { tree: treeHash(TREE), nodes: 1 },
  'ingest-file': { n: 1, hash: textHash('x'), name: 'x' },
};

interface Schema {
  readonly type?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly pattern?: string;
}

/** Each pattern fits one of them: a name, and hashes of three lengths. */
const TEXTS = ['x', ...[12, 32, 64].map((length) => '0'.repeat(length))];

/** The smallest value that a schema accepts. */
const sampleOf = (schema: Schema): unknown => {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return sampleOf(choices[0] ?? {});
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
      );
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}));
    case 'string':
      return TEXTS.find((text) => new RegExp(schema.pattern ?? '').test(text));
    case 'boolean':
      return true;
    default:
      return schema.minimum ?? 1;
  }
};

const argsOf = (tool: RunnableTool): JsonObject =>
  ARGS[tool.name] ?? (sampleOf(z.toJSONSchema(tool.args) as Schema) as JsonObject);

/** Names of the changing powers that a call uses. Whatever it asks for fails, so each call ends. */
const changesOf = async (tool: RunnableTool): Promise<readonly string[]> => {
  const changes: string[] = [];
  const powerOf = (power: string) =>
    new Proxy(() => undefined, {
      apply: (_, __, [verb]: readonly string[]) => {
        if (verb !== undefined && READING[power]?.includes(verb) === false) changes.push(`${power}.${verb}`);
        return Promise.reject(new Error('nothing is done here'));
      },
      get: (_, verb: string) => () => {
        if (READING[power]?.includes(verb) === false) changes.push(`${power}.${verb}`);
        const read = power === 'memory' ? MEMORY_READS[verb] : undefined;
        return read === undefined ? Promise.reject(new Error('nothing is done here')) : Promise.resolve(read);
      },
    });
  const plain = { now: 0, zone: 'UTC', effectId: 's/x#0', signalId: 'x', actor: 'telegram:7', origin: 'owner' };
  const context = {
    ...plain,
    addresses: ['192.0.2.1'],
    newNonce: () => WRITTEN.nonce,
    memory: powerOf('memory'),
    records: new Proxy(READS, { get: (known, name: string) => known[name] ?? powerOf(name) }),
    powers: new Proxy(POWERS, { get: (known, name: string) => known[name] ?? powerOf(name) }),
  } as unknown as ToolContext;
  await tool.run(argsOf(tool), context).catch(() => undefined);
  return changes;
};

const RUNNABLE = TOOLS.flatMap((tool) => (tool.target === 'tool' && tool.run !== undefined ? [tool] : []));

describe('CHANGING_TOOLS', () => {
  it('names every tool that changes a record, and no other', async () => {
    const misfits = RUNNABLE.flatMap((tool) => argumentProblems(tool, argsOf(tool)).map((what) => [tool.name, what]));
    expect(misfits).toStrictEqual([]);
    const changing: string[] = [];
    for (const tool of RUNNABLE)
      if ((await changesOf(tool)).some((change) => !change.startsWith('memory.'))) changing.push(tool.name);
    expect(changing.toSorted()).toStrictEqual(Object.keys(CHANGING_TOOLS).toSorted());
  });

  it('names every tool that declares that it changes rights', () => {
    const declared = TOOLS.filter(({ effects }) => effects?.changesAuthority === true).map(({ name }) => name);
    expect(declared.filter((name) => !Object.hasOwn(CHANGING_TOOLS, name))).toStrictEqual([]);
  });
});

describe('changesMemory', () => {
  it('is declared by every tool that changes an object of memory, and by no other', async () => {
    const changing: string[] = [];
    for (const tool of RUNNABLE)
      if ((await changesOf(tool)).some((change) => change.startsWith('memory.'))) changing.push(tool.name);
    expect(TOOLS.filter(({ changesMemory }) => changesMemory === true).map(({ name }) => name)).toStrictEqual(changing);
  });
});
