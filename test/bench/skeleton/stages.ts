/**
 * The bare three hops the pipeline is measured against: the same requests to the same servers with
 * items of the same size, by the same clients, and nothing else: no parsing, no gates, no model, no
 * hashes. Bundled and run by the local stack exactly like the real functions. The benchmark counts
 * both and says so when their requests differ.
 */
import { randomBytes } from 'node:crypto';
import {
  type AttributeValue,
  BatchGetItemCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { LambdaFunctionURLEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';

const table = new DynamoDBClient({ maxAttempts: 3, ...globalThis.passepartoutWire?.('dynamodb') });
const queue = new SQSClient({ maxAttempts: 3, useQueueUrlAsEndpoint: true, ...globalThis.passepartoutWire?.('sqs') });
const { TABLE_NAME, SPACE = '' } = process.env;

/** Of the function itself: several functions share a process, and this module, but no variables. */
type QueueUrl = string | undefined;

/** Filling that brings the items to the sizes seen in a plain turn of the pipeline. */
const RECORD_FILL = 'x'.repeat(367);
const DECISION_FILL = 'x'.repeat(1_168);
const EFFECT_FILL = 'x'.repeat(551);
const SPEND_FILL = 'x'.repeat(150);
const RECENT_MAX = 20;
const GONE = 'attribute_not_exists(pk)';
const RETURNS = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

interface Message {
  readonly id: string;
  readonly session: string;
  readonly recent: readonly string[];
}
type Key = Record<'pk' | 'sk', AttributeValue>;

const signalKey = (id: string, sk: string): Key => ({ pk: { S: `signal#${SPACE}#${id}` }, sk: { S: sk } });
const headKey = (session: string): Key => ({ pk: { S: `session#${SPACE}#console:${session}` }, sk: { S: 'head' } });
const spendKey: Key = { pk: { S: `spend#${SPACE}#2026-11-22` }, sk: { S: 'day' } };

const put = async (item: Record<string, AttributeValue>): Promise<void> => {
  await table.send(new PutItemCommand({ TableName: TABLE_NAME, Item: item, ConditionExpression: GONE, ...RETURNS }));
};

const load = async (keys: readonly Key[], ConsistentRead = true): Promise<void> => {
  const wanted = { Keys: [...keys], ConsistentRead };
  await table.send(new BatchGetItemCommand({ RequestItems: { [TABLE_NAME ?? '']: wanted } }));
};

const query = async (pk: AttributeValue, from: string, to: string): Promise<void> => {
  await table.send(
    new QueryCommand({
      TableName: TABLE_NAME,
      KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :sk AND :to',
      ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
      ExpressionAttributeValues: { ':pk': pk, ':sk': { S: from }, ':to': { S: to } },
      ConsistentRead: true,
    }),
  );
};
const querySettings = () => query({ S: `setting#${SPACE}` }, 'kill-switch', 'policy');

const update = async (
  key: Key,
  expression: string,
  condition: string,
  names: Record<string, string>,
  values: Record<string, AttributeValue>,
): Promise<Record<string, AttributeValue>> => {
  const answer = await table.send(
    new UpdateItemCommand({
      TableName: TABLE_NAME,
      Key: key,
      UpdateExpression: expression,
      ConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ReturnValues: 'ALL_NEW',
      ...RETURNS,
    }),
  );
  return answer.Attributes ?? {};
};

const moveRecord = (id: string, from: string, to: string, more = ''): Promise<Record<string, AttributeValue>> =>
  update(
    signalKey(id, 'record'),
    `SET #state = :to${more}`,
    '#state = :from',
    { '#state': 'state' },
    { ':to': { S: to }, ':from': { S: from } },
  );

const send = async (url: QueueUrl, message: Message, step: string): Promise<void> => {
  await queue.send(
    new SendMessageCommand({
      QueueUrl: url,
      MessageBody: JSON.stringify(message),
      MessageGroupId: `${SPACE}/${message.session}`,
      MessageDeduplicationId: `${message.id}-${step}`,
    }),
  );
};

const onEach =
  (work: (message: Message) => Promise<void>) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    for (const record of event.Records) await work(JSON.parse(record.body));
    return { batchItemFailures: [] };
  };

export const perceive = (reasonUrl: QueueUrl) =>
  onEach(async ({ id, session }) => {
    await moveRecord(id, 'received', 'perceived');
    const head = await update(
      headKey(session),
      'SET #turn = :turn, #v = :v, #at = if_not_exists(#at, :at)',
      'attribute_not_exists(#turn) OR #turn = :turn',
      { '#turn': 'turn', '#v': 'schemaVersion', '#at': 'startedAt' },
      { ':turn': { S: id }, ':v': { N: '1' }, ':at': { N: `${Date.now()}` } },
    );
    await send(reasonUrl, { id, session, recent: (head.recent?.L ?? []).map(({ S }) => S ?? '') }, 'reason');
  });

export const reason = (actUrl: QueueUrl) =>
  onEach(async (message) => {
    const { id, session, recent } = message;
    const past = recent.map((before) => signalKey(before, 'record'));
    await Promise.all([
      query(signalKey(id, '').pk, 'attempt#', 'record'),
      querySettings(),
      load([headKey(session), spendKey, ...past.slice(-2)]),
      // Other servers, machines, skills and the log, which are not there.
      load([...['a', 'b', 'c', 'd'].map((sk) => signalKey(id, sk)), ...past.slice(0, -2)], false),
    ]);
    await update(
      spendKey,
      'SET #v = :v, #entry = :entry ADD #usd :usd, #tokens :tokens',
      'attribute_not_exists(#tokens) OR #tokens <= :most',
      { '#v': 'schemaVersion', '#entry': 's_conversation', '#usd': 'usd', '#tokens': 'tokens' },
      {
        ':v': { N: '1' },
        ':entry': { S: SPEND_FILL },
        ':usd': { N: '0' },
        ':tokens': { N: '1' },
        ':most': { N: '10000000' },
      },
    );
    await put({ ...signalKey(id, 'decision'), fill: { S: DECISION_FILL } });
    await send(actUrl, message, 'act');
  });

export const act = onEach(async ({ id, session, recent }) => {
  await Promise.all([
    query(signalKey(id, '').pk, 'decision', 'record'),
    querySettings(),
    load([headKey(session), spendKey]),
  ]);
  await put({ ...signalKey(id, 'effect#0'), fill: { S: EFFECT_FILL } });
  await update(
    headKey(session),
    'SET #recent = :recent REMOVE #turn',
    '#turn = :turn',
    { '#recent': 'recent', '#turn': 'turn' },
    { ':recent': { L: [...recent, id].slice(-RECENT_MAX).map((S) => ({ S })) }, ':turn': { S: id } },
  );
  await moveRecord(id, 'perceived', 'acted', ', summary = :from, awaitsLog = :from, ends = :from');
});

export const serve = (perceiveUrl: QueueUrl) => async (event: LambdaFunctionURLEvent) => {
  if (event.rawPath !== '/api/messages') return { statusCode: 200, body: '{"status":"healthy"}' };
  const { text, session }: { text: string; session: string } = JSON.parse(event.body ?? '');
  const id = `con-${randomBytes(16).toString('hex')}`;
  const now = { N: `${Date.now()}` };
  await put({
    ...signalKey(id, 'record'),
    state: { S: 'received' },
    unfinishedSpace: { S: `unfinished#${SPACE}` },
    unfinishedAt: now,
    feedSpace: { S: `feed#${SPACE}` },
    feedAt: now,
    text: { S: text },
    fill: { S: RECORD_FILL },
  });
  await send(perceiveUrl, { id, session, recent: [] }, 'perceive');
  return { statusCode: 202, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id }) };
};

/** For functions that a plain turn does not meet. */
export const idle = async () => ({ statusCode: 200, body: '{}', batchItemFailures: [] });
