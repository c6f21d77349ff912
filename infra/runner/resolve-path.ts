/** Where a path leads on this disk now: its longest existing part without symbolic links. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** @param path canonical and absolute */
export const resolvePath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolvePath(parent), basename(path));
  }
};
