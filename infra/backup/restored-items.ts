/**
 * The lines of a backup as a restore takes them. Anybody with the passphrase can write such a file,
 * so each item must be of a known kind, of a space, and there once. Rights of the moment have no
 * leaf and are left out: codes that pair, and the yes to a whole run or job.
 */
import { indexPartitions } from '../../lib/store/keys.ts';
import { KINDS } from '../functions.ts';
import { readBackup } from './backup-file.ts';
import { BackupFileError, type BackupLine } from './backup-lines.ts';

type Item = Extract<BackupLine, { type: 'item' }>['item'];

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'S' in value ? String(value.S) : '';

const numberOf = (value: unknown): number =>
  typeof value === 'object' && value !== null && 'N' in value ? Number(value.N) : 0;

interface Place {
  readonly kind: string;
  readonly space: string;
  readonly sk: string;
}

/** @throws BackupFileError */
const placeOf = ({ pk, sk }: Item): Place => {
  const [, kind = '', space = ''] = /^([a-z-]+)#([a-z0-9-]{1,32})(?:#|$)/.exec(textOf(pk)) ?? [];
  if (KINDS.every((known) => known !== kind) || space === '')
    throw new BackupFileError(`it has an item of no known kind, ${textOf(pk).slice(0, 80)}`);
  return { kind, space, sk: textOf(sk) };
};

/** An index holds no item without both of its attributes. */
const isListed = ({ unfinishedSpace, unfinishedAt }: Item, partition: string): boolean =>
  textOf(unfinishedSpace) === partition && unfinishedAt !== undefined;

/** The lists, each with the kind and the beginning of the sort key of all its items. */
const listsOf = (space: string): readonly (readonly [partition: string, items: RegExp])[] => [
  [indexPartitions.unfinishedSignals(space), /^signal record$/],
  [indexPartitions.pendingApprovals(space), /^approval record$/],
  [indexPartitions.stoppedSessions(space), /^session head$/],
  [indexPartitions.grants(space), /^grant record$/],
  [indexPartitions.waitingEffects(space), /^signal effect#/],
  [indexPartitions.unknownEffects(space), /^signal effect#/],
  [indexPartitions.jobs(space), /^(?:job job#|signal occurrence$|run run#|runner runner-job#)/],
  [indexPartitions.feed(space), /^signal record$/],
  [indexPartitions.approvalFeed(space), /^approval record$/],
  [indexPartitions.runFeed(space), /^run run#/],
  [indexPartitions.eventJobs(space, ''), /^job job#/],
  [indexPartitions.jobFeed(space, ''), /^signal occurrence$/],
];

/** A reader of a list takes its items for what stands there: a job, an approval, a message. */
const checkLists = ({ unfinishedSpace, feedSpace }: Item, { kind, space, sk }: Place): void => {
  for (const partition of [unfinishedSpace, feedSpace].filter((one) => one !== undefined).map(textOf)) {
    const belongs = ([own, items]: readonly [string, RegExp]): boolean =>
      (own === partition || (own.endsWith('#') && partition.startsWith(own))) && items.test(`${kind} ${sk}`);
    if (!listsOf(space).some(belongs))
      throw new BackupFileError(`it has an item in a list of others: ${kind} ${sk.slice(0, 80)}`);
  }
};

/** An item under way stands in a list, by which the restore names it, or ends a yes in force. */
const checkListed = (item: Item, { kind, space, sk }: Place, now: number): void => {
  const state = textOf(item.state);
  const isOpen = ['pending', 'approved'].includes(state) && numberOf(item.expiresAtMs) > now;
  if (kind === 'approval' && isOpen && !isListed(item, indexPartitions.pendingApprovals(space)))
    throw new BackupFileError('it has an approval in force that no list has');
  const isUnderWay = sk === 'record' && ['received', 'perceived', 'reasoned'].includes(state);
  if (kind === 'signal' && isUnderWay && !isListed(item, indexPartitions.unfinishedSignals(space)))
    throw new BackupFileError('it has a message under way that no list has');
  const isRunning = sk.startsWith('run#') && ['running', 'waiting'].includes(state);
  if (kind === 'run' && isRunning && !isListed(item, indexPartitions.jobs(space)))
    throw new BackupFileError('it has a run under way that no list has');
};

/** @returns undefined if it is left out */
const asRestored = (item: Item, { kind, space, sk }: Place): Item | undefined => {
  if ((kind === 'pairing' || kind === 'runner') && sk.startsWith('code#')) return undefined;
  if (kind === 'grant' && textOf(item.state) === 'live' && !isListed(item, indexPartitions.grants(space)))
    return undefined;
  if (kind !== 'run' && kind !== 'job') return item;
  const { approved: _left, ...rest } = item;
  return rest;
};

/**
 * @param spaces is filled with the spaces of the items
 * @param now a yes that ends later is in force, epoch milliseconds
 * @throws BackupFileError
 */
export async function* readRestored(
  path: string,
  passphrase: string,
  spaces: Set<string>,
  now: number,
): AsyncGenerator<BackupLine> {
  const seen = new Set<string>();
  for await (const line of readBackup(path, passphrase)) {
    if (line.type === 'end' && line.items !== seen.size) throw new BackupFileError('it lacks items');
    if (line.type !== 'item') {
      yield line;
      continue;
    }
    const place = placeOf(line.item);
    const key = JSON.stringify([textOf(line.item.pk), place.sk]);
    if (seen.has(key)) throw new BackupFileError(`it has the item ${key.slice(0, 120)} twice`);
    seen.add(key);
    spaces.add(place.space);
    checkLists(line.item, place);
    checkListed(line.item, place, now);
    const item = asRestored(line.item, place);
    if (item !== undefined) yield { type: 'item', item };
  }
}
