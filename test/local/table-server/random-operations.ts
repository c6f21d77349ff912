/**
 * Operations on one table drawn from a seed: over few keys, attributes and values, so that
 * conditions meet what earlier operations wrote, transactions collide and pages are cut. Some are
 * wrong on purpose.
 */

export interface Operation {
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
}

type Wire = Readonly<Record<string, unknown>>;

export const TABLE = 'compared';
export const DEFINITION = {
  TableName: TABLE,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    ...['pk', 'sk', 'feedSpace', 'otherSpace', 'otherSort'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    { AttributeName: 'feedAt', AttributeType: 'N' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'feed',
      KeySchema: [
        { AttributeName: 'feedSpace', KeyType: 'HASH' },
        { AttributeName: 'feedAt', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
    {
      IndexName: 'other',
      KeySchema: [
        { AttributeName: 'otherSpace', KeyType: 'HASH' },
        { AttributeName: 'otherSort', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
};

/** Uniform numbers in [0, 1) from a seed (mulberry32). */
const buildRandom = (from: number) => {
  let state = from >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const PARTITIONS = ['a', 'b', 'ä#1'];
const SORTS = ['x', 'x#1', 'x#10', 'x#2', 'é', '\u{1f600}', '￿'];
const TEXTS = ['', 'x', 'x#1', 'ä', 'xx', 'zebra', '\u{1f600}'];
const NUMBERS = [
  '0',
  '1',
  '-1',
  '2',
  '10',
  '1.5',
  '-0.25',
  '1e3',
  '007',
  '1E-7',
  '12345678901234567890',
  '-98765432109876543210.5',
];
/** The reference compares numbers in sets by their text: they are spelled canonically. */
const PLAIN_NUMBERS = ['0', '1', '-1', '2', '10', '1.5', '-0.25', '12345678901234567890'];
const ODD_NUMBERS = [
  '',
  'abc',
  '1e126',
  '1e-131',
  '123456789012345678901234567890123456789',
  '-0',
  '9e125',
  '1e-130',
  '1.10',
];
const NAMES = [
  'n',
  's',
  'l',
  'm',
  'set',
  'ns',
  'flag',
  'feedSpace',
  'feedAt',
  'otherSpace',
  'otherSort',
  'constructor',
];
const COMPARATORS = ['=', '<>', '<', '<=', '>', '>='];

/** An endless source of operations; the same for the same seed. */
export const buildOperations = (seed: number): (() => Operation) => {
  const random = buildRandom(seed);
  const isLucky = (share: number): boolean => random() < share;
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const some = <T>(from: readonly T[], max: number): T[] => [
    ...new Set(Array.from({ length: 1 + below(max) }, () => pick(from))),
  ];
  const times = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make);

  /**
   * In transactions: the reference reports what is wrong with a request itself as a cancellation,
   * DynamoDB does not.
   */
  let isCareful = false;
  const isWrong = (share: number): boolean => isLucky(share) && !isCareful;

  const key = (): Wire =>
    isWrong(0.005)
      ? pick<Wire>([{ pk: { S: 'a' } }, { pk: { N: '1' }, sk: { S: 'x' } }, { pk: { S: '' }, sk: { S: 'x' } }, {}])
      : { pk: { S: pick(PARTITIONS) }, sk: { S: pick(SORTS) } };
  const number = (): string => (isWrong(0.03) ? pick(ODD_NUMBERS) : pick(NUMBERS));
  const value = (depth = 0): Wire => {
    switch (below(depth > 1 ? 6 : 11)) {
      case 0:
      case 1:
        return { S: pick(TEXTS) };
      case 2:
      case 3:
        return { N: number() };
      case 4:
        return { BOOL: isLucky(0.5) };
      case 5:
        return isLucky(0.5) ? { NULL: true } : { B: Buffer.from(pick(TEXTS)).toString('base64') };
      case 6:
        return { SS: some(TEXTS, 3) };
      case 7:
        return { NS: some(PLAIN_NUMBERS, 3) };
      case 8:
      case 9:
        return { L: times(below(4), () => value(depth + 1)) };
      default:
        return { M: Object.fromEntries(times(below(3), () => [pick(['x', 'y', 'n']), value(depth + 1)])) };
    }
  };
  /** Mostly of the type that the name suggests, so that operations succeed. */
  const valueFor = (name: string): Wire => (isLucky(0.06) ? value() : sound(name));
  const sound = (name: string): Wire => {
    switch (name) {
      case 'n':
      case 'added':
      case 'feedAt':
        return { N: number() };
      case 'l':
        return { L: times(below(4), () => value(1)) };
      case 'm':
        return { M: { x: value(1), n: { N: number() } } };
      case 'set':
        return { SS: some(TEXTS, 3) };
      case 'ns':
        return { NS: some(PLAIN_NUMBERS, 3) };
      case 'flag':
        return { BOOL: isLucky(0.5) };
      default:
        return { S: pick(TEXTS.slice(isWrong(0.02) ? 0 : 1)) };
    }
  };
  const attributes = (): Wire => Object.fromEntries(some(NAMES, 6).map((name) => [name, valueFor(name)]));
  const large = (): Wire =>
    isLucky(0.01) ? { blob: { S: 'b'.repeat(pick([1_000, 150_000, 300_000, 409_000, 410_000])) } } : {};
  const item = (): Wire => ({ ...attributes(), ...large(), ...key() });

  /** Writes expressions over one set of placeholders. */
  const writer = () => {
    const names: Record<string, string> = {};
    const values: Record<string, Wire> = {};
    const nameOf = (name: string): string => {
      if (isLucky(0.2) && !['set', 'constructor'].includes(name)) return name;
      names[`#${name}`] = name;
      return `#${name}`;
    };
    const put = (wire: Wire): string => {
      const placeholder = `:v${Object.keys(values).length}`;
      values[placeholder] = wire;
      return placeholder;
    };
    const path = (name = pick(NAMES)): string => {
      if (isLucky(0.85)) return nameOf(name);
      return `${nameOf('l')}[${below(4)}]`;
    };
    const operand = (name: string): string => {
      if (isLucky(0.1)) return isLucky(0.5) ? path() : `size(${path()})`;
      return put(valueFor(name));
    };
    const simple = (): string => {
      const name = pick(NAMES);
      switch (below(8)) {
        case 0:
          return `attribute_exists(${isLucky(0.5) ? nameOf('pk') : path(name)})`;
        case 1:
          return `attribute_not_exists(${isLucky(0.5) ? nameOf('pk') : path(name)})`;
        case 2:
          return `${path(name)} IN (${times(1 + below(3), () => operand(name)).join(', ')})`;
        case 3:
          return `contains(${path(name)}, ${put(value(2))})`;
        case 4:
          return `size(${path(name)}) ${pick(COMPARATORS)} ${put({ N: `${below(4)}` })}`;
        default:
          return `${path(name)} ${pick(COMPARATORS)} ${operand(name)}`;
      }
    };
    const condition = (depth = 0): string => {
      if (depth > 2 || isLucky(0.6)) return simple();
      if (isLucky(0.2)) return `NOT (${condition(depth + 1)})`;
      const [left, right] = [condition(depth + 1), condition(depth + 1)];
      const word = pick(['AND', 'OR']);
      return isLucky(0.5) ? `(${left}) ${word} (${right})` : `${left} ${word} ${right}`;
    };
    const update = (): string => {
      const free = [...NAMES].sort(() => random() - 0.5);
      const take = (): string => free.pop() ?? 'n';
      const target = (name: string): string => {
        if (isWrong(0.01)) return nameOf(pick(['pk', ...NAMES]));
        return nameOf(name);
      };
      const set = (): string => {
        const name = take();
        const to = target(name);
        switch (below(5)) {
          case 0:
            return `${to} = if_not_exists(${path(name)}, ${put(valueFor(name))})`;
          case 1:
            return `${to} = list_append(if_not_exists(${nameOf('l')}, ${put({ L: [] })}), ${put({ L: [value(1)] })})`;
          case 2:
            return `${to} = ${path()}`;
          default:
            return `${to} = ${put(valueFor(name))}`;
        }
      };
      const remove = (): string => {
        const name = take();
        return name === 'l' && isLucky(0.7) ? `${nameOf('l')}[${below(4)}]` : target(name);
      };
      const adding = (): string => {
        const sums = ['n', 'set', 'ns', 'feedAt'].filter((each) => free.includes(each));
        const name = isWrong(0.1) ? take() : sums.length === 0 ? 'added' : pick(sums);
        if (free.includes(name)) free.splice(free.indexOf(name), 1);
        const given = isWrong(0.1) ? value() : isLucky(0.1) ? { N: number() } : sound(name);
        return `${nameOf(name)} ${put(given)}`;
      };
      const sections = [
        isLucky(0.7) ? `SET ${times(1 + below(3), set).join(', ')}` : '',
        isLucky(0.3) ? `REMOVE ${times(1 + below(2), remove).join(', ')}` : '',
        isLucky(0.3) ? `ADD ${adding()}` : '',
      ].filter((section) => section !== '');
      return sections.length === 0 ? `SET ${nameOf('n')} = ${put({ N: number() })}` : sections.join(' ');
    };
    /** Gives names and values of the expressions; now and then one that nobody uses. */
    const fields = (): Wire => {
      if (isWrong(0.005)) names['#unused'] = 'unused';
      if (isWrong(0.005)) values[':unused'] = { S: 'unused' };
      return {
        ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
        ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
      };
    };
    const broken = (text: string): string => (isWrong(0.003) ? text.slice(0, below(text.length)) : text);
    return { condition: () => broken(condition()), update: () => broken(update()), fields, put, nameOf };
  };

  const returnsOld = (): Wire => (isLucky(0.7) ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } : {});
  const conditional = (w: ReturnType<typeof writer>, share: number): Wire =>
    isLucky(share) ? { ConditionExpression: w.condition(), ...returnsOld() } : {};

  const put = (): Wire => {
    const w = writer();
    return { TableName: TABLE, Item: item(), ...conditional(w, 0.6), ...w.fields() };
  };
  const update = (): Wire => {
    const w = writer();
    const UpdateExpression = w.update();
    return { TableName: TABLE, Key: key(), UpdateExpression, ...conditional(w, 0.5), ...w.fields() };
  };
  const remove = (): Wire => {
    const w = writer();
    return { TableName: TABLE, Key: key(), ...conditional(w, 0.5), ...w.fields() };
  };
  const check = (): Wire => {
    const w = writer();
    return { TableName: TABLE, Key: key(), ConditionExpression: w.condition(), ...returnsOld(), ...w.fields() };
  };
  const transaction = (): Wire => {
    isCareful = true;
    const parts = [
      () => ({ Put: put() }),
      () => ({ Update: update() }),
      () => ({ Delete: remove() }),
      () => ({ ConditionCheck: check() }),
    ];
    const TransactItems = times(1 + below(4), () => pick(parts)());
    isCareful = false;
    return { TransactItems, ...(isLucky(0.3) ? { ClientRequestToken: `token-${below(1_000_000)}` } : {}) };
  };

  const bound = (w: ReturnType<typeof writer>, name: string, one: () => Wire): string => {
    const to = w.nameOf(name);
    switch (below(4)) {
      case 0:
        return ` AND ${to} ${pick(['=', '<', '<=', '>', '>='])} ${w.put(one())}`;
      case 1:
        return ` AND ${to} BETWEEN ${w.put(one())} AND ${w.put(one())}`;
      case 2:
        return name === 'feedAt' ? '' : ` AND begins_with(${to}, ${w.put(one())})`;
      default:
        return '';
    }
  };
  const paging = (): Wire => ({
    ...(isLucky(0.5) ? { Limit: 1 + below(4) } : {}),
    ...(isLucky(0.4) ? { ScanIndexForward: false } : {}),
  });
  const query = (): Wire => {
    const w = writer();
    const kind = below(3);
    if (kind === 0) {
      const pk = pick(PARTITIONS);
      const KeyConditionExpression = `${w.nameOf('pk')} = ${w.put({ S: pk })}${bound(w, 'sk', () => ({ S: pick(SORTS) }))}`;
      const start = isLucky(0.2) ? { ExclusiveStartKey: { pk: { S: pk }, sk: { S: pick(SORTS) } } } : {};
      return { TableName: TABLE, KeyConditionExpression, ...paging(), ...start, ...w.fields() };
    }
    const [index, hash, range, one]: [string, string, string, () => Wire] =
      kind === 1
        ? ['feed', 'feedSpace', 'feedAt', () => ({ N: pick(NUMBERS) })]
        : ['other', 'otherSpace', 'otherSort', () => ({ S: pick(TEXTS.slice(1)) })];
    const space = pick(TEXTS.slice(1));
    const KeyConditionExpression = `${w.nameOf(hash)} = ${w.put({ S: space })}${bound(w, range, one)}`;
    const start = isLucky(0.2)
      ? {
          ExclusiveStartKey: {
            pk: { S: pick(PARTITIONS) },
            sk: { S: pick(SORTS) },
            [hash]: { S: space },
            [range]: one(),
          },
        }
      : {};
    return { TableName: TABLE, IndexName: index, KeyConditionExpression, ...paging(), ...start, ...w.fields() };
  };
  const batchGet = (): Wire => {
    const keys = new Map(times(1 + below(8), key).map((each) => [JSON.stringify(each), each]));
    const Keys = [...keys.values()];
    return {
      RequestItems: { [TABLE]: { Keys: isLucky(0.01) ? [...Keys, ...Keys] : Keys, ConsistentRead: isLucky(0.5) } },
    };
  };
  const returning = (input: Wire, values: readonly string[]): Wire =>
    isLucky(0.5) ? { ...input, ReturnValues: pick(values) } : input;

  return () => {
    const draw = random();
    if (draw < 0.2) return { action: 'PutItem', input: returning(put(), ['NONE', 'ALL_OLD']) };
    if (draw < 0.5) return { action: 'UpdateItem', input: returning(update(), ['NONE', 'ALL_NEW', 'ALL_NEW']) };
    if (draw < 0.57) return { action: 'DeleteItem', input: returning(remove(), ['NONE', 'ALL_OLD']) };
    if (draw < 0.7) return { action: 'TransactWriteItems', input: transaction() };
    if (draw < 0.77)
      return { action: 'GetItem', input: { TableName: TABLE, Key: key(), ConsistentRead: isLucky(0.5) } };
    if (draw < 0.84) return { action: 'BatchGetItem', input: batchGet() };
    if (draw < 0.99) return { action: 'Query', input: query() };
    return { action: 'Scan', input: { TableName: TABLE } };
  };
};
