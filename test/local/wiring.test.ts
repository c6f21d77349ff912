import { describe, expect, it } from 'vitest';
import { buildWiring, type LocalNames } from '../../infra/local/wiring.ts';
import { placeholderOf } from '../../infra/settings.ts';
import { parseTemplate } from '../../infra/template.ts';

const NAMES: LocalNames = {
  region: 'us-east-1',
  accountId: '000000000000',
  tableName: 'local-table',
  queueOrigin: 'http://127.0.0.1:9',
  settings: { HOME_CHAT: '42', LOG_LEVEL: 'debug' },
};

const TABLE = {
  Type: 'AWS::DynamoDB::GlobalTable',
  Properties: {
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [],
    BillingMode: 'PAY_PER_REQUEST',
    TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    Replicas: [{ Region: { Ref: 'AWS::Region' } }],
  },
};

const buildFunction = (variables: Record<string, unknown>) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Timeout: 30, MemorySize: 256, Environment: { Variables: variables } },
  Metadata: { passepartout: { name: 'perceive', entry: 'p/handler.ts', routes: [], secrets: ['TOKEN'] } },
});

const ALIAS = { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: { Ref: 'Perceive' }, Name: 'live' } };

/** As CDK names an alias where a name is asked for. */
const nameOf = (alias: string) => ({
  'Fn::Join': ['', [{ 'Fn::Select': [6, { 'Fn::Split': [':', { Ref: alias }] }] }, ':live']],
});

const buildSource = (FunctionName: unknown, EventSourceArn: unknown) => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: { EventSourceArn, FunctionName, BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] },
});

const buildTick = (Arn: unknown) => ({
  Type: 'AWS::Scheduler::Schedule',
  Properties: { Target: { Arn, Input: '{}' } },
});

const QUEUES = {
  Work: {
    Type: 'AWS::SQS::Queue',
    Properties: {
      FifoQueue: true,
      VisibilityTimeout: 60,
      RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 3 },
    },
  },
  Dead: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true, MessageRetentionPeriod: 100 } },
};

const wire = (resources: Record<string, unknown>) => buildWiring(parseTemplate({ Resources: resources }), NAMES);

const DEAD = {
  name: 'Dead.fifo',
  url: 'http://127.0.0.1:9/000000000000/Dead.fifo',
  arn: 'arn:aws:sqs:us-east-1:000000000000:Dead.fifo',
  attributes: { FifoQueue: 'true', MessageRetentionPeriod: '100' },
};
const WORK = {
  name: 'Work.fifo',
  url: 'http://127.0.0.1:9/000000000000/Work.fifo',
  arn: 'arn:aws:sqs:us-east-1:000000000000:Work.fifo',
  attributes: {
    FifoQueue: 'true',
    VisibilityTimeout: '60',
    RedrivePolicy: '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:Dead.fifo","maxReceiveCount":3}',
  },
};

describe('buildWiring', () => {
  it('says what has to exist locally', () => {
    const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode } = TABLE.Properties;
    const wiring = wire({
      Table: TABLE,
      ...QUEUES,
      Perceive: buildFunction({
        SPACE: 'default',
        TABLE_NAME: { Ref: 'Table' },
        QUEUE_URL: { Ref: 'Work' },
        DEAD_NAME: { 'Fn::GetAtt': ['Dead', 'QueueName'] },
        JOINED: { 'Fn::Join': ['/', ['a', { Ref: 'AWS::Region' }]] },
        HOME_CHAT: placeholderOf('HOME_CHAT'),
        OPENAI_MODEL: placeholderOf('OPENAI_MODEL'),
        SECRET_ID: 'passepartout/x/perceive',
      }),
      Live: ALIAS,
      Source: buildSource(nameOf('Live'), { 'Fn::GetAtt': ['Work', 'Arn'] }),
      Tick: buildTick({ Ref: 'Live' }),
    });
    expect(wiring).toStrictEqual({
      table: { TableName: 'local-table', AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, BillingMode },
      ttlAttribute: 'expiresAt',
      queues: [WORK, DEAD],
      functions: [
        {
          name: 'perceive',
          entry: 'p/handler.ts',
          routes: [],
          secrets: ['TOKEN'],
          timeoutMs: 30_000,
          memoryMb: 256,
          variables: {
            SPACE: 'default',
            TABLE_NAME: 'local-table',
            QUEUE_URL: WORK.url,
            DEAD_NAME: 'Dead.fifo',
            JOINED: 'a/us-east-1',
            HOME_CHAT: '42',
          },
        },
      ],
      eventSources: [{ functionName: 'perceive', queue: WORK, batchSize: 10 }],
      schedules: [{ functionName: 'perceive', input: '{}' }],
    });
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no table', { ...QUEUES }, /exactly one table/],
    ['two tables', { A: TABLE, B: TABLE }, /exactly one table/],
    [
      'a function nobody named',
      { T: TABLE, F: { ...buildFunction({}), Metadata: {} } },
      /F does not say which function it is/,
    ],
    ['a reference to nothing', { T: TABLE, F: buildFunction({ X: { Ref: 'Gone' } }) }, /F\.X refers to Gone/],
    [
      'an attribute without counterpart',
      { T: TABLE, F: buildFunction({ X: { 'Fn::GetAtt': ['T', 'StreamArn'] } }) },
      /F\.X asks for T\.StreamArn/,
    ],
    [
      'an intrinsic it does not know',
      { T: TABLE, F: buildFunction({ X: { 'Fn::ImportValue': 'x' } }) },
      /F\.X is not something/,
    ],
    [
      'an event source of no queue',
      {
        T: TABLE,
        Perceive: buildFunction({}),
        Live: ALIAS,
        S: buildSource(nameOf('Live'), 'arn:aws:sqs:us-east-1:000000000000:Gone.fifo'),
      },
      /S reads from .*Gone\.fifo/,
    ],
    [
      'an event source that goes past the alias',
      {
        T: TABLE,
        ...QUEUES,
        Perceive: buildFunction({}),
        S: buildSource(nameOf('Perceive'), { 'Fn::GetAtt': ['Work', 'Arn'] }),
      },
      /S\.FunctionName names Perceive, which is no alias/,
    ],
    [
      'a schedule of a function without its alias',
      { T: TABLE, Perceive: buildFunction({}), S: buildTick({ 'Fn::GetAtt': ['Perceive', 'Arn'] }) },
      /S\.Target does not name the alias of a function/,
    ],
    ['a schedule of nothing', { T: TABLE, S: buildTick({ Ref: 'Gone' }) }, /S\.Target names Gone, which is no alias/],
    ['an alias of nothing', { T: TABLE, Live: ALIAS, S: buildTick({ Ref: 'Live' }) }, /S\.Target names Live/],
  ])('refuses %s, naming the place', (_, resources, message) => {
    expect(() => wire(resources)).toThrow(message);
  });
});
