/** Every command, in the order the help shows them. */
import type { Command } from './command.ts';
import { approvals } from './commands/approvals.ts';
import { approve, deny } from './commands/approve.ts';
import { budget } from './commands/budget.ts';
import { chat } from './commands/chat.ts';
import { connectTelegram } from './commands/connect-telegram.ts';
import { cost } from './commands/cost.ts';
import { doctor } from './commands/doctor.ts';
import { effects } from './commands/effects.ts';
import { evidence } from './commands/evidence.ts';
import { buildExport } from './commands/export.ts';
import { gates } from './commands/gates.ts';
import { grants, revoke } from './commands/grants.ts';
import { buildHelp } from './commands/help.ts';
import { identity } from './commands/identity.ts';
import { buildImport } from './commands/import.ts';
import { mcp } from './commands/mcp.ts';
import { memory } from './commands/memory.ts';
import { models } from './commands/models.ts';
import { pair } from './commands/pair.ts';
import { policy } from './commands/policy.ts';
import { redrive } from './commands/redrive.ts';
import { replay } from './commands/replay.ts';
import { seenBy } from './commands/seen-by.ts';
import { send } from './commands/send.ts';
import { signals } from './commands/signals.ts';
import { skill } from './commands/skill.ts';
import { resume, stop } from './commands/stop.ts';
import { verify } from './commands/verify.ts';
import { why } from './commands/why.ts';
import { findStackNotes } from './stack-notes.ts';

export const COMMANDS: readonly Command[] = [
  chat,
  send,
  signals,
  why,
  approvals,
  approve,
  deny,
  grants,
  revoke,
  memory,
  seenBy,
  buildImport(findStackNotes),
  buildExport(findStackNotes),
  budget,
  cost,
  models,
  stop,
  resume,
  redrive,
  effects,
  gates,
  policy,
  mcp,
  identity,
  skill,
  replay,
  evidence,
  verify,
  pair,
  connectTelegram,
  doctor,
  buildHelp(() => COMMANDS),
];
