/**
 * Verifies an evidence export with nothing but itself, and where given the log's public key and a
 * checkpoint kept elsewhere. Takes its lines one by one, keeps some 200 bytes of each leaf, and
 * names the first thing that is wrong.
 *
 * Whoever changes a file can change without being noticed only what says nothing: the order of the
 * members of an object; `exportedAt`, up to an hour after the newest leaf (the time is shown as the
 * file's own claim); a gate set that no decision names; and a checkpoint that is neither the last
 * nor the first after a change of keys. A test changes a real export in 10,000 ways, and these
 * alone pass.
 *
 * For auditors: this folder and the files of `lib/evidence` it imports (canonical, merkle, proofs,
 * tiles, signed-note, checkpoint, record-hash), with `lib/base/errors.ts` and `lib/base/limits.ts`,
 * are all of it. They import nothing else but node:crypto, which a test holds. The log's writer
 * shares the hashing and the tree with it; that those are the standard's is shown by the vectors of
 * RFC 8785 and RFC 9162 and by a verifier nobody here wrote (`test/evidence/go`).
 */

import { hashOf } from '../../base/canonical.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/limits.ts';
import { originOf } from '../checkpoint.ts';
import { EXPORT_LINE_CHARS_MAX } from '../limits.ts';
import { parseVerifierKey, type VerifierKey } from '../signed-note.ts';
import { buildCheckpointSection, type CheckpointSection } from './checkpoint-section.ts';
import { buildEffectRules } from './effect-rules.ts';
import { countOf, type Fields, fieldsOf, hasExactly, listOf, textOf } from './fields.ts';
import { buildLeafSection, type LeafSection } from './leaf-section.ts';
import { buildRecordSection, type RecordCounts, type RecordSection } from './record-section.ts';
import { buildTileSection, type TileSection } from './tile-section.ts';
import { fail, type Wrong, WrongError } from './wrong.ts';

/**
 * How long a log may have been idle before an export whose newest leaf is older is named as one
 * that may be an old copy.
 */
export const EXPORT_IDLE_MS_MAX = HOUR_MS;
/** How far a clock may be ahead of ours before an export counts as made in the future. */
const EXPORT_CLOCK_SKEW_MS = 5 * MINUTE_MS;

export interface VerifyOptions {
  /** Verifier key of the log, `<name>+<id>+<base64>`: any key it ever had. */
  readonly key?: string | undefined;
  /** Text of a checkpoint kept outside: shows that nothing was cut off or rewritten since. */
  readonly anchor?: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Told after every line. */
  readonly onLine?: (lines: number) => void;
}

export interface VerifiedExport extends RecordCounts {
  /**
   * `verified`: complete, and held by a key or an anchor given from outside. `consistent`:
   * complete, and agrees with itself, which a forger's would too. `incomplete`: `missing` says what
   * is not there.
   */
  readonly status: 'verified' | 'incomplete' | 'consistent';
  /** One sentence for each part without which nobody may say "verified". */
  readonly missing: readonly string[];
  readonly space: string;
  /** As the file says: nothing signs it. */
  readonly exportedAt: number;
  /** Time of the newest leaf, epoch milliseconds; 0 in an empty log. */
  readonly newestAt: number;
  /**
   * `exportedAt` is long after the newest leaf: an older copy of the log that was dated anew looks
   * the same.
   */
  readonly mayBeOlder: boolean;
  readonly leaves: number;
  /** Of them, those added to the log later than the merge delay, and saying so. */
  readonly late: number;
  readonly checkpoints: number;
  /** Root of the newest checkpoint, base64. */
  readonly root: string;
  readonly isSigned: boolean;
  readonly isAnchored: boolean;
  /**
   * Gate sets the file does not explain: traces judged under them could not be checked for missing
   * gates.
   */
  readonly unknownGateSets: readonly string[];
}

export type VerifyResult = VerifiedExport | { readonly status: 'wrong'; readonly wrong: Wrong };

export const EXPORT_FORMAT = 'passepartout-evidence';

/** Kinds of lines in the order they come in. */
const SECTIONS = ['header', 'gate-set', 'leaf', 'tile', 'checkpoint', 'record', 'end'] as const;
type Section = (typeof SECTIONS)[number];

interface Header {
  readonly space: string;
  readonly origin: string;
  readonly exportedAt: number;
  readonly size: number;
  readonly keys: readonly VerifierKey[];
}

/** Members of each kind of line: all of the first, some of the second, no other. */
const MEMBERS: Readonly<Record<Section, readonly [needed: readonly string[], optional: readonly string[]]>> = {
  header: [['type', 'format', 'version', 'space', 'origin', 'exportedAt', 'size', 'keys'], []],
  'gate-set': [['type', 'version', 'content'], []],
  leaf: [['type', 'index', 'leaf'], []],
  tile: [['type', 'path', 'data'], []],
  checkpoint: [['type', 'note'], []],
  record: [
    ['type', 'kind', 'id', 'fixed'],
    ['content', 'isForgotten', 'leaf'],
  ],
  end: [['type'], []],
};

interface Reading {
  readonly options: VerifyOptions;
  readonly header: Header;
  readonly gateSets: Map<string, readonly string[]>;
  /** Versions the file does not explain, each with the first decision that names it. */
  readonly unknown: Map<string, string>;
  readonly leaves: LeafSection;
  tiles?: TileSection;
  checkpoints?: CheckpointSection;
  records?: RecordSection;
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
  const [space = '', origin = '', format, version] = [
    textOf(line, 'space'),
    textOf(line, 'origin'),
    line.format,
    line.version,
  ];
  const [exportedAt, size, keys] = [countOf(line, 'exportedAt'), countOf(line, 'size'), listOf(line, 'keys')];
  if (format !== EXPORT_FORMAT || version !== 1)
    return fail('header', '', null, 'this is not an evidence export of a known version');
  if (space === '' || origin === '' || exportedAt === undefined || size === undefined || keys === undefined)
    return fail('header', '', null, 'a member is missing');
  if (origin !== originOf(space)) fail('header', '', null, 'its log is of another space');
  if (exportedAt > now + EXPORT_CLOCK_SKEW_MS) fail('header', '', null, 'it was made in the future');
  return { space, origin, exportedAt, size, keys: keys.map((key) => readKey(key, 'header')) };
};

/** The gates of a version, which is the hash over them. */
const readGateSet = (line: Fields): readonly [version: string, names: readonly string[]] => {
  const version = textOf(line, 'version') ?? '';
  const content = fieldsOf(line.content) ?? {};
  if (hashOf('gate-set', content) !== version || !hasExactly(content, ['engine', 'gates', 'problem']))
    fail('gate-set', version, null, 'its gates are not the ones of its version');
  const names = (listOf(content, 'gates') ?? []).map((gate) => (Array.isArray(gate) ? String(gate[0]) : ''));
  return [version, names];
};

/** Closes the sections up to this one, each when the next begins. */
const open = (reading: Reading, section: number): void => {
  for (; reading.section < section; reading.section += 1) {
    const ended = SECTIONS[reading.section];
    const { leaves, header, options } = reading;
    if (ended === 'leaf') {
      if (leaves.count() !== header.size)
        fail(
          'log',
          header.origin,
          leaves.count(),
          `it has ${leaves.count()} leaves, and the header says ${header.size}`,
        );
      reading.tiles = buildTileSection(leaves);
    }
    if (ended === 'tile' && reading.tiles !== undefined) {
      reading.tiles.end();
      const key = options.key === undefined ? undefined : readKey(options.key, 'key');
      const { anchor } = options;
      const input = { origin: header.origin, key, claimed: header.keys, anchor, leaves, tiles: reading.tiles };
      reading.checkpoints = buildCheckpointSection(input);
    }
    if (ended === 'checkpoint') {
      reading.checkpoints?.end();
      const { unknown } = reading;
      const rules = buildEffectRules(reading.gateSets, (version, id) =>
        unknown.set(version, unknown.get(version) ?? id),
      );
      reading.records = buildRecordSection(leaves, rules, header.exportedAt);
    }
    if (ended === 'record') reading.records?.end();
  }
};

const take = (reading: Reading, section: Section, line: Fields): void => {
  switch (section) {
    case 'header':
      fail('header', '', null, 'it is there twice');
      break;
    case 'gate-set': {
      const [version, names] = readGateSet(line);
      if (reading.gateSets.has(version)) fail('gate-set', version, null, 'it is there twice');
      reading.gateSets.set(version, names);
      break;
    }
    case 'leaf':
      reading.leaves.add(line);
      break;
    case 'tile':
      reading.tiles?.add(line);
      break;
    case 'checkpoint':
      reading.checkpoints?.add(line);
      break;
    case 'record':
      reading.records?.add(line);
      break;
    case 'end':
      break;
    default:
      section satisfies never;
  }
};

const begin = (line: Fields, options: VerifyOptions): Reading => {
  const header = readHeader(line, options.now);
  const leaves = buildLeafSection(header.space, header.origin, header.exportedAt + EXPORT_CLOCK_SKEW_MS);
  return { options, header, gateSets: new Map(), unknown: new Map(), leaves, section: 0 };
};

const readLine = (text: string, lines: number): Fields => {
  if (text.length > EXPORT_LINE_CHARS_MAX) failFile(lines, 'it is too long');
  try {
    return fieldsOf(JSON.parse(text)) ?? failFile(lines, 'it is not a JSON object');
  } catch (error) {
    if (error instanceof WrongError) throw error;
    return failFile(lines, 'it is not JSON');
  }
};

/**
 * What a person calls the line: a record's kind and id, a tile's path, or its number in the file.
 */
const nameOfLine = (line: Fields, lines: number): readonly [kind: string, id: string] => {
  const id = textOf(line, 'id') || textOf(line, 'path') || textOf(line, 'version') || `line ${lines}`;
  return [textOf(line, 'kind') || textOf(line, 'type') || 'file', id];
};

/** Every byte of a line is read: no member twice, none that nobody knows, no space between them. */
const checkForm = (line: Fields, section: Section, text: string, lines: number): void => {
  const [kind, id] = nameOfLine(line, lines);
  if (JSON.stringify(line) !== text)
    fail(kind, id, null, `line ${lines} is not written as an export is: a member is there twice, or spaces are`);
  const [needed, optional] = MEMBERS[section];
  if (!hasExactly(line, needed, optional))
    fail(kind, id, null, `line ${lines} has a member too many, or one is missing`);
};

const isMany = (count: number): string => (count === 1 ? 'record is' : 'records are');

/** The parts that are missing, each as a sentence. */
const findMissing = ({ leaves, unknown }: Reading, { pending, firstPending }: RecordCounts): readonly string[] => [
  ...(leaves.count() === 0 ? ['The log is empty: there is nothing that a key could have signed.'] : []),
  ...[...unknown].map(
    ([version, first]) =>
      `Gate set ${version.slice(0, 12)} is missing, which the decision ${first} names: traces judged under it were not checked for missing gates.`,
  ),
  ...(pending === 0
    ? []
    : [
        `${pending} ${isMany(pending)} not held by a leaf of the log, first ${firstPending}: nothing signs what the file says of them. Earlier releases wrote the last minute like this; export again.`,
      ]),
];

/** The one place that decides whether "verified" may be said. */
const statusOf = (missing: readonly string[], isHeld: boolean): VerifiedExport['status'] => {
  if (missing.length > 0) return 'incomplete';
  return isHeld ? 'verified' : 'consistent';
};

const conclude = (reading: Reading): VerifiedExport => {
  const { options, header, leaves, checkpoints, records, unknown } = reading;
  const [isSigned, isAnchored] = [options.key !== undefined, options.anchor !== undefined];
  const counts = records?.counts() ?? { records: 0, pending: 0, firstPending: '', forgotten: 0, withheld: 0 };
  const missing = findMissing(reading, counts);
  return {
    status: statusOf(missing, isSigned || isAnchored),
    missing,
    space: header.space,
    exportedAt: header.exportedAt,
    newestAt: leaves.newestAt(),
    mayBeOlder: leaves.count() > 0 && header.exportedAt - leaves.newestAt() > EXPORT_IDLE_MS_MAX,
    leaves: leaves.count(),
    late: leaves.lateCount(),
    checkpoints: checkpoints?.count() ?? 0,
    root: Buffer.from(checkpoints?.newest()?.root ?? []).toString('base64'),
    isSigned,
    isAnchored,
    unknownGateSets: [...unknown.keys()],
    ...counts,
  };
};

/** Never throws for what a file holds; a source of lines that fails is the caller's error. */
export const verifyExport = async (
  lines: AsyncIterable<string> | Iterable<string>,
  options: VerifyOptions,
): Promise<VerifyResult> => {
  let count = 0;
  let reading: Reading | undefined;
  let hasEnded = false;
  try {
    for await (const text of lines) {
      count += 1;
      if (hasEnded) failFile(count, 'it comes after the end');
      const line = readLine(text, count);
      const name = SECTIONS.find((one) => one === line.type) ?? failFile(count, 'it is of no known kind');
      const section = SECTIONS.indexOf(name);
      checkForm(line, name, text, count);
      if (reading === undefined) {
        if (name !== 'header') failFile(count, 'the header is missing');
        reading = begin(line, options);
      } else {
        if (section < reading.section) failFile(count, `a ${name} stands after a ${SECTIONS[reading.section]}`);
        open(reading, section);
        take(reading, name, line);
      }
      hasEnded = name === 'end';
      options.onLine?.(count);
    }
    if (reading === undefined || !hasEnded) return failFile(count, 'the file ends here, and is not at its end');
    return conclude(reading);
  } catch (error) {
    if (error instanceof WrongError) return { status: 'wrong', wrong: error.wrong };
    // Hashing refuses what no honest writer can have hashed.
    if (error instanceof Error && error.name === 'ProtocolError')
      return { status: 'wrong', wrong: { kind: 'file', id: `line ${count}`, index: null, what: error.message } };
    throw error;
  }
};
