/**
 * Gives a machine a file of a skill: of an order that it has taken, which names these bytes, and
 * only while a skill in force has them. @throws ProtocolError in words for the machine's owner
 */
import { ProtocolError } from '../../../core/base/errors.ts';
import type { MachineDeps } from '../../../core/operations/machine-door.ts';
import { filesOf, loadSkillFile } from '../../skills/skill-store.ts';
import { SignedOrder } from '../order.ts';
import { loadOrderRow } from '../order-row.ts';
import type { RunnerAnswer, RunnerBody } from '../requests.ts';
import type { Runner } from '../runners.ts';
import { orderFiles } from '../skill-folder.ts';

export const giveFile = async (
  { table, space, contents }: Pick<MachineDeps, 'table' | 'space' | 'contents'>,
  runner: Runner,
  { id, sha256 }: RunnerBody<'file'>,
): Promise<RunnerAnswer<'file'>> => {
  const row = await loadOrderRow(table, space, id);
  const isTheirs = row?.runner === runner.name && row.state === 'taken' && row.signed !== undefined;
  const { args = {} } = isTheirs ? SignedOrder.parse(JSON.parse(row.signed ?? '')).job.action : {};
  const named = orderFiles(args).some((file) => file.sha256 === sha256);
  if (!named) throw new ProtocolError('no order that this machine has names this file');
  const { files } = await filesOf(table, space, String(args.skill));
  const file = files.find((one) => one.sha256 === sha256);
  if (file === undefined)
    throw new ProtocolError(`the skill ${String(args.skill)} was changed and has no such file any more`);
  const text = file.isForMachine === true ? undefined : await loadSkillFile(table, space, sha256);
  const bytes = text === undefined ? await contents?.ofSkills.load(sha256) : Buffer.from(text);
  if (bytes === undefined)
    throw new ProtocolError(`the bytes of ${file.path} are gone: add the skill from its folder again`);
  return { base64: Buffer.from(bytes).toString('base64') };
};
