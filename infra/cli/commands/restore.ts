/**
 * `restore <file>`: puts a backup into a data folder without a table, checked and held. If anything
 * is wrong, the folder has no table afterwards, as before. Exit 0: restored and verified; 1:
 * refused or failed, with the reason; 2: wrong usage.
 */
import { resolve } from 'node:path';
import type { Restored } from '../../backup/restore-folder.ts';
import type { Command, CommandContext } from '../command.ts';
import { PASSPHRASE_OPTION, readPassphrase } from '../passphrase.ts';
import { readVariables } from '../stack.ts';
import { CliError, countOf, EXIT, type ExitCode, printable, show } from '../terminal.ts';

/** `npm start` would make its data folder here. */
const findTarget = ({ env, folder }: CommandContext): string =>
  resolve(folder, readVariables(env, folder).DATA_DIR ?? '.passepartout');

const linesOf = ({ at, items, spaces, hasKey }: Restored): readonly string[] => [
  `${countOf(items, 'item')} as of ${new Date(at).toISOString()} are restored.`,
  ...spaces.flatMap(({ space, objects, leaves, forgotten, problems }) => [
    `Space ${printable(space)}: ${countOf(objects, 'object')} of memory and ${countOf(leaves, 'leaf', 'leaves')} of the log ${problems.length === 0 ? 'verified' : 'checked'}.`,
    ...problems.map((problem) => `WRONG: ${printable(problem)}`),
    ...(forgotten === 0
      ? []
      : [`${countOf(forgotten, 'object')} forgotten since will be forgotten again at the start.`]),
  ]),
  ...(hasKey ? [] : ['Set LOG_SIGNING_KEY to the key that you had set: the backup does not hold it.']),
  'It starts stopped: look around, then /resume.',
];

const restoreInto = async (context: CommandContext, folder: string, passphrase: string): Promise<Restored> => {
  const { terminal, args, text, flag, now } = context;
  const { BackupFileError } = await import('../../backup/backup-lines.ts');
  const { hasTable, RestoreCheckError, restoreFolder } = await import('../../backup/restore-folder.ts');
  const { lockFolder, openFolder } = await import('../../local/data-folder.ts');
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
  } catch (error) {
    if (error instanceof BackupFileError)
      throw new CliError(EXIT.failed, `${printable(args[0] ?? '')}: ${error.message}; nothing was restored`);
    if (error instanceof RestoreCheckError)
      throw new CliError(
        EXIT.failed,
        `what is in it does not verify: ${printable(error.message)}; nothing was restored`,
        'it was so when the backup was made; --despite-problems restores it all the same',
      );
    throw error;
  } finally {
    release();
    terminal.progress('');
  }
};

export const restore: Command = {
  name: 'restore',
  usage: '<file>',
  summary: 'put a backup into an empty data folder, and verify it',
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
    const { existsSync } = await import('node:fs');
    const name = context.args[0] ?? '';
    if (!existsSync(resolve(context.folder, name)))
      throw new CliError(EXIT.usage, `there is no file ${printable(name)}`);
    const passphrase = await readPassphrase(context, false);
    const restored = await restoreInto(context, findTarget(context), passphrase);
    show(context.terminal, restored, linesOf(restored));
    return restored.spaces.every(({ problems }) => problems.length === 0) ? EXIT.ok : EXIT.failed;
  },
};
