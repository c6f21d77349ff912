/** SKILLS_DIR of the stack on this machine. */
import { join, resolve } from 'node:path';
import type { Beside } from '../../local/beside.ts';

/** It needs the parser of skills, which most starts do not. */
export const skillsBeside: Beside = async ({ skillsDir, dataDir }, running) => {
  if (skillsDir === undefined) return undefined;
  const { startSkillsDir } = await import('./skills-dir.ts');
  return startSkillsDir({
    ...running,
    folder: resolve(skillsDir),
    offersFile: join(dataDir, 'skills-offered.json'),
  });
};
