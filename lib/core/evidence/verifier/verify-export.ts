/**
 * Verifies an evidence export with nothing but the export; if given, also with the log's public key
 * and a checkpoint that was kept elsewhere. Takes its lines one by one, keeps some 200 bytes of
 * each leaf, and names the first thing that is wrong.
 *
 * A file can be changed unnoticed only in places that say nothing: the order of an object's
 * members; `exportedAt`, up to an hour after the newest leaf (it is shown as the file's own claim);
 * a gate set that no decision names; a checkpoint that is neither the last nor the first after a
 * change of keys, and may be left out; a cosignature of a witness whose key was not given. Both
 * interfaces say the last two. A test changes a real export in 10,000 ways, and these alone pass.
 *
 * For auditors: this folder and the files that it imports are all of it. They import nothing else
 * but node:crypto; `test/core/evidence/verifier-imports.test.ts` lists them. The log's writer
 * shares the hashing and the tree. The vectors of RFC 8785 and RFC 9162 show that those follow the
 * standards, and so does a verifier by others (`test/core/evidence/go`).
 */
import { HOUR_MS, MINUTE_MS } from '../../base/limits.ts';
import { originOf } from '../checkpoint.ts';
import { EXPORT_LINE_CHARS_MAX } from '../limits.ts';
import { parseVerifierKey, type VerifierKey } from '../signed-note.ts';
import { addCheckpoint, type Checkpoints, endCheckpoints, startCheckpoints } from './checkpoints.ts';
import { type Effects, startEffects } from './effects.ts';
import {
  type Fields,
  fail,
  hasExactly,
  readCount,
  readFields,
  readList,
  readText,
  type Wrong,
  WrongError,
} from './fields.ts';
import { addGateCode, addGateSet, findMissingCode, type GateSets, startGateSets } from './gate-sets.ts';
import { addTile, endTiles, type HashTiles, startTiles } from './hash-tiles.ts';
import type { MomentsBetween } from './job-moments.ts';
import { addLeaf, type Leaves, startLeaves } from './leaves.ts';
import { addRecord, endRecords, NO_RECORDS, type RecordCounts, type Records, startRecords } from './records.ts';

/** If the newest leaf is older than this, an export may be an old copy, and is named as such. */
export const EXPORT_IDLE_MS_MAX = HOUR_MS;
/** How far a clock may be ahead of ours before an export counts as made in the future. */
const EXPORT_CLOCK_SKEW_MS = 5 * MINUTE_MS;

export interface VerifyOptions {
  /** Verifier key of the log, `<name>+<id>+<base64>`: any key it ever had. */
  readonly key?: string | undefined;
  /** Text of a checkpoint kept elsewhere: shows that nothing was cut off or rewritten since. */
  readonly anchor?: string | undefined;
  /** Witnesses, and how many of them must have cosigned the newest checkpoint. */
  readonly witnesses?: readonly VerifierKey[];
  readonly atLeast?: number;
  readonly now: number;
  /** Computes the rules of jobs again. Without it only the chain of occurrences is checked. */
  readonly momentsBetween?: MomentsBetween | undefined;
  /** Names of the jobs that built-in skills bring: the program itself may make these. */
  readonly builtInJobs?: readonly string[] | undefined;
  readonly onLine?: (lines: number) => void;
}

export interface VerifiedExport extends RecordCounts {
  /**
   * `verified`: complete, and held by a key or an anchor from outside. `consistent`: complete, and
   * agrees with itself, which a forger's would too. `incomplete`: `missing` names what is missing.
   * `older`: the anchor has more leaves. `withheld`: an action is not shown.
   */
  readonly status: 'verified' | 'incomplete' | 'consistent' | 'older' | 'withheld';
  /** One sentence for each part without which nobody may say "verified". */
  readonly missing: readonly string[];
  readonly space: string;
  /** The file says this time; no signature covers it. */
  readonly exportedAt: number;
  /** Time of the newest leaf, epoch milliseconds; 0 in an empty log. */
  readonly newestAt: number;
  /** `exportedAt` is long after the newest leaf: an old copy with a new date looks the same. */
  readonly mayBeOlder: boolean;
  readonly leaves: number;
  /** Leaves that say that they were added later than the merge delay. */
  readonly late: number;
  readonly checkpoints: number;
  /** Cosignatures of witnesses whose keys were not given: they are not checked. */
  readonly uncheckedCosignatures: number;
  /** Root of the newest checkpoint, base64. */
  readonly root: string;
  readonly isSigned: boolean;
  readonly isAnchored: boolean;
  /** The rules of all jobs were computed: no moment of theirs is without an occurrence. */
  readonly areRulesComputed: boolean;
  /** Gate sets that the file does not explain: their traces were not checked for missing gates. */
  readonly unknownGateSets: readonly string[];
}

/** `wrong` names the first thing that was changed or forged; `cut` names where the file ends. */
export type VerifyResult = VerifiedExport | { readonly status: 'wrong' | 'cut'; readonly wrong: Wrong };

export const EXPORT_FORMAT = 'passepartout-evidence';

/** Kinds of lines, in the order in which they come. */
const SECTIONS = ['header', 'gate-set', 'gate-code', 'leaf', 'tile', 'checkpoint', 'record', 'end'] as const;
type Section = (typeof SECTIONS)[number];

/** Members of each kind of line: all of the first list, some of the second, no other. */
const MEMBERS: Readonly<Record<Section, readonly [needed: readonly string[], optional: readonly string[]]>> = {
  header: [['type', 'format', 'version', 'space', 'origin', 'exportedAt', 'size', 'keys'], []],
  'gate-set': [['type', 'version', 'content'], []],
  'gate-code': [['type', 'sha256', 'code'], []],
  leaf: [['type', 'index', 'leaf'], []],
  tile: [['type', 'path', 'data'], []],
  checkpoint: [['type', 'note'], []],
  record: [
    ['type', 'kind', 'id', 'fixed'],
    ['content', 'isForgotten', 'leaf'],
  ],
  end: [['type'], []],
};

interface Header {
  readonly space: string;
  readonly origin: string;
  readonly exportedAt: number;
  readonly size: number;
  readonly keys: readonly VerifierKey[];
}

/** The state of a verification. A section begins when the one before it has ended. */
interface ExportReading {
  readonly options: VerifyOptions;
  readonly header: Header;
  readonly gateSets: GateSets;
  readonly leaves: Leaves;
  readonly effects: Effects;
  tiles?: HashTiles;
  checkpoints?: Checkpoints;
  records?: Records;
  /** Index of the section that is being read. */
  section: number;
}

const failFile = (lines: number, what: string): never => fail('file', `line ${lines}`, null, what);

const readKey = (text: unknown, kind: string): VerifierKey => {
  try {
    return parseVerifierKey(typeof text === 'string' ? text : '');
  } catch {
    return fail(kind, '', null, 'it is not a verifier key');
  }
};

const readHeader = (line: Fields, now: number): Header => {
  const [space = '', origin = ''] = [readText(line, 'space'), readText(line, 'origin')];
  const [exportedAt, size, keys] = [readCount(line, 'exportedAt'), readCount(line, 'size'), readList(line, 'keys')];
  if (line.format !== EXPORT_FORMAT || line.version !== 1)
    return fail('header', '', null, 'this is not an evidence export of a known version');
  if (space === '' || origin === '' || exportedAt === undefined || size === undefined || keys === undefined)
    return fail('header', '', null, 'a member is missing');
  if (origin !== originOf(space)) fail('header', '', null, 'its log is of another space');
  if (exportedAt > now + EXPORT_CLOCK_SKEW_MS) fail('header', '', null, 'it was made in the future');
  return { space, origin, exportedAt, size, keys: keys.map((key) => readKey(key, 'header')) };
};

const startReading = (line: Fields, options: VerifyOptions): ExportReading => {
  const header = readHeader(line, options.now);
  const gateSets = startGateSets();
  const leaves = startLeaves(header.space, header.origin, header.exportedAt + EXPORT_CLOCK_SKEW_MS);
  return { options, header, gateSets, leaves, effects: startEffects(gateSets.names), section: 0 };
};

/** Ends a section, and begins what needs all of it. */
const endSection = (reading: ExportReading, section: Section | undefined): void => {
  const { leaves, header, options, tiles, checkpoints, records, effects } = reading;
  const { origin } = header;
  const count = leaves.names.length;
  if (section === 'leaf') {
    if (count !== header.size) fail('log', origin, count, `it has ${count} leaves, and the header says ${header.size}`);
    reading.tiles = startTiles(leaves);
  }
  if (section === 'tile' && tiles !== undefined) {
    endTiles(tiles);
    const key = options.key === undefined ? undefined : readKey(options.key, 'key');
    const { anchor, witnesses = [], atLeast = 0 } = options;
    const given = { origin, key, claimed: header.keys, anchor, leaves, tiles };
    reading.checkpoints = startCheckpoints({ ...given, witnesses, atLeast });
  }
  if (section === 'checkpoint' && checkpoints !== undefined) {
    endCheckpoints(checkpoints);
    reading.records = startRecords(leaves, effects, header.exportedAt);
  }
  if (section === 'record' && records !== undefined) endRecords(records, options);
};

const addLine = (reading: ExportReading, section: Section, line: Fields): void => {
  const { leaves, tiles, checkpoints, records } = reading;
  if (section === 'header') fail('header', '', null, 'it is there twice');
  if (section === 'gate-set') addGateSet(reading.gateSets, line);
  if (section === 'gate-code') addGateCode(reading.gateSets, line);
  if (section === 'leaf') addLeaf(leaves, line);
  if (section === 'tile' && tiles !== undefined) addTile(tiles, line);
  if (section === 'checkpoint' && checkpoints !== undefined) addCheckpoint(checkpoints, line);
  if (section === 'record' && records !== undefined) addRecord(records, line);
};

/** @returns undefined if it is not JSON, as the last line of a file that was cut */
const readLine = (text: string, lines: number): Fields | undefined => {
  if (text.length > EXPORT_LINE_CHARS_MAX) failFile(lines, 'it is too long');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return readFields(value) ?? failFile(lines, 'it is not a JSON object');
};

/** Every byte of a line is read: no member is there twice, none is unknown, no space is between. */
const checkForm = (line: Fields, section: Section, text: string, lines: number): void => {
  const kind = readText(line, 'kind') || readText(line, 'type') || 'file';
  const id =
    readText(line, 'id') ||
    readText(line, 'path') ||
    readText(line, 'version') ||
    readText(line, 'sha256') ||
    `line ${lines}`;
  if (JSON.stringify(line) !== text)
    fail(kind, id, null, `line ${lines} is not written as an export is: a member is there twice, or spaces are`);
  const [needed, optional] = MEMBERS[section];
  if (!hasExactly(line, needed, optional))
    fail(kind, id, null, `line ${lines} has a member too many, or one is missing`);
};

/** The anchor has leaves that the file does not: it says nothing of those that the file has. */
const isOlder = ({ leaves, checkpoints }: ExportReading): boolean =>
  (checkpoints?.anchor?.size ?? 0) > leaves.names.length;

/** A sentence for each part that is missing. */
const findMissing = (
  reading: ExportReading,
  { pending, firstPending, hidden, firstHidden }: RecordCounts,
): readonly string[] => {
  const { leaves, effects, gateSets, checkpoints } = reading;
  const missing: string[] = [];
  const { witnesses = [], atLeast = 0 } = reading.options;
  if (atLeast > 0 && (checkpoints?.cosignedSize ?? 0) < leaves.names.length)
    missing.push(
      `${atLeast} of ${witnesses.length} witnesses cosigned ${checkpoints?.cosignedSize ?? 0} of the ${leaves.names.length} leaves: nobody else saw the others.`,
    );
  if (hidden > 0)
    missing.push(
      `${hidden} ${hidden === 1 ? 'action is' : 'actions are'} withheld, and no approval card, first in the decision ${firstHidden}: the log holds the hash, and the file does not show what was done.`,
    );
  if (isOlder(reading))
    missing.push(
      `The anchor is newer than this export (${checkpoints?.anchor?.size} leaves, the file has ${leaves.names.length})${
        checkpoints?.isAnchorSigned === true ? '' : ', and signed by no key that the file knows'
      }: use an older anchor or a newer export.`,
    );
  if (leaves.names.length === 0) missing.push('The log is empty: there is nothing that a key could have signed.');
  for (const [version, first] of effects.unknownGateSets)
    missing.push(
      `Gate set ${version.slice(0, 12)} is missing, which the decision ${first} names: traces judged under it were not checked for missing gates.`,
    );
  missing.push(...findMissingCode(gateSets));
  if (pending > 0)
    missing.push(
      `${pending} ${pending === 1 ? 'record is' : 'records are'} not held by a leaf of the log, first ${firstPending}: nothing signs what the file says of them. Earlier releases wrote the last minute like this; export again.`,
    );
  return missing;
};

/** The one place that decides whether "verified" may be said. */
const chooseStatus = (
  reading: ExportReading,
  { hidden }: RecordCounts,
  missing: readonly string[],
): VerifiedExport['status'] => {
  const { key, anchor } = reading.options;
  if (hidden > 0) return 'withheld';
  if (isOlder(reading)) return 'older';
  if (missing.length > 0) return 'incomplete';
  return key === undefined && anchor === undefined ? 'consistent' : 'verified';
};

const conclude = (reading: ExportReading): VerifiedExport => {
  const { options, header, leaves, checkpoints, records, effects } = reading;
  const { space, exportedAt } = header;
  const { names, newestAt, lateCount } = leaves;
  const [isSigned, isAnchored] = [options.key !== undefined, options.anchor !== undefined && !isOlder(reading)];
  const counts = records?.counts ?? NO_RECORDS;
  const missing = findMissing(reading, counts);
  return {
    status: chooseStatus(reading, counts, missing),
    missing,
    space,
    exportedAt,
    newestAt,
    mayBeOlder: names.length > 0 && exportedAt - newestAt > EXPORT_IDLE_MS_MAX,
    leaves: names.length,
    late: lateCount,
    checkpoints: checkpoints?.count ?? 0,
    uncheckedCosignatures: checkpoints?.unchecked ?? 0,
    root: Buffer.from(checkpoints?.newest?.root ?? []).toString('base64'),
    isSigned,
    isAnchored,
    areRulesComputed: options.momentsBetween !== undefined || counts.jobs === 0,
    unknownGateSets: [...effects.unknownGateSets.keys()],
    ...counts,
  };
};

/** Never throws for what a file holds; a source of lines that fails is the caller's error. */
export const verifyExport = async (
  lines: AsyncIterable<string> | Iterable<string>,
  options: VerifyOptions,
): Promise<VerifyResult> => {
  let count = 0;
  let reading: ExportReading | undefined;
  let hasEnded = false;
  let isTorn = false;
  try {
    for await (const text of lines) {
      if (isTorn) failFile(count, 'it is not JSON');
      count += 1;
      if (hasEnded) failFile(count, 'it comes after the end');
      const line = readLine(text, count);
      if (line === undefined) {
        isTorn = true;
        continue;
      }
      const name = SECTIONS.find((one) => one === line.type) ?? failFile(count, 'it is of no known kind');
      const section = SECTIONS.indexOf(name);
      checkForm(line, name, text, count);
      if (reading === undefined) {
        if (name !== 'header') failFile(count, 'the header is missing');
        reading = startReading(line, options);
      } else {
        if (section < reading.section) failFile(count, `a ${name} stands after a ${SECTIONS[reading.section]}`);
        for (; reading.section < section; reading.section += 1) endSection(reading, SECTIONS[reading.section]);
        addLine(reading, name, line);
      }
      hasEnded = name === 'end';
      options.onLine?.(count);
    }
    if (reading !== undefined && hasEnded) return conclude(reading);
    const what = 'the file ends here, and is not at its end: copy or export it again';
    return { status: 'cut', wrong: { kind: 'file', id: `line ${count}`, index: null, what } };
  } catch (error) {
    if (error instanceof WrongError) return { status: 'wrong', wrong: error.wrong };
    // Hashing refuses what no honest writer can have hashed.
    if (error instanceof Error && error.name === 'ProtocolError')
      return { status: 'wrong', wrong: { kind: 'file', id: `line ${count}`, index: null, what: error.message } };
    throw error;
  }
};
