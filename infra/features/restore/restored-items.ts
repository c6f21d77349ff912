/**
 * The lines of a backup as a restore takes them. Anybody with the passphrase can write such a file,
 * so each item must be of a known kind, of a space, and there once. Rows that say who said what, or
 * give a right of the moment, and that no leaf proves, are left out: codes that pair, a yes to a
 * whole run or job, a conversation's model, own messages. Others without a leaf are counted.
 */
import { indexPartitions } from '../../../lib/core/store/keys.ts';
import { KINDS } from '../../function-spec.ts';
import { readBackup } from '../backup/backup-file.ts';
import { BackupFileError, type BackupLine } from '../backup/backup-lines.ts';

type Item = Extract<BackupLine, { type: 'item' }>['item'];

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'S' in value ? String(value.S) : '';

const numberOf = (value: unknown): number =>
  typeof value === 'object' && value !== null && 'N' in value ? Number(value.N) : 0;

interface ItemPlace {
  readonly kind: string;
  readonly space: string;
  readonly sk: string;
}

/** @throws BackupFileError */
const placeOf = ({ pk, sk }: Item): ItemPlace => {
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
const checkLists = ({ unfinishedSpace, feedSpace }: Item, { kind, space, sk }: ItemPlace): void => {
  for (const partition of [unfinishedSpace, feedSpace].filter((one) => one !== undefined).map(textOf)) {
    const belongs = ([own, items]: readonly [string, RegExp]): boolean =>
      (own === partition || (own.endsWith('#') && partition.startsWith(own))) && items.test(`${kind} ${sk}`);
    if (!listsOf(space).some(belongs))
      throw new BackupFileError(`it has an item in a list of others: ${kind} ${sk.slice(0, 80)}`);
  }
};

/** An item under way stands in a list, by which the restore names it, or ends a yes in force. */
const checkListed = (item: Item, { kind, space, sk }: ItemPlace, now: number): void => {
  const state = textOf(item.state);
  const isOpen = ['pending', 'approved'].includes(state) && numberOf(item.expiresAtMs) > now;
  if (kind === 'approval' && sk === 'record' && textOf(item.space) !== space)
    throw new BackupFileError('it has an approval of another space');
  if (kind === 'approval' && isOpen && !isListed(item, indexPartitions.pendingApprovals(space)))
    throw new BackupFileError('it has an approval in force that no list has');
  const isUnderWay = sk === 'record' && ['received', 'perceived', 'reasoned'].includes(state);
  if (kind === 'signal' && isUnderWay && !isListed(item, indexPartitions.unfinishedSignals(space)))
    throw new BackupFileError('it has a message under way that no list has');
  const isRunning = sk.startsWith('run#') && ['running', 'waiting'].includes(state);
  if (kind === 'run' && isRunning && !isListed(item, indexPartitions.jobs(space)))
    throw new BackupFileError('it has a run under way that no list has');
  // A restore walks this list to prove who said what.
  if (kind === 'signal' && sk === 'record' && textOf(item.feedSpace) !== indexPartitions.feed(space))
    throw new BackupFileError('it has a message that the list of messages lacks');
};

/**
 * Rows of which no leaf says anything, and which the product does without: rows that say that the
 * agent wrote a message, reactions to one, variables of programs, the rest of a long output,
 * drafts, vectors.
 */
const LEFT_OUT = [
  /^(?:pairing|runner) code#/,
  /^session (?:sent#|reactions$|script-state$)/,
  /^signal (?:output|stream)#/,
  /^vector /,
] as const;

/** Of a conversation: who spoke elsewhere, what is looked at, and the model that was chosen. */
const HEAD_LEFT_OUT = [
  ...(['turn', 'mailbox', 'movedFrom', 'focus', 'focusAt', 'scope', 'scopeProject', 'scopeAt'] as const),
  ...(['model', 'modelBy', 'modelAt'] as const),
];

const FIELDS_LEFT_OUT: readonly (readonly [row: RegExp, fields: readonly string[]])[] = [
  [/^(?:run|job) /, ['approved']],
  [/^session head$/, HEAD_LEFT_OUT],
  /** The report that handlers of skills are told. */
  [/^signal decision$/, ['failure']],
];

const omit = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/** @returns undefined if it is left out */
const asRestored = (item: Item, { kind, space, sk }: ItemPlace): Item | undefined => {
  const row = `${kind} ${sk}`;
  if (LEFT_OUT.some((one) => one.test(row))) return undefined;
  if (kind === 'grant' && textOf(item.state) === 'live' && !isListed(item, indexPartitions.grants(space)))
    return undefined;
  const left = FIELDS_LEFT_OUT.flatMap(([rows, fields]) => (rows.test(row) ? fields : []));
  return left.length === 0 ? item : omit(item, left);
};

/** Rows that are restored as the file has them, though no leaf says so, for people. */
const UNPROVEN: readonly (readonly [row: RegExp, name: string])[] = [
  [/^session head$/, 'order of turns and stops of a conversation'],
  [/^session /, 'counter of texts sent'],
  [/^quota /, "counter of the day's messages, and known kinds of events"],
  [/^past /, 'count of past actions for the policy'],
  [/^snapshot /, 'name of a state of memory'],
  [/^dead-letter /, 'dead letter'],
  [/^run /, 'run of a runbook'],
  [/^job version#/, 'older version of a job'],
  [/^pairing (?!chat#)/, 'try to pair, and the name of the bot'],
  [/^spend .* use$/, 'use of a skill'],
  [/^approval cards$/, 'list of open cards'],
  [/^setting (?!owner|policy|kill-switch|restore)/, 'note of the program for itself'],
];

/** Found beside the lines of a file. */
export interface Seen {
  readonly spaces: Set<string>;
  /** How many rows of each name are not proven, by space. */
  readonly unproven: Map<string, Map<string, number>>;
}

export const nothingSeen = (): Seen => ({ spaces: new Set(), unproven: new Map() });

/** @param row kind and sort key @returns the name under which it is counted as not proven */
export const unprovenName = (row: string): string | undefined => UNPROVEN.find(([rows]) => rows.test(row))?.[1];

const noteUnproven = ({ unproven }: Seen, { kind, space, sk }: ItemPlace): void => {
  const name = unprovenName(`${kind} ${sk}`);
  if (name === undefined) return;
  const counts = unproven.get(space) ?? new Map<string, number>();
  unproven.set(space, counts.set(name, (counts.get(name) ?? 0) + 1));
};

/** A line for each name of rows that no leaf proves. */
export const unprovenRows = ({ unproven }: Seen, space: string): readonly string[] =>
  [...(unproven.get(space) ?? [])].map(
    ([name, count]) => `not proven: ${name}${count === 1 ? '' : ` (${count} rows)`}`,
  );

/**
 * @param found is filled
 * @param now a yes that ends later is in force, epoch milliseconds
 * @throws BackupFileError
 */
export async function* readRestored(
  path: string,
  passphrase: string,
  found: Seen,
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
    found.spaces.add(place.space);
    checkLists(line.item, place);
    checkListed(line.item, place, now);
    const item = asRestored(line.item, place);
    if (item === undefined) continue;
    noteUnproven(found, place);
    yield { type: 'item', item };
  }
}
