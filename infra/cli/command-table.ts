/**
 * Every command, in the order the help shows them. Each is a row that loads it: one that is named
 * loads nothing of the others, which would be 700 files.
 */
import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';

const loadNotes = async () => (await import('./stack-notes.ts')).findStackNotes;

const LOADERS: Readonly<Record<string, () => Promise<Command>>> = {
  chat: async () => (await import('./commands/chat.ts')).chat,
  send: async () => (await import('./commands/send.ts')).send,
  signals: async () => (await import('./commands/signals.ts')).signals,
  why: async () => (await import('./commands/why.ts')).why,
  approvals: async () => (await import('./commands/approvals.ts')).approvals,
  approve: async () => (await import('./commands/approve.ts')).approve,
  deny: async () => (await import('./commands/approve.ts')).deny,
  grants: async () => (await import('./commands/grants.ts')).grants,
  revoke: async () => (await import('./commands/grants.ts')).revoke,
  memory: async () => (await import('./commands/memory.ts')).memory,
  'seen-by': async () => (await import('./commands/seen-by.ts')).seenBy,
  import: async () => (await import('./commands/import.ts')).buildImport(await loadNotes()),
  export: async () => (await import('./commands/export.ts')).buildExport(await loadNotes()),
  budget: async () => (await import('./commands/budget.ts')).budget,
  cost: async () => (await import('./commands/cost.ts')).cost,
  models: async () => (await import('./commands/models.ts')).models,
  stop: async () => (await import('./commands/stop.ts')).stop,
  resume: async () => (await import('./commands/stop.ts')).resume,
  redrive: async () => (await import('./commands/redrive.ts')).redrive,
  effects: async () => (await import('./commands/effects.ts')).effects,
  gates: async () => (await import('./commands/gates.ts')).gates,
  policy: async () => (await import('./commands/policy.ts')).policy,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  identity: async () => (await import('./commands/identity.ts')).identity,
  skill: async () => (await import('./commands/skill.ts')).skill,
  replay: async () => (await import('./commands/replay.ts')).replay,
  evidence: async () => (await import('./commands/evidence.ts')).evidence,
  verify: async () => (await import('./commands/verify.ts')).verify,
  pair: async () => (await import('./commands/pair.ts')).pair,
  'connect-telegram': async () => (await import('./commands/connect-telegram.ts')).connectTelegram,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  help: async () => (await import('./commands/help.ts')).buildHelp(loadAll),
};

const loadAll = (): Promise<readonly Command[]> => Promise.all(Object.values(LOADERS).map((load) => load()));

/** The command these words name alone, or all where they name none or ask for help. */
export const loadCommands = async (words: readonly string[]): Promise<readonly Command[]> => {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: GLOBAL_OPTIONS,
    allowPositionals: true,
    strict: false,
  });
  const name = positionals[0] ?? '';
  const load = Object.hasOwn(LOADERS, name) && values.help !== true ? LOADERS[name] : undefined;
  return load === undefined ? loadAll() : [await load()];
};
