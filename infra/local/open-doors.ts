/**
 * Says at start what this system cannot protect from other accounts of the machine. Each is one
 * sentence with what to do about it; nothing is refused, since the machine may have one account.
 */
import { existsSync, statSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';

const OTHERS = 0o077;
const isOpenToOthers = (path: string): boolean => (statSync(path).mode & OTHERS) !== 0;

export interface DoorInput {
  readonly dataDir: string;
  readonly envFile: string;
  readonly platform: NodeJS.Platform;
  /** Of a debugger that may attach to this process. */
  readonly inspector: string | undefined;
}

/** Where this process stands. */
export const doorInput = (dataDir: string, envFile: string): DoorInput => ({
  dataDir,
  envFile,
  platform: process.platform,
  inspector: inspectorUrl(),
});

/** Call it when the data folder is made. */
export const findOpenDoors = ({ dataDir, envFile, platform, inspector }: DoorInput): readonly string[] => {
  const sentences: string[] = [];
  if (platform === 'win32')
    sentences.push(`Windows has no modes of files: whoever may open ${dataDir} reads all that is kept there.`);
  else {
    if (isOpenToOthers(dataDir))
      sentences.push(
        `The file system of ${dataDir} keeps no modes: other accounts can read all that is kept there; set another DATA_DIR.`,
      );
    if (existsSync(envFile) && isOpenToOthers(envFile))
      sentences.push(`Other accounts can read the keys in ${envFile}: run "chmod 600 ${envFile}".`);
  }
  if (inspector !== undefined)
    sentences.push(
      `A debugger listens at ${new URL(inspector).host}: every account of this machine can run code here; start without --inspect.`,
    );
  return sentences;
};
