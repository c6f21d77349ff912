/**
 * `/rollback <name|position>`: what would change, worked out before anybody is asked, so that the approval's card shows it. The
 * plan names the commit it was made on; Act refuses it when memory has moved on since. Reads only.
 */
import { ProtocolError } from '../base/errors.ts';
import { MEMORY_PLAN_LINES_MAX } from '../base/limits.ts';
import type { MemoryReads } from './answer-memory.ts';
import { rollbackLine } from './memory-lines.ts';
import type { CommandCall } from './perceive/command-action.ts';

/** @throws ProtocolError where there is no such snapshot or commit, or nothing would change. */
export const planRollbackCall = async (
  memory: Pick<MemoryReads, 'planRollback' | 'view'>,
  rest: string,
): Promise<CommandCall> => {
  if (rest === '') throw new ProtocolError('/rollback needs a snapshot or a commit number; /snapshots lists them');
  const { target, head, lines } = await memory.planRollback(rest);
  const changing = lines.filter(({ what }) => what !== 'stays-forgotten');
  if (changing.length === 0) throw new ProtocolError(`nothing has changed since commit ${target}`);
  const shown = lines.slice(0, MEMORY_PLAN_LINES_MAX).map(rollbackLine);
  const left = lines.length - shown.length;
  const { objects } = await memory.view();
  const seen = lines.map(({ id }) => ({ id, version: objects.get(id)?.version ?? 0 }));
  return {
    tool: 'rollback',
    args: { to: target, head, changes: left > 0 ? [...shown, `… ${left} more`] : shown },
    seen: seen.slice(0, MEMORY_PLAN_LINES_MAX),
  };
};
