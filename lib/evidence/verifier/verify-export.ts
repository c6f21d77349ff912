/**
 * Verifies an evidence export with nothing but itself, and where given the log's public key and a checkpoint kept elsewhere. Takes its
 * lines one by one, keeps some 200 bytes of each leaf, and names the first thing that is wrong.
 *
 * For auditors: this folder and the files of `lib/evidence` it imports (canonical, merkle, proofs, tiles, signed-note, checkpoint,
 * record-hash), with `lib/errors.ts` and `lib/limits.ts`, are all of it. They import nothing else but node:crypto, which a test
 * holds. The log's writer shares the hashing and the tree with it; that those are the standard's is shown by the
 * vectors of RFC 8785 and RFC 9162 and by a verifier nobody here wrote (`test/evidence/go`).
 */
import { EXPORT_CLOCK_SKEW_MS, EXPORT_LINE_CHARS_MAX } from '../../limits.ts';
import { hashOf } from '../canonical.ts';
import { parseVerifierKey, type VerifierKey } from '../signed-note.ts';
import { buildCheckpointSection, type CheckpointSection } from './checkpoint-section.ts';
import { buildEffectRules } from './effect-rules.ts';
import { countOf, type Fields, fieldsOf, listOf, textOf } from './fields.ts';
import { buildLeafSection, type LeafSection } from './leaf-section.ts';
import { buildRecordSection, type RecordCounts, type RecordSection } from './record-section.ts';
import { buildTileSection, type TileSection } from './tile-section.ts';
import { fail, type Wrong, WrongError } from './wrong.ts';

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
  /** `verified`: held by a key or an anchor given from outside. `consistent`: agrees with itself, which a forger's would too. */
  readonly status: 'verified' | 'consistent';
  readonly space: string;
  readonly exportedAt: number;
  readonly leaves: number;
  /** Of them, those added to the log later than the merge delay, and saying so. */
  readonly late: number;
  readonly checkpoints: number;
  /** Root of the newest checkpoint, base64. */
  readonly root: string;
  readonly isSigned: boolean;
  readonly isAnchored: boolean;
  /** Gate sets the file does not explain: traces judged under them could not be checked for missing gates. */
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

interface Reading {
  readonly options: VerifyOptions;
  readonly header: Header;
  readonly gateSets: Map<string, readonly string[]>;
  readonly unknown: Set<string>;
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
  if (exportedAt > now + EXPORT_CLOCK_SKEW_MS) fail('header', '', null, 'it was made in the future');
  return { space, origin, exportedAt, size, keys: keys.map((key) => readKey(key, 'header')) };
};

/** The gates of a version, which is the hash over them. */
const readGateSet = (line: Fields): readonly [version: string, names: readonly string[]] => {
  const version = textOf(line, 'version') ?? '';
  const content = fieldsOf(line.content) ?? {};
  if (hashOf('gate-set', content) !== version)
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
      const rules = buildEffectRules(reading.gateSets, (version) => reading.unknown.add(version));
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
    case 'gate-set':
      reading.gateSets.set(...readGateSet(line));
      break;
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
  return { options, header, gateSets: new Map(), unknown: new Set(), leaves, section: 0 };
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

const conclude = ({ options, header, leaves, checkpoints, records, unknown }: Reading): VerifiedExport => {
  const [isSigned, isAnchored] = [options.key !== undefined, options.anchor !== undefined];
  return {
    status: isSigned || isAnchored ? 'verified' : 'consistent',
    space: header.space,
    exportedAt: header.exportedAt,
    leaves: leaves.count(),
    late: leaves.lateCount(),
    checkpoints: checkpoints?.count() ?? 0,
    root: Buffer.from(checkpoints?.newest()?.root ?? []).toString('base64'),
    isSigned,
    isAnchored,
    unknownGateSets: [...unknown],
    ...(records?.counts() ?? { records: 0, pending: 0, forgotten: 0, withheld: 0 }),
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
