/** The modules that `restore` loads when it begins. */

export { lockFolder, openFolder } from '../../local/data-folder.ts';
export { BackupFileError } from '../backup/backup-lines.ts';
export { hasTable, RestoreCheckError, restoreFolder } from './restore-folder.ts';
export { NotEmptyError, restoreStack } from './restore-stack.ts';
