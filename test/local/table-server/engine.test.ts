/**
 * What DynamoDB documents and the comparison with the reference cannot show; and what the engine
 * refuses.
 */
import { describe, expect, it } from 'vitest';
import { buildEngine } from '../../../infra/local/table-server/engine.ts';
import { IN_MEMORY, openStorage } from '../../../infra/local/table-server/storage.ts';
import { DEFINITION, TABLE } from './random-operations.ts';

const TableName = TABLE;
const key = (sk: string) => ({ pk: { S: 'a' }, sk: { S: sk } });

const build = () => {
  let time = 1_000_000;
  const engine = buildEngine({ storage: openStorage(IN_MEMORY), now: () => time });
  const send = (action: string, input: object): { readonly status: number; readonly [field: string]: unknown } => {
    const [answer] = engine.run([{ action, body: JSON.stringify(input) }]);
    if (answer === undefined) throw new Error('no answer');
    return { status: answer.status, ...(JSON.parse(answer.body) as object) };
  };
  send('CreateTable', DEFINITION);
  const put = (sk: string, more: object = {}) => send('PutItem', { TableName, Item: { ...key(sk), ...more } });
  const get = (sk: string) => send('GetItem', { TableName, Key: key(sk) }).Item;
  const pass = (ms: number): void => {
    time += ms;
  };
  return { engine, send, put, get, pass };
};

const type = (name: string) => ({ status: 400, __type: expect.stringMatching(`#${name}$`) });

describe('TransactWriteItems', () => {
  const write = (token: string, value: string) => ({
    ClientRequestToken: token,
    TransactItems: [
      {
        Update: {
          TableName,
          Key: key('sum'),
          UpdateExpression: 'ADD n :n',
          ExpressionAttributeValues: { ':n': { N: value } },
        },
      },
    ],
  });

  it('carries out a repeated token once, for ten minutes, and refuses it for another request', () => {
    const { send, get, pass } = build();
    expect(send('TransactWriteItems', write('t', '1'))).toStrictEqual({ status: 200 });
    pass(599_999);
    expect(send('TransactWriteItems', write('t', '1'))).toStrictEqual({ status: 200 });
    expect(get('sum')).toMatchObject({ n: { N: '1' } });
    expect(send('TransactWriteItems', write('t', '2'))).toMatchObject(type('IdempotentParameterMismatchException'));
    pass(1);
    expect(send('TransactWriteItems', write('t', '1'))).toStrictEqual({ status: 200 });
    expect(get('sum')).toMatchObject({ n: { N: '2' } });
  });

  it('forgets the token of a transaction that was undone with the requests beside it', () => {
    const { engine, send, put, get } = build();
    put('blob', { text: { S: 'x' } });
    const failing = {
      action: 'PutItem',
      get body(): string {
        throw new Error('the disk fails');
      },
    };
    expect(() =>
      engine.run([{ action: 'TransactWriteItems', body: JSON.stringify(write('t', '1')) }, failing]),
    ).toThrow('the disk fails');
    expect(get('sum')).toBeUndefined();
    expect(send('TransactWriteItems', write('t', '1'))).toStrictEqual({ status: 200 });
    expect(get('sum')).toMatchObject({ n: { N: '1' } });
  });
});

describe('expressions', () => {
  const update = (UpdateExpression: string, values: object = {}, names: object = {}) => ({
    TableName,
    Key: key('x'),
    UpdateExpression,
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
    ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
  });

  it('removes elements of a list by the positions they had', () => {
    const { send, put, get } = build();
    put('x', { l: { L: ['a', 'b', 'c', 'd'].map((S) => ({ S })) } });
    send('UpdateItem', update('REMOVE l[0], l[2], l[9]'));
    expect(get('x')).toMatchObject({ l: { L: [{ S: 'b' }, { S: 'd' }] } });
  });

  it('compares numbers by value: in sets, as list elements, with 38 digits', () => {
    const { send, put, get } = build();
    put('x', { n: { N: '12345678901234567890123456789012345678' }, set: { NS: ['1', '10'] } });
    expect(send('UpdateItem', update('ADD s :s', { ':s': { NS: ['1.0', '1'] } }))).toMatchObject(
      type('ValidationException'),
    );
    send(
      'UpdateItem',
      update('ADD #set :s, n :one', { ':s': { NS: ['1e1', '2'] }, ':one': { N: '1' } }, { '#set': 'set' }),
    );
    expect(get('x')).toMatchObject({
      n: { N: '12345678901234567890123456789012345679' },
      set: { NS: ['1', '10', '2'] },
    });
  });

  it('refuses what is not given, not used, or used twice', () => {
    const { send, get } = build();
    for (const input of [
      update('SET a = :a'),
      update('SET #a = :a', { ':a': { S: '' } }),
      update('SET a = :a', { ':a': { S: '' }, ':b': { S: '' } }),
      update('SET a = :a', { ':a': { S: '' } }, { '#b': 'b' }),
      update('SET a = :a REMOVE a', { ':a': { S: '' } }),
      update('SET a = :a SET b = :a', { ':a': { S: '' } }),
      update('SET a = :a,', { ':a': { S: '' } }),
      update('SET sk = :a', { ':a': { S: 'y' } }),
      update(''),
    ])
      expect(send('UpdateItem', input), JSON.stringify(input)).toMatchObject(type('ValidationException'));
    expect(get('x')).toBeUndefined();
  });
});

describe('the limits of AWS', () => {
  const long = (bytes: number) => ({ S: `${'ä'.repeat(Math.floor(bytes / 2))}${'x'.repeat(bytes % 2)}` });
  const put = (pk: number, sk: number, more: object = {}) => [
    'PutItem',
    { TableName, Item: { pk: long(pk), sk: long(sk), ...more } },
  ];
  const update = (more: object) => ['UpdateItem', { TableName, Key: key('x'), ...more }];
  const set = (name: string, bytes: number) =>
    update({ UpdateExpression: `SET ${name} = :v`, ExpressionAttributeValues: { ':v': long(bytes) } });
  const condition = (count: number) => {
    const names = Array.from({ length: count }, (_, n) => `:v${n}`);
    const values = Object.fromEntries(names.map((name) => [name, { S: 'x' }]));
    const more = { ConditionExpression: `NOT sk IN (${names.join(', ')})`, ExpressionAttributeValues: values };
    return ['DeleteItem', { TableName, Key: key('y'), ...more }];
  };
  const spaces = (bytes: number) => update({ UpdateExpression: `REMOVE ${' '.repeat(bytes - 8)}a` });
  const query = (pk: number, sk: number) => [
    'Query',
    {
      TableName,
      KeyConditionExpression: 'pk = :p AND begins_with(sk, :s)',
      ExpressionAttributeValues: { ':p': long(pk), ':s': long(sk) },
    },
  ];

  it.each([
    ['the key of an item', [put(2_048, 1_024)], [put(2_049, 1), put(1, 1_025)]],
    ['the key of a request', [], [['GetItem', { TableName, Key: { pk: long(2_049), sk: long(1) } }]]],
    ['the keys of an index', [set('feedSpace', 2_048), set('otherSort', 1_024)], [set('feedSpace', 2_049)]],
    ['the range key of an index', [], [set('otherSort', 1_025), put(1, 1, { otherSort: long(1_025) })]],
    ['the keys of a query', [query(2_048, 1_024)], [query(2_049, 1), query(1, 1_025)]],
    ['an expression', [spaces(4_096)], [spaces(4_097)]],
    ['the list of IN', [condition(100)], [condition(101)]],
  ])('hold for %s', (_, allowed, refused) => {
    const { send } = build();
    for (const [action, input] of allowed) expect(send(action as string, input as object).status).toBe(200);
    for (const [action, input] of refused)
      expect(send(action as string, input as object)).toMatchObject(type('ValidationException'));
  });

  it('hold for the name of a table', () => {
    const { send } = build();
    for (const name of ['', 'ab', 'a;bc', 'a'.repeat(256)])
      expect(send('Scan', { TableName: name }), name).toMatchObject(type('ValidationException'));
    for (const name of ['abc', 'a'.repeat(255)])
      expect(send('Scan', { TableName: name }), name).toMatchObject(type('ResourceNotFoundException'));
  });

  it('hold for the path of a removed element: its list is there', () => {
    const { send, put: write, get } = build();
    write('x', { l: { L: [{ S: 'a' }] }, s: { S: 'a' } });
    const remove = (path: string) => {
      const [action, input] = update({ UpdateExpression: `REMOVE ${path}` });
      return send(action as string, input as object);
    };
    for (const path of ['missing[0]', 's[0]', 'l[0], missing[0]'])
      expect(remove(path), path).toMatchObject({
        ...type('ValidationException'),
        message: 'The document path provided in the update expression is invalid for update',
      });
    expect(remove('l[7], missing').status).toBe(200);
    expect(get('x')).toMatchObject({ l: { L: [{ S: 'a' }] } });
  });

  it.each([
    ['GetItem', '{"TableName":'],
    ['GetItem', ''],
    ['GetItem', '[]'],
    ['GetItem', '"text"'],
    ['GetItem', '{"TableName": 7, "Key": {}}'],
    ['GetItem', `{"TableName": "${TableName}", "Key": [], "ConsistentRead": true}`],
    ['GetItem', `{"TableName": "${TableName}", "Key": {}, "ConsistentRead": "true"}`],
    ['Query', `{"TableName": "${TableName}", "KeyConditionExpression": {}}`],
    ['PutItem', `{"TableName": "${TableName}", "Item": {}, "ReturnValues": 7}`],
    ['TransactWriteItems', '{"TransactItems": {}}'],
    ['TransactWriteItems', '{"TransactItems": [{"Put": {"TableName": 7, "Item": {}}}]}'],
    ['CreateTable', '{"TableName": 7}'],
  ])('say that a body cannot be read: %s %s', (action, body) => {
    const [answer] = build().engine.run([{ action, body }]);
    expect({ status: answer?.status, ...JSON.parse(answer?.body ?? '') }).toMatchObject(type('SerializationException'));
  });
});

describe('pages', () => {
  it('end after a megabyte, and go on behind their last key', () => {
    const { send, put } = build();
    const names = ['1', '2', '3', '4', '5'];
    for (const sk of names) put(sk, { blob: { S: 'b'.repeat(300_000) } });
    const query = { TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': { S: 'a' } } };
    const first = send('Query', query);
    expect(first).toMatchObject({ Count: 4, LastEvaluatedKey: key('4') });
    const rest = send('Query', { ...query, ExclusiveStartKey: first.LastEvaluatedKey });
    expect(rest).toMatchObject({ Count: 1, Items: [key('5')] });
    expect(rest.LastEvaluatedKey).toBeUndefined();
    const elsewhere = { ...query, ExclusiveStartKey: { pk: { S: 'b' }, sk: { S: '1' } } };
    expect(send('Query', elsewhere)).toMatchObject(type('ValidationException'));
  });

  it.each([
    ['sk > :s', '3', '2'],
    ['sk < :s', '1', '2'],
    ['sk >= :s', '2', '1'],
    ['sk BETWEEN :s AND :s', '2', '3'],
    ['begins_with(sk, :s)', '2x', '3'],
  ])('begin behind a key that fits the condition: %s', (bound, within, outside) => {
    const { send } = build();
    const begin = (sk: string) =>
      send('Query', {
        TableName,
        KeyConditionExpression: `pk = :p AND ${bound}`,
        ExpressionAttributeValues: { ':p': { S: 'a' }, ':s': { S: '2' } },
        ExclusiveStartKey: key(sk),
      });
    expect(begin(within).status).toBe(200);
    expect(begin(outside)).toMatchObject({
      ...type('ValidationException'),
      message: 'The provided starting key does not match the range key predicate',
    });
  });

  it('of an index are ordered by the value of numbers', () => {
    const { send, put } = build();
    const numbers = ['-1e20', '-10', '-9.5', '-1E-5', '0', '1E-5', '2', '10', '10.25', '1e20'];
    for (const [n, N] of [...numbers].reverse().entries()) put(`${n}`, { feedSpace: { S: 's' }, feedAt: { N } });
    const { Items } = send('Query', {
      TableName,
      IndexName: 'feed',
      KeyConditionExpression: 'feedSpace = :p AND feedAt >= :n',
      ExpressionAttributeValues: { ':p': { S: 's' }, ':n': { N: '-10.0' } },
    });
    const found = (Items as { feedAt: { N: string } }[]).map(({ feedAt }) => Number(feedAt.N));
    expect(found).toStrictEqual(numbers.map(Number).slice(1));
  });
});

describe('what is not implemented', () => {
  const Key = key('x');
  it.each([
    ['GetItem', { TableName, Key, ProjectionExpression: 'pk' }],
    ['GetItem', { TableName, Key, ReturnConsumedCapacity: 'TOTAL' }],
    ['PutItem', { TableName, Item: Key, Expected: {} }],
    ['PutItem', { TableName, Item: { ...Key, b: { BS: ['AA=='] } } }],
    ['PutItem', { TableName, Item: Key, ConditionExpression: 'begins_with(pk, sk)' }],
    ['UpdateItem', { TableName, Key, UpdateExpression: 'SET a = b.c' }],
    [
      'UpdateItem',
      { TableName, Key, UpdateExpression: 'SET a[1] = :a', ExpressionAttributeValues: { ':a': { S: '' } } },
    ],
    [
      'UpdateItem',
      { TableName, Key, UpdateExpression: 'SET a = a + :a', ExpressionAttributeValues: { ':a': { N: '1' } } },
    ],
    [
      'UpdateItem',
      { TableName, Key, UpdateExpression: 'DELETE a :a', ExpressionAttributeValues: { ':a': { SS: ['x'] } } },
    ],
    ['UpdateItem', { TableName, Key, ReturnValues: 'UPDATED_NEW' }],
    ['Query', { TableName, KeyConditionExpression: 'pk = pk', FilterExpression: 'pk = pk' }],
    ['Scan', { TableName, FilterExpression: 'pk = pk' }],
  ])('is refused: %s %j', (action, input) => {
    expect(build().send(action, input)).toMatchObject(type('ValidationException'));
  });

  it('is refused by name, and so is an unknown operation', () => {
    const { send } = build();
    const { message } = send('GetItem', { TableName, Key, ProjectionExpression: 'pk' });
    expect(message).toBe('ProjectionExpression of GetItem is not implemented by the embedded table server');
    expect(send('Query', { TableName, KeyConditions: {} }).message).toBe(
      'KeyConditions of Query is not implemented by the embedded table server',
    );
    expect(send('ExecuteStatement', {})).toMatchObject({
      __type: expect.stringMatching('#UnknownOperationException$'),
    });
    expect(send('toString', {})).toMatchObject({ __type: expect.stringMatching('#UnknownOperationException$') });
  });
});
