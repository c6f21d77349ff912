/**
 * `restore <file>`: into a data folder without a table, or the empty table of a deployed stack. If
 * anything is wrong, the folder has none afterwards. Exit 1: refused or failed.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildContents } from '../../../lib/core/store/contents.ts';
import type { DeployedTable } from '../../../lib/core/store/whole-table.ts';
import type { Command, CommandContext } from '../../cli/command.ts';
import { lookUp, readVariables } from '../../cli/stack.ts';
import { CliError, countOf, EXIT, type ExitCode, printable, show, type Terminal } from '../../cli/terminal.ts';
import { openDeployed } from '../backup/command.ts';
import { PASSPHRASE_OPTION, readPassphrase } from '../backup/passphrase.ts';
import type { Restored } from './restore-folder.ts';

const loadParts = () => import('./parts.ts');

/** `npm start` would make its data folder here. */
const findTarget = ({ env, folder }: CommandContext): string =>
  resolve(folder, readVariables(env, folder).DATA_DIR ?? '.passepartout');

const linesOf = ({ at, spaces, hasKey, files }: Restored, { say }: Pick<Terminal, 'say'>): readonly string[] => [
  `The backup as of ${new Date(at).toISOString()} is restored.`,
  ...spaces.flatMap(({ space, objects, leaves, forgotten, rights, problems }) => [
    `Space ${printable(space)}: ${countOf(objects, 'object')} of memory and ${countOf(leaves, 'leaf', 'leaves')} of the log ${problems.length === 0 ? 'verified' : 'checked'}.`,
    ...problems.map((problem) => `WRONG: ${say(printable(problem))}`),
    ...(forgotten === 0
      ? []
      : [`${countOf(forgotten, 'object')} forgotten since will be forgotten again at the start.`]),
    ...(rights.length === 0 ? [] : ['It brings back:', ...rights.map((right) => `  ${printable(right)}`)]),
  ]),
  ...(files === 0 ? [] : [`${countOf(files, 'file')} of messages restored.`]),
  ...(hasKey ? [] : ['Set LOG_SIGNING_KEY to the key that you had set: the backup does not hold it.']),
  'It starts stopped: look around, then npx passepartout resume.',
];

const describeErrors = async (name: string, isDeployed: boolean, work: () => Promise<Restored>): Promise<Restored> => {
  const { BackupFileError, NotEmptyError, RestoreCheckError } = await loadParts();
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupFileError)
      throw new CliError(EXIT.failed, `${printable(name)}: ${error.message}; nothing was restored`);
    if (error instanceof NotEmptyError)
      throw new CliError(
        EXIT.failed,
        `${error.message}; nothing was written`,
        'deploy a new stack with MAINTENANCE=off, and restore before anybody writes to it',
      );
    if (error instanceof RestoreCheckError)
      throw new CliError(
        EXIT.failed,
        `what is in it does not verify: ${printable(error.message)}; ${isDeployed ? 'the stack refuses this data' : 'nothing was restored'}`,
        'it was so when the backup was made; --despite-problems restores it all the same',
      );
    throw error;
  }
};

const restoreInto = async (context: CommandContext, folder: string, passphrase: string): Promise<Restored> => {
  const { terminal, args, text, flag, now } = context;
  const { hasTable, lockFolder, openFolder, restoreFolder } = await loadParts();
  openFolder(folder);
  const release = lockFolder(folder);
  try {
    if (hasTable(folder))
      throw new CliError(
        EXIT.failed,
        `${folder} has a table already; nothing was written`,
        'move it away, or set DATA_DIR to an empty folder',
      );
    const anchors = text('anchors');
    return await restoreFolder({
      folder,
      file: resolve(context.folder, args[0] ?? ''),
      passphrase,
      anchorsFolder: anchors === undefined ? undefined : resolve(context.folder, anchors),
      isForced: flag('despite-problems'),
      now,
      onProgress: (what) => terminal.progress(what),
    });
  } finally {
    release();
    terminal.progress('');
  }
};

const restoreDeployed = async (
  { terminal, args, flag, now, folder }: CommandContext,
  deployed: DeployedTable,
  passphrase: string,
): Promise<Restored> => {
  const { restoreStack } = await loadParts();
  try {
    return await restoreStack({
      ...deployed,
      contents: buildContents({ SPACE: deployed.space, CONTENT_BUCKET: deployed.contentBucket }),
      file: resolve(folder, args[0] ?? ''),
      passphrase,
      isForced: flag('despite-problems'),
      now,
      onProgress: (what) => terminal.progress(what),
    });
  } finally {
    terminal.progress('');
  }
};

export const buildRestore = (open: (stack: string) => Promise<DeployedTable>): Command => ({
  name: 'restore',
  usage: '<file>',
  summary: 'put a backup into an empty data folder, or an empty deployed table, and verify it',
  options: {
    ...PASSPHRASE_OPTION,
    anchors: {
      type: 'string',
      value: 'folder',
      help: 'a copy of "anchors" that went on: what was forgotten since stays so',
    },
    'despite-problems': { type: 'boolean', help: 'restores though its evidence or memory does not verify' },
  },
  argCount: [1, 1],
  run: async (context): Promise<ExitCode> => {
    const name = context.args[0] ?? '';
    if (!existsSync(resolve(context.folder, name)))
      throw new CliError(EXIT.usage, `there is no file ${printable(name)}`);
    const passphrase = await readPassphrase(context, false);
    const stack = context.text('stack');
    const restored = await describeErrors(name, stack !== undefined, async () =>
      stack === undefined
        ? restoreInto(context, findTarget(context), passphrase)
        : restoreDeployed(context, await lookUp(stack, open(stack)), passphrase),
    );
    show(context.terminal, restored, linesOf(restored, context.terminal));
    return restored.spaces.every(({ problems }) => problems.length === 0) ? EXIT.ok : EXIT.failed;
  },
});

export const restore = buildRestore(openDeployed);
