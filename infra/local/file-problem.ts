/** Failures of files in one plain sentence: which file, why, and what to do. */

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; make room',
  EDQUOT: 'the disk quota of this account is used up; make room',
  EROFS: 'the file system is read-only; set DATA_DIR to a folder that can be written',
  EACCES: 'this account may not use it; change its permissions, or set DATA_DIR to a folder of your own',
  EPERM: 'the system does not permit it; change its permissions, or set DATA_DIR to a folder of your own',
  ENOENT: 'it cannot be made there; set DATA_DIR to a folder that can be written',
  ENOTDIR: 'a file stands where a folder is needed; remove it, or set another DATA_DIR',
  EEXIST: 'a file stands where a folder is needed; remove it, or set another DATA_DIR',
  EISDIR: 'a folder stands where a file is needed; remove it, or set another DATA_DIR',
  EIO: 'the disk reports an error; check it, and restore the folder from a backup if need be',
};

/**
 * @returns the sentence; undefined if the error is not about a file, or no person can mend its
 * cause.
 */
export const describeFileProblem = (error: unknown, path?: string): string | undefined => {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const cause = CAUSES[String(error.code)];
  const file = path ?? ('path' in error ? String(error.path) : undefined);
  return cause === undefined || file === undefined ? undefined : `${file} cannot be used: ${cause}.`;
};
