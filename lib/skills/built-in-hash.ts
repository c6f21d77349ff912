/** Hashes of the files of built-in skills, which are loaded only by who needs their texts. */

import { sha256Of } from './skill-files.ts';
import type { HashOf } from './skill-jobs.ts';

export const builtInHashOf = async (skill: string): Promise<HashOf> => {
  const { BUILT_IN_FILES } = await import('./built-in-files.ts');
  return (file) => {
    const text = BUILT_IN_FILES[skill]?.find(({ path }) => path === file)?.text;
    return text === undefined ? undefined : sha256Of(text);
  };
};
