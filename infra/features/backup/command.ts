/**
 * `backup <file>`: everything in one encrypted file, as of one moment. A running stack copies its
 * table first and works on.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { defined } from '../../../lib/core/base/defined.ts';
import type { DeployedTable } from '../../../lib/core/store/whole-table.ts';
import { noteBackup } from '../../../lib/features/backup/last-backup.ts';
import { EmptyAnswer } from '../../cli/answers.ts';
import { post } from '../../cli/client.ts';
import type { Command, CommandContext } from '../../cli/command.ts';
import { findDataFolder, loadDeployed, lookUp, readVariables, type Variables } from '../../cli/stack.ts';
import { CliError, causeOf, checkPlace, countOf, EXIT, type ExitCode, printable, show } from '../../cli/terminal.ts';
import { WRITTEN_PATH } from './copy-state.ts';
import { PASSPHRASE_OPTION, readPassphrase } from './passphrase.ts';
import type { OpenedTable } from './read-folder.ts';

export const loadParts = () => import('./parts.ts');

const Tokens = z.object({ logSigningKey: z.optional(z.string()) });

/** The key that the folder made; one that a person set stays with that person. */
const findKey = (folder: string, variables: Variables): string | undefined => {
  const path = join(folder, 'tokens.json');
  if (variables.LOG_SIGNING_KEY !== undefined || !existsSync(path)) return undefined;
  return Tokens.parse(JSON.parse(readFileSync(path, 'utf8'))).logSigningKey;
};

const DESPITE_PROBLEMS = 'despite-problems';
const WITH_FILES = 'with-files';

/** As the log's writer of the stack has them. */
const keysOf = (variables: Variables, made: string | undefined): ReadonlyMap<string, string> => {
  const { LOG_SIGNING_KEY = made, LOG_SIGNING_KEY_PREVIOUS } = variables;
  return new Map(Object.entries(defined({ LOG_SIGNING_KEY, LOG_SIGNING_KEY_PREVIOUS })));
};

/** @throws CliError if restore would refuse the newest records, unless the person wants them so */
const addLeaves = async (
  { terminal, flag }: CommandContext,
  { storage, file, isCopy, at }: OpenedTable,
  anchors: string,
  keys: ReadonlyMap<string, string>,
): Promise<void> => {
  const { buildFileAnchors, findSpaces, withTable, writeLeaves } = await loadParts();
  try {
    await withTable(storage, file, async (table) => {
      for (const space of findSpaces(storage))
        await writeLeaves({ table, space, keys, at, anchors: isCopy ? undefined : buildFileAnchors(anchors, space) });
    });
  } catch (error) {
    const problem = `the newest records get no leaf in the evidence log: ${causeOf(error)}`;
    if (!flag(DESPITE_PROBLEMS))
      throw new CliError(
        EXIT.failed,
        `${problem}; restore would refuse the backup, so none was written`,
        '--despite-problems writes it; restore then takes it with the same option',
      );
    terminal.remark(`${problem}.`);
  }
};

/** Remembers when the newest backup was made. The backup is whole, so no failure here ends it. */
const noteOrRemark = async ({ terminal }: CommandContext, note: () => Promise<unknown>): Promise<void> => {
  try {
    await note();
  } catch (error) {
    terminal.remark(`The backup is whole. Its time could not be noted in the table: ${causeOf(error)}.`);
  }
};

const noteInFolder = async ({ access }: CommandContext, { storage, file, isCopy, at }: OpenedTable): Promise<void> => {
  if (isCopy) return void (await post(await access(), EmptyAnswer, WRITTEN_PATH));
  const { findSpaces, withTable } = await loadParts();
  await withTable(storage, file, async (table) => {
    for (const space of findSpaces(storage)) await noteBackup(table, space, at);
  });
};

interface Written {
  readonly items: number;
  readonly at: number;
}

const backUpFolder = async (context: CommandContext, file: string): Promise<Written> => {
  const { terminal, access, now, sleep } = context;
  const variables = readVariables(context.env, context.folder);
  if (variables.AWS_ENDPOINT_URL_DYNAMODB !== undefined)
    throw new CliError(
      EXIT.usage,
      `the table is at ${printable(variables.AWS_ENDPOINT_URL_DYNAMODB)}, not in the data folder`,
      'back it up there',
    );
  const folder = findDataFolder(variables, context.folder);
  const passphrase = await readPassphrase(context, true);
  const { boundFiles, fileLines, localLines, openFolderTable, readKnown, writeBackup } = await loadParts();
  // Before the copy: a checkpoint made later would be of a longer log than the copy has.
  const anchors = join(folder, 'anchors');
  const known = await readKnown(anchors);
  const logSigningKey = findKey(folder, variables);
  const onProgress = (what: string): void => terminal.progress(what);
  const table = await openFolderTable({ folder, access, now, sleep, onProgress, remark: terminal.remark });
  let items = 0;
  const onItems = (count: number): void => {
    items = count;
    onProgress(`${count} items`);
  };
  try {
    onProgress('the last records get their leaves');
    await addLeaves(context, table, anchors, keysOf(variables, logSigningKey));
    const files = context.flag(WITH_FILES) ? boundFiles(fileLines(folder)) : undefined;
    const source = { ...table, known, logSigningKey, files, onItems };
    await writeBackup(file, localLines(source), { passphrase });
    await noteOrRemark(context, () => noteInFolder(context, table));
    return { items, at: table.at };
  } finally {
    table.close();
    terminal.progress('');
  }
};

type OpenDeployed = (stack: string) => Promise<DeployedTable>;

const backUpStack = async (
  context: CommandContext,
  open: OpenDeployed,
  stack: string,
  file: string,
): Promise<Written> => {
  const { terminal } = context;
  const passphrase = await readPassphrase(context, true);
  const { boundFiles, bucketLines, stackLines, storedDataVersion, writeBackup } = await loadParts();
  const { whole, table, tableName, space, contentBucket } = await lookUp(stack, open(stack));
  const isWithFiles = context.flag(WITH_FILES);
  if (isWithFiles && contentBucket === undefined)
    throw new CliError(EXIT.failed, `the stack "${printable(stack)}" names no bucket of files`, 'deploy this release');
  const files = isWithFiles && contentBucket !== undefined ? boundFiles(bucketLines(contentBucket, space)) : undefined;
  const dataVersion = await storedDataVersion(table, space);
  terminal.remark('Point-in-time recovery makes a copy of the table, which takes ten minutes or more.');
  const copy = await whole.copy((what) => terminal.progress(what));
  let items = 0;
  const onItems = (count: number): void => {
    items = count;
    terminal.progress(`${count} items`);
  };
  try {
    await writeBackup(file, stackLines({ table: whole, tableName, copy, dataVersion, files, onItems }), { passphrase });
    await noteOrRemark(context, () => noteBackup(table, space, copy.at));
    return { items, at: copy.at };
  } finally {
    terminal.progress('');
    await whole.drop(copy.name);
  }
};

const run = async (context: CommandContext, open: OpenDeployed): Promise<ExitCode> => {
  const { terminal, args, folder, text } = context;
  const file = resolve(folder, args[0] ?? '');
  if (existsSync(file))
    throw new CliError(EXIT.usage, `${printable(args[0] ?? '')} is there already`, 'a backup replaces no file');
  checkPlace(file);
  const { draftOf } = await loadParts();
  if (existsSync(draftOf(file)))
    terminal.remark(`${printable(draftOf(args[0] ?? ''))} was left by a backup that did not end: it is replaced.`);
  const stack = text('stack');
  const { items, at } =
    stack === undefined ? await backUpFolder(context, file) : await backUpStack(context, open, stack, file);
  const { size } = statSync(file);
  show(terminal, { file, items, at, bytes: size }, [
    `${countOf(items, 'item')} as of ${new Date(at).toISOString()} are in ${printable(args[0] ?? '')}, ${size} bytes.`,
    'Keep it and its passphrase apart. Without the passphrase nobody can open it.',
  ]);
  return EXIT.ok;
};

export const buildBackup = (open: OpenDeployed): Command => ({
  name: 'backup',
  usage: '<file>',
  summary: 'everything in one encrypted file, as of one moment',
  options: {
    ...PASSPHRASE_OPTION,
    [WITH_FILES]: { type: 'boolean', help: 'with the pictures and documents that people sent' },
    [DESPITE_PROBLEMS]: { type: 'boolean', help: 'writes it though its newest records get no leaf' },
  },
  argCount: [1, 1],
  run: (context) => run(context, open),
});

export const openDeployed: OpenDeployed = async (stack) => (await loadDeployed()).openDeployedTable(stack);

export const backup = buildBackup(openDeployed);
