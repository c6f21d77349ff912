/** The modules that `backup` and `restore` load when they begin. */
export { buildFileAnchors } from '../../lib/log/anchor.ts';
export { storedDataVersion } from '../../lib/store/data-version.ts';
export { lockFolder, openFolder } from '../local/data-folder.ts';
export { draftOf, writeBackup } from './backup-file.ts';
export { BackupFileError } from './backup-lines.ts';
export { boundFiles, bucketLines, fileLines } from './files.ts';
export { readKnown } from './known-anchors.ts';
export { findSpaces, localLines } from './local-source.ts';
export { openFolderTable } from './read-folder.ts';
export { hasTable, RestoreCheckError, restoreFolder } from './restore-folder.ts';
export { NotEmptyError, restoreStack } from './restore-stack.ts';
export { stackLines } from './stack-source.ts';
export { withTable } from './with-table.ts';
export { writeLeaves } from './write-leaves.ts';
