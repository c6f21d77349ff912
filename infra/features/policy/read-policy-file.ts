/** For `gates try`: most commands need no engine. */
import type { ReadPolicyFile } from '../../cli/commands/gates.ts';

export const readPolicyFile: ReadPolicyFile = async (context, file) => {
  const { compilePolicyFile, targetsHere } = await import('./policy-file.ts');
  return compilePolicyFile(context, file, targetsHere(context));
};
