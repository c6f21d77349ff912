/** The modules that `backup` loads when it begins. */
export { buildFileAnchors } from '../../../lib/core/log/anchor.ts';
export { storedDataVersion } from '../../../lib/core/store/data-version.ts';
export { draftOf, writeBackup } from './backup-file.ts';
export { boundFiles, bucketLines, fileLines } from './files.ts';
export { readKnown } from './known-anchors.ts';
export { findSpaces, localLines } from './local-source.ts';
export { openFolderTable } from './read-folder.ts';
export { stackLines } from './stack-source.ts';
export { withTable } from './with-table.ts';
export { writeLeaves } from './write-leaves.ts';
