/**
 * Reads a checkout of a foreign benchmark: its tasks, injections, tools and environments, and the
 * commit and a hash of the files that were read. Nothing of it is kept here, and none of its code
 * runs. `read_suite.py` reads Python by its syntax trees; the environments are YAML and JSON.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../../lib/core/base/json.ts';

export interface SuiteCall {
  readonly tool: string;
  readonly args: JsonObject;
}
/** A user's task, or an injection: its words, and the calls of its ground truth. */
export interface SuiteTask {
  readonly id: string;
  readonly text: string;
  readonly calls: readonly SuiteCall[];
  /** Words that an injection without calls wants in the answer. */
  readonly says?: string;
}
export interface SuiteTool {
  readonly name: string;
  /** The server that offers it. */
  readonly room: string;
  readonly about: string;
  /** Parts of the state that it reads. */
  readonly parts: readonly string[];
  /** Types as Python writes them. */
  readonly parameters: readonly { readonly name: string; readonly type: string; readonly default: Json }[];
  readonly isChange: boolean;
}
export interface Suite {
  readonly name: string;
  readonly tasks: readonly SuiteTask[];
  readonly injections: readonly SuiteTask[];
  readonly tools: readonly SuiteTool[];
  /** With `{name}` in the texts that others wrote. */
  readonly state: JsonObject;
  /** The honest text of each such place. */
  readonly vectors: Readonly<Record<string, string>>;
}
export interface Checkout {
  readonly benchmark: 'AgentDojo' | 'τ-bench';
  readonly commit: string;
  readonly hash: string;
  /** The text around the goal of an injection, with `{goal}` in it. */
  readonly attack: string;
  readonly suites: readonly Suite[];
  readonly unreadable: readonly { readonly id: string; readonly reason: string }[];
}

/** Commits whose files were read before, and their hash. */
export const KNOWN: Readonly<Record<string, string>> = {
  '357c80dea9af34323f709c3505d9e6d224654c7e': '88a7451d2ac532570b5eec5df7cf3cac921ae8c9da0060fae9ff6b3bc8c8101d',
  a2c024725189473d2d7cea3a5cfdbcc67478e41f: 'dc3348ab977d2428b0ecc37668b15845afab8af9ae9cebfafdac7586cae28efb',
};

const DOJO = 'src/agentdojo/data/suites';
const TAU = 'data/tau2/domains';
const DOJO_SUITES = ['workspace', 'travel', 'banking', 'slack'];
const TAU_SUITES = ['airline', 'retail'];
const READER = fileURLToPath(new URL('read_suite.py', import.meta.url));

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Strings of a value, keys too, each changed. */
const mapTexts = (value: Json, change: (text: string) => string): Json => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one: Json) => mapTexts(one, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key), mapTexts(one as Json, change)]));
};

/** The state of an account: in each place the honest text, and behind it what an attacker wrote. */
export const fillState = ({ state, vectors }: Pick<Suite, 'state' | 'vectors'>, plant: string): JsonObject =>
  mapTexts(state, (text) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const honest = vectors[name];
      return honest === undefined ? whole : `${honest}${plant}`;
    }),
  ) as JsonObject;

/** Files that a reader asked for, so that they can be hashed. */
const openFolder = (root: string) => {
  const read = new Set<string>();
  const text = (path: string): string => {
    read.add(path);
    return readFileSync(join(root, path), 'utf8');
  };
  const yaml = (path: string): Json =>
    parse(text(path), {
      customTags: [{ tag: '!include', resolve: (name: string) => yaml(join(dirname(path), name)) }],
    }) as Json;
  const hash = (): string => {
    const all = createHash('sha256');
    for (const path of [...read].sort()) all.update(`${path}\n`).update(readFileSync(join(root, path)));
    return all.digest('hex');
  };
  return { text, yaml, hash };
};

const commitOf = (root: string): string => {
  try {
    return execFileSync('git', ['-C', root, 'rev-parse', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'none';
  }
};

/** Names of tools that only look. One that asks any address for a page also tells that address. */
const LOOKS = /^(?:get|read|search|list|check)_(?!webpage$)/;

type Printed = Pick<Checkout, 'attack'> & {
  readonly files: readonly string[];
  readonly suites: readonly (Pick<Suite, 'name' | 'tasks' | 'injections'> &
    Pick<Checkout, 'unreadable'> & { readonly tools: readonly Omit<SuiteTool, 'isChange'>[] })[];
};

const readAgentDojo = (root: string): Checkout => {
  const folder = openFolder(root);
  const names = DOJO_SUITES.filter((name) => existsSync(join(root, DOJO, name)));
  const parts = names.map((name) => {
    const vectors = folder.yaml(`${DOJO}/${name}/injection_vectors.yaml`) as Record<string, { default: string }>;
    return {
      state: folder.yaml(`${DOJO}/${name}/environment.yaml`) as JsonObject,
      vectors: Object.fromEntries(
        // The benchmark fills these into the text of the YAML, where escapes are still to be read.
        Object.entries(vectors).map(([key, one]) => [
          key,
          one.default.replace(/\\([nt])/g, (_, letter) => (letter === 'n' ? '\n' : '\t')),
        ]),
      ),
    };
  });
  const input = JSON.stringify(
    Object.fromEntries(names.map((name, n) => [name, fillState(parts[n] ?? { state: {}, vectors: {} }, '')])),
  );
  const printed = execFileSync('python3', [READER, root], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const { attack, suites, files } = JSON.parse(printed) as Printed;
  for (const file of files) folder.text(file);
  return {
    benchmark: 'AgentDojo',
    commit: commitOf(root),
    hash: folder.hash(),
    attack,
    suites: suites.map(({ name, tasks, injections, tools }, n) => ({
      ...{ name, tasks, injections },
      tools: tools.map((tool) => ({
        ...tool,
        room: tool.room.replace(/_.*$/, ''),
        isChange: !LOOKS.test(tool.name),
      })),
      state: parts[n]?.state ?? {},
      vectors: parts[n]?.vectors ?? {},
    })),
    unreadable: suites.flatMap(({ unreadable }) => unreadable),
  };
};

interface GoldTask {
  readonly id: string;
  readonly evaluation_criteria?: {
    readonly actions?: readonly { readonly name: string; readonly arguments: JsonObject }[] | null;
  } | null;
}

const pythonType = (value: unknown): string => {
  if (typeof value === 'number') return 'float';
  if (typeof value === 'string') return 'str';
  return Array.isArray(value) ? 'list' : typeof value === 'boolean' ? 'bool' : 'object';
};

/** A task's owner only names it: its words are a customer's part in a talk, which nobody plays. */
const readTau = (root: string): Checkout => {
  const folder = openFolder(root);
  const unreadable: { id: string; reason: string }[] = [];
  const suites = TAU_SUITES.map((name): Suite => {
    const gold = JSON.parse(folder.text(`${TAU}/${name}/tasks.json`)) as readonly GoldTask[];
    const source = folder.text(`src/tau2/domains/${name}/tools.py`);
    const tasks = gold.map(({ id, evaluation_criteria }) => ({
      id: `${name} task ${id}`,
      text: `Please do what ${name} task ${id} needs.`,
      calls: (evaluation_criteria?.actions ?? []).map((one) => ({ tool: one.name, args: one.arguments })),
    }));
    const empty = tasks.filter(({ calls }) => calls.length === 0);
    unreadable.push(...empty.map(({ id }) => ({ id, reason: 'it has no gold action' })));
    const calls = tasks.flatMap((task) => task.calls);
    // Some megabytes, which no figure depends on: it is not hashed, and may be missing.
    const database = join(root, TAU, name, 'db.json');
    const state = existsSync(database) ? readFileSync(database, 'utf8') : '{}';
    return {
      name,
      tasks: tasks.filter((task) => task.calls.length > 0),
      injections: [],
      tools: [...source.matchAll(/@is_tool\(ToolType\.(\w+)\)\s+def (\w+)/g)].map(([, kind, tool = '']) => {
        const args = calls.filter((one) => one.tool === tool).flatMap((one) => Object.entries(one.args));
        const types = new Map(args.map(([key, value]) => [key, pythonType(value)]));
        return {
          ...{ name: tool, room: name, about: tool.replaceAll('_', ' '), parts: [] },
          parameters: [...types].map(([key, type]) => ({ name: key, type, default: null })),
          isChange: kind === 'WRITE',
        };
      }),
      state: JSON.parse(state) as JsonObject,
      vectors: {},
    };
  });
  return { benchmark: 'τ-bench', commit: commitOf(root), hash: folder.hash(), attack: '', suites, unreadable };
};

/** @throws Error if the folder is a checkout of neither benchmark, or Python is missing */
export const readCheckout = (root: string): Checkout => {
  if (existsSync(join(root, TAU))) return readTau(root);
  if (!existsSync(join(root, DOJO)))
    throw new Error(`${root} is a checkout of neither AgentDojo (${DOJO}) nor τ-bench (${TAU})`);
  try {
    execFileSync('python3', ['--version'], { stdio: 'pipe' });
  } catch {
    throw new Error('the ground truths of AgentDojo are read by python3, which is not installed');
  }
  return readAgentDojo(root);
};
