/** How a line of a chat may go on: with a command, or with the id of what waits for a yes. */

import { shortIdOf } from '../../../lib/core/approvals/approval.ts';
import { operationsIn } from '../../../lib/core/operations/feature.ts';
import { isTyped } from '../../../lib/core/operations/rights.ts';
import { approvals } from '../../../lib/core/verbs/approvals/operations.ts';
import { FEATURES } from '../../../lib/features/features.ts';
import { performLook, type StackAccess } from '../client.ts';

const DECIDING = /^\/(?:approve|deny) /;

/** Whole lines, in the order of the alphabet; none if it begins no command. */
export const completeLine = async (access: StackAccess, line: string): Promise<readonly string[]> => {
  const [command] = DECIDING.exec(line) ?? [];
  if (command !== undefined) {
    const waiting = (await performLook(access, approvals, {})).approvals;
    return waiting
      .flatMap(({ id }) => (id === undefined ? [] : [`${command}${shortIdOf(id)}`]))
      .filter((one) => one.startsWith(line));
  }
  if (!line.startsWith('/')) return [];
  const commands = operationsIn(FEATURES)
    .filter(isTyped)
    .map(({ name }) => `/${name}`);
  return [...new Set([...commands, '/exit'])].filter((one) => one.startsWith(line)).sort();
};
