/**
 * What DynamoDB charges for an item, from its wire form: bytes as its documentation counts them,
 * write units (1 KB steps, an index entry that appears, goes or changes costs its own) and read
 * units (4 KB steps, consistent). Pure. The embedded server charges nothing, so the benchmark has
 * to count as AWS would.
 */

/** A DynamoDB value as it travels: `{"S": "…"}`, `{"N": "1"}`, `{"M": {…}}` … */
export type WireValue = Readonly<Record<string, unknown>>;
export type WireItem = Readonly<Record<string, WireValue>>;

const INDEXES = ['unfinished', 'feed'] as const;
const CONTAINER_BYTES = 3;
const ELEMENT_BYTES = 1;

const utf8Bytes = (text: string): number => Buffer.byteLength(text);

/** Two digits a byte, and one for the exponent; a sign takes another. */
const numberBytes = (text: string): number => {
  const digits = text.replace(/[^0-9]/g, '').replace(/^0+|0+$/g, '');
  return Math.ceil(digits.length / 2) + 1 + (text.startsWith('-') ? 1 : 0);
};

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const valueBytes = (value: WireValue): number => {
  const [type, content] = Object.entries(value)[0] ?? ['NULL', true];
  switch (type) {
    case 'S':
      return utf8Bytes(String(content));
    case 'N':
      return numberBytes(String(content));
    case 'B':
      return Buffer.from(String(content), 'base64').length;
    case 'BOOL':
    case 'NULL':
      return 1;
    case 'SS':
      return list(content).reduce<number>((sum, each) => sum + utf8Bytes(String(each)), 0);
    case 'NS':
      return list(content).reduce<number>((sum, each) => sum + numberBytes(String(each)), 0);
    case 'L':
      return list(content).reduce<number>(
        (sum, each) => sum + ELEMENT_BYTES + valueBytes(each as WireValue),
        CONTAINER_BYTES,
      );
    case 'M':
      return Object.entries(content as WireItem).reduce(
        (sum, [name, each]) => sum + ELEMENT_BYTES + utf8Bytes(name) + valueBytes(each),
        CONTAINER_BYTES,
      );
    default:
      throw new Error(`no size is known for a value of type ${type}`);
  }
};

export const itemBytes = (item: WireItem | undefined): number =>
  Object.entries(item ?? {}).reduce((sum, [name, value]) => sum + utf8Bytes(name) + valueBytes(value), 0);

/**
 * At least one: an item that is not there, or a condition that does not hold, is charged as well.
 */
export const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024));
export const readUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 4096));

const indexEntry = (item: WireItem | undefined, index: (typeof INDEXES)[number]): WireItem | undefined => {
  const names = ['pk', 'sk', `${index}Space`, `${index}At`];
  if (item === undefined || names.some((name) => item[name] === undefined)) return undefined;
  return Object.fromEntries(names.map((name) => [name, item[name] ?? {}]));
};

/**
 * Units of the keys-only indexes for a change of an item: one to add or take away an entry, two to
 * move it, none otherwise.
 */
export const indexUnits = (before: WireItem | undefined, after: WireItem | undefined): number =>
  INDEXES.reduce((sum, index) => {
    const old = indexEntry(before, index);
    const now = indexEntry(after, index);
    if (JSON.stringify(old) === JSON.stringify(now)) return sum;
    return (
      sum + (old === undefined ? 0 : writeUnits(itemBytes(old))) + (now === undefined ? 0 : writeUnits(itemBytes(now)))
    );
  }, 0);

/**
 * Units of one write that turns `before` into `after`: the larger of the two counts, and the
 * indexes.
 */
export const changeUnits = (before: WireItem | undefined, after: WireItem | undefined): number =>
  writeUnits(Math.max(itemBytes(before), itemBytes(after))) + indexUnits(before, after);
