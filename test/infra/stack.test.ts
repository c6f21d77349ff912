import { describe, expect, it } from 'vitest';
import { environmentProblems } from '../../infra/environment-size.ts';
import { STAGES } from '../../infra/function-spec.ts';
import { USUAL_FUNCTIONS } from '../../infra/functions.ts';
import { parseTemplate } from '../../infra/template.ts';
import { resourcesOf, synthesise } from './template.ts';

const production = synthesise({ ALARM_EMAIL: 'owner@example.com' });
const { json } = production;

const lambdas = resourcesOf(json, 'AWS::Lambda::Function').map(([, resource]) => resource);

const strip = (logicalId: string): string => logicalId.replace(/[0-9A-F]{8}$/, '');

const WAITED_FOR = { telegram: 512, webhook: 512, control: 512, perceive: 512, act: 512 };

describe('PassepartoutStack', () => {
  it('makes one table with its keys, indexes, TTL and recovery, kept in production', () => {
    const [[, table] = []] = resourcesOf(json, 'AWS::DynamoDB::GlobalTable');
    expect(table).toStrictEqual({
      Type: 'AWS::DynamoDB::GlobalTable',
      UpdateReplacePolicy: 'Retain',
      DeletionPolicy: 'Retain',
      Properties: {
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'sk', AttributeType: 'S' },
          { AttributeName: 'unfinishedSpace', AttributeType: 'S' },
          { AttributeName: 'unfinishedAt', AttributeType: 'N' },
          { AttributeName: 'feedSpace', AttributeType: 'S' },
          { AttributeName: 'feedAt', AttributeType: 'N' },
        ],
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        GlobalSecondaryIndexes: ['unfinished', 'feed'].map((name) => ({
          IndexName: name,
          KeySchema: [
            { AttributeName: `${name}Space`, KeyType: 'HASH' },
            { AttributeName: `${name}At`, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        })),
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
        Replicas: [
          {
            DeletionProtectionEnabled: true,
            GlobalSecondaryIndexes: [{ IndexName: 'unfinished' }, { IndexName: 'feed' }],
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
            Region: { Ref: 'AWS::Region' },
          },
        ],
      },
    });
  });

  it('makes FIFO queues of stages with dead-letter queues, visibility from the timeout, and one for each machine', () => {
    const fifo = {
      FifoQueue: true,
      ContentBasedDeduplication: false,
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
      SqsManagedSseEnabled: true,
    };
    const queues = Object.fromEntries(
      resourcesOf(json, 'AWS::SQS::Queue').map(([id, { Properties }]) => {
        const { RedrivePolicy: redrive, ...rest } = Properties;
        const target = redrive && [strip(redrive.deadLetterTargetArn['Fn::GetAtt'][0]), redrive.maxReceiveCount];
        return [strip(id), { ...rest, ...(target ? { target } : {}) }];
      }),
    );
    // A job waits an hour, and is claimed within half a minute.
    const runner = { ...fifo, MessageRetentionPeriod: 3600, VisibilityTimeout: 30 };
    const dlq = { ...fifo, MessageRetentionPeriod: 14 * 24 * 3600, VisibilityTimeout: 60 };
    expect(queues).toStrictEqual({
      PerceiveStageQueue: { ...fifo, VisibilityTimeout: 60, target: ['DeadLettersQueue', 3] },
      ReasonStageQueue: { ...fifo, VisibilityTimeout: 330, target: ['DeadLettersQueue', 3] },
      ActStageQueue: { ...fifo, VisibilityTimeout: 90, target: ['DeadLettersQueue', 3] },
      LogStageQueue: { ...fifo, VisibilityTimeout: 90, target: ['DeadLettersQueue', 3] },
      DeadLettersQueue: dlq,
      ...Object.fromEntries([1, 2, 3, 4].map((n) => [`RunnersQueue${n}`, runner])),
    });
  });

  it('keeps anchors where nobody can change or delete them', () => {
    const buckets = resourcesOf(json, 'AWS::S3::Bucket').map(([id, { Properties }]) => [strip(id), Properties]);
    expect(buckets.filter(([id]) => id === 'AnchorsBucket')).toStrictEqual([
      [
        'AnchorsBucket',
        {
          BucketEncryption: {
            ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
          },
          ObjectLockConfiguration: {
            ObjectLockEnabled: 'Enabled',
            Rule: { DefaultRetention: { Days: 365, Mode: 'COMPLIANCE' } },
          },
          ObjectLockEnabled: true,
          PublicAccessBlockConfiguration: {
            BlockPublicAcls: true,
            BlockPublicPolicy: true,
            IgnorePublicAcls: true,
            RestrictPublicBuckets: true,
          },
          VersioningConfiguration: { Status: 'Enabled' },
        },
      ],
    ]);
  });

  it('keeps files encrypted and closed to the public, pictures for 30 days and those of skills for good', () => {
    const [, bucket] = resourcesOf(json, 'AWS::S3::Bucket').find(([id]) => strip(id) === 'ContentsBucket') ?? [];
    expect(bucket?.Properties).toStrictEqual({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      LifecycleConfiguration: { Rules: [{ ExpirationInDays: 30, Prefix: 'default/', Status: 'Enabled' }] },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
  });

  it('refuses unencrypted transport on every queue and topic', () => {
    const denied = ['AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy'].flatMap((type) =>
      resourcesOf(json, type).map(([, { Properties }]) => {
        const statement = Properties.PolicyDocument.Statement.find((one: { Effect: string }) => one.Effect === 'Deny');
        return [statement.Condition, Object.values(Properties.Queues ?? Properties.Topics).length];
      }),
    );
    expect(denied).toStrictEqual(Array(10).fill([{ Bool: { 'aws:SecureTransport': 'false' } }, 1]));
  });

  it('feeds each stage from its queue and the dead-letter function from the one of dead letters', () => {
    const sources = resourcesOf(json, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => [
      strip(Properties.EventSourceArn['Fn::GetAtt'][0]),
      strip(Properties.FunctionName['Fn::Join'][1][0]['Fn::Select'][1]['Fn::Split'][1].Ref),
      Properties.BatchSize,
      Properties.FunctionResponseTypes,
    ]);
    const report = ['ReportBatchItemFailures'];
    expect(sources).toStrictEqual([
      ['PerceiveStageQueue', 'PerceiveFunctionAliaslive', 10, report],
      ['ReasonStageQueue', 'ReasonFunctionAliaslive', 1, report],
      ['ActStageQueue', 'ActFunctionAliaslive', 1, report],
      ['LogStageQueue', 'LogFunctionAliaslive', 10, report],
      ['DeadLettersQueue', 'DeadLetterFunctionAliaslive', 10, report],
    ]);
  });

  it('gives Reason the memory it is told to, and no other function', () => {
    const sized = synthesise({ REASON_MEMORY_MB: '640', CONTEXT_SEMANTIC_THRESHOLD: '0.8' });
    const told = resourcesOf(sized.json, 'AWS::Lambda::Function').map(([, { Properties, Metadata }]) => [
      Metadata.passepartout.name,
      Properties.MemorySize === 640,
      Properties.Environment.Variables.CONTEXT_SEMANTIC_THRESHOLD,
    ]);
    expect(told).toStrictEqual(
      USUAL_FUNCTIONS.map((name) => [
        name,
        name === 'reason',
        // Perceive and the console show it in /config.
        ['reason', 'perceive', 'console'].includes(name) ? '0.8' : undefined,
      ]),
    );
  });

  it('runs every function on Node 24, arm64, with its own log group and no tracing', () => {
    const found = lambdas.map(({ Properties, Metadata }) => ({
      name: Metadata.passepartout.name,
      entry: Metadata.passepartout.entry,
      runtime: Properties.Runtime,
      architectures: Properties.Architectures,
      memoryMb: Properties.MemorySize,
      tracing: Properties.TracingConfig,
      logs: json.Resources[Properties.LoggingConfig.LogGroup.Ref]?.Properties,
    }));
    expect(found).toStrictEqual(
      USUAL_FUNCTIONS.map((name) => ({
        name,
        entry: `functions/${name}/handler.ts`,
        runtime: 'nodejs24.x',
        architectures: ['arm64'],
        memoryMb:
          {
            ...{ log: 256, embed: 256, heartbeat: 192, console: 320, reason: 320, document: 1024, ...WAITED_FOR },
            ...{ 'dead-letter': 256, runner: 192 },
          }[name as string] ?? 128,
        tracing: undefined,
        logs: { RetentionInDays: 30 },
      })),
    );
  });

  it('opens exactly five function URLs, each with both permissions', () => {
    const urls = resourcesOf(json, 'AWS::Lambda::Url').map(([, { Properties }]) => [
      strip(Properties.TargetFunctionArn['Fn::GetAtt'][0]),
      Properties.Qualifier,
      Properties.AuthType,
    ]);
    expect(urls).toStrictEqual([
      ['ConsoleFunction', 'live', 'NONE'],
      ['ControlFunction', 'live', 'NONE'],
      ['TelegramFunction', 'live', 'NONE'],
      ['WebhookFunction', 'live', 'NONE'],
      ['RunnerFunction', 'live', 'NONE'],
    ]);
    const permissions = resourcesOf(json, 'AWS::Lambda::Permission').map(([, { Properties }]) => {
      const { FunctionName: name, ...rest } = Properties;
      return [strip(name.Ref), rest];
    });
    const both = [
      { Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE', Principal: '*' },
      { Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true, Principal: '*' },
    ];
    expect(permissions).toStrictEqual(
      urls.flatMap(([name]) => both.map((permission) => [`${name}Aliaslive`, permission])),
    );
  });

  it('tells Act alone where the page is, whose address a card carries', () => {
    const told = lambdas.map(({ Properties }) => Properties.Environment.Variables.CONSOLE_URL);
    const act = USUAL_FUNCTIONS.indexOf('act');
    expect(told.filter((one, n) => n !== act && one !== undefined)).toStrictEqual([]);
    expect(Object(json.Outputs.ConsoleUrl).Value).toStrictEqual(told[act]);
    expect(told[act]).toMatchObject({ 'Fn::GetAtt': [expect.stringMatching(/^Console/), 'FunctionUrl'] });
  });

  it("tells the console where control is, which takes a page's POST with a token and nothing else", () => {
    const controlUrls = lambdas.map(({ Properties }) => Properties.Environment.Variables.CONTROL_URL);
    const [url, attribute] = controlUrls[USUAL_FUNCTIONS.indexOf('console')]['Fn::GetAtt'];
    const told = resourcesOf(json, 'AWS::Lambda::Url').map(([id, { Properties }]) => [id === url, Properties.Cors]);
    const cors = {
      AllowHeaders: ['authorization', 'content-type'],
      AllowMethods: ['POST'],
      AllowOrigins: ['*'],
      MaxAge: 86_400,
    };
    expect([attribute, told]).toStrictEqual([
      'FunctionUrl',
      [
        [false, undefined],
        [true, cors],
        [false, undefined],
        [false, undefined],
        [false, undefined],
      ],
    ]);
  });

  it('fires the heartbeat each minute with the scheduled time, and retries no tick', () => {
    const [[, schedule] = []] = resourcesOf(json, 'AWS::Scheduler::Schedule');
    expect(schedule?.Properties.ScheduleExpression).toBe('rate(1 minute)');
    expect(JSON.parse(schedule?.Properties.Target.Input)).toStrictEqual({
      scheduledAt: '<aws.scheduler.scheduled-time>',
    });
    expect(schedule?.Properties.Target.RetryPolicy.MaximumRetryAttempts).toBe(0);
    const [[, invoke] = []] = resourcesOf(json, 'AWS::Lambda::EventInvokeConfig');
    expect(invoke?.Properties.MaximumRetryAttempts).toBe(0);
  });

  it('alarms on whatever a person should look at, each time over its topic', () => {
    const alarms = resourcesOf(json, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [
      strip(id),
      Properties.MetricName,
      Properties.Threshold,
      Properties.EvaluationPeriods,
      Properties.TreatMissingData,
    ]);
    const calm = 'notBreaching';
    expect(Object.fromEntries(alarms.map(([id, ...rest]) => [id, rest]))).toStrictEqual(
      Object.fromEntries([
        ...STAGES.map((stage) => [`Alarms${stage}Age`, ['ApproximateAgeOfOldestMessage', 600, 1, calm]]),
        ['AlarmsDeadLetters', ['NumberOfMessagesReceived', 1, 1, calm]],
        ['AlarmsDeadLettersStay', ['ApproximateNumberOfMessagesVisible', 1, 3, calm]],
        ...USUAL_FUNCTIONS.filter((name) => name !== 'document').map((name) => [
          `Alarms${name.replace('-', '')}Errors`,
          ['Errors', 1, 1, calm],
        ]),
        ['AlarmsheartbeatStopped', ['Invocations', 1, 2, 'breaching']],
        ['AlarmsLambdaThrottles', ['Throttles', 1, 1, calm]],
        ['AlarmsTableReadThrottles', ['ReadThrottleEvents', 1, 1, calm]],
        ['AlarmsTableWriteThrottles', ['WriteThrottleEvents', 1, 1, calm]],
        ['AlarmsBudgetSpent', ['BudgetSpent', 1, 1, calm]],
        ['AlarmsWitnessRefused', ['WitnessRefused', 1, 1, calm]],
      ]),
    );
    const below = 'LessThanThreshold';
    for (const { json: one, mails } of [
      { json, mails: 1 },
      { json: synthesise().json, mails: 0 },
    ]) {
      const [[topic = ''] = []] = resourcesOf(one, 'AWS::SNS::Topic');
      for (const [id, { Properties }] of resourcesOf(one, 'AWS::CloudWatch::Alarm')) {
        expect(Properties.AlarmActions).toStrictEqual([{ Ref: topic }]);
        expect(Properties.ComparisonOperator === below).toBe(id.includes('heartbeatStopped'));
      }
      expect(resourcesOf(one, 'AWS::SNS::Subscription')).toHaveLength(mails);
    }
  });

  it.each([
    ['BudgetSpent', 'budget-spent', 'ReasonLogs'],
    ['WitnessRefused', 'witness-refused', 'LogLogs'],
  ])('counts the lines behind the alarm %s', (MetricName, event, group) => {
    const filter = resourcesOf(json, 'AWS::Logs::MetricFilter').find(([id]) => id.includes(MetricName))?.[1];
    expect(filter?.Properties.FilterPattern).toBe(`{ $.event = "${event}" }`);
    expect(strip(filter?.Properties.LogGroupName.Ref)).toBe(group);
    expect(filter?.Properties.MetricTransformations[0]).toMatchObject({
      MetricName,
      MetricNamespace: 'Passepartout/Passepartout',
      MetricValue: '1',
    });
  });

  it('bounds what open URLs run at once where it is told to, and says which', () => {
    const bounded = synthesise({ URL_CONCURRENCY: '8' });
    const boundsOf = (one: typeof json) =>
      resourcesOf(one, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) =>
        Properties.ReservedConcurrentExecutions === undefined
          ? []
          : [[strip(id), Properties.ReservedConcurrentExecutions]],
      );
    expect(boundsOf(bounded.json)).toStrictEqual([
      ['ConsoleFunction', 8],
      ['ControlFunction', 8],
      ['TelegramFunction', 8],
      ['WebhookFunction', 8],
      ['RunnerFunction', 8],
    ]);
    expect(bounded.json.Outputs.OpenUrlLimit).toStrictEqual({
      Value: '8 runs at once for each of the five open URLs',
    });
    expect(boundsOf(json)).toStrictEqual([]);
    expect(JSON.stringify(json.Outputs.OpenUrlLimit)).toMatch(/none but the account's own/);
  });

  it('says which environment Lambda would refuse, and by which settings', () => {
    expect(environmentProblems(parseTemplate(json))).toStrictEqual([]);
    const tags = Array.from({ length: 400 }, (_, n) => `private-${n}`).join(',');
    const long = synthesise({ PRIVACY_FILTER_TAGS: tags, MEMEX_USER: 'x'.repeat(400) });
    const problems = environmentProblems(parseTemplate(long.json));
    expect(problems.map((problem) => problem.split(':')[0])).toStrictEqual([
      ...['console', 'perceive', 'reason', 'act', 'embed'],
    ]);
    expect(problems[2]).toMatch(
      /^reason: its environment is \d{4} bytes, and Lambda takes 4096; the longest are PRIVACY_FILTER_TAGS \(\d{4}\), MEMEX_USER \(410\), /,
    );
  });

  it('puts no secret into the template, and generates the ones nobody has to know', () => {
    const secrets = Object.fromEntries(
      resourcesOf(json, 'AWS::SecretsManager::Secret').map(([id, { Properties }]) => [
        strip(id),
        Properties.GenerateSecretString === undefined ? JSON.stringify(Properties.SecretString) : 'generated',
      ]),
    );
    expect(Object.keys(secrets).filter((id) => secrets[id] === 'generated')).toStrictEqual([
      'ConsoleSecretGeneratedAPPROVERTOKEN',
      'LogSecretGeneratedLOGSIGNINGKEY',
      'TelegramSecretGeneratedTELEGRAMWEBHOOKSECRET',
      'RunnersKey',
    ]);
    for (const id of ['WebhookSecret', 'ReasonSecret', 'ActSecret']) expect(secrets[id]).toContain('NOTE');
    for (const id of ['ConsoleSecret', 'TelegramSecret', 'LogSecret'])
      expect(secrets[id]).toContain('{{resolve:secretsmanager:');
  });

  it('tells where everything is', () => {
    expect(Object.keys(json.Outputs).map(strip).sort()).toStrictEqual(
      [
        'TelegramUrl',
        'WebhookUrl',
        'ConsoleUrl',
        'ControlUrl',
        'RunnerUrl',
        'TableName',
        'Space',
        'Functions',
        'Release',
        'AnchorBucketName',
        'ContentBucketName',
        'AlarmTopicArn',
        'OpenUrlLimit',
        'PerceiveQueueUrl',
        'ReasonQueueUrl',
        'ActQueueUrl',
        'LogQueueUrl',
        'TelegramSecretName',
        'WebhookSecretName',
        'ConsoleSecretName',
        'ReasonSecretName',
        'EmbedSecretName',
        'ActSecretName',
        'LogSecretName',
      ].sort(),
    );
  });

  it('leaves nothing behind outside production', () => {
    const { json: trial } = synthesise({ PRODUCTION: 'no' });
    // Versions are deleted with their function.
    const others = Object.values(trial.Resources).filter(({ Type }) => Type !== 'AWS::Lambda::Version');
    const policies = others.flatMap(({ DeletionPolicy }) => DeletionPolicy ?? []);
    expect(new Set(policies)).toStrictEqual(new Set(['Delete']));
    const [[, table] = []] = resourcesOf(trial, 'AWS::DynamoDB::GlobalTable');
    expect(table?.Properties.Replicas[0].DeletionProtectionEnabled).toBe(false);
  });

  it('passes cdk-nag AwsSolutions with every finding acknowledged by a reason', () => {
    const report = production.checks.validateScope(production.app);
    expect(report.violations.map(({ ruleName }) => ruleName)).toStrictEqual([]);
  });
});

/** Resources that a setting adds, by their types, and the template without it. */
const addedBy = (settings: Record<string, string>) => {
  const kinds = (set: Record<string, string>) => {
    const { json: one } = synthesise(set);
    const counts = new Map<string, number>();
    for (const { Type } of Object.values(one.Resources)) counts.set(Type, (counts.get(Type) ?? 0) + 1);
    return { counts, text: JSON.stringify(one) };
  };
  const [without, withIt] = [kinds({}), kinds(settings)];
  const added = [...withIt.counts].flatMap(([type, count]) => {
    const more = count - (without.counts.get(type) ?? 0);
    return more === 0 ? [] : [[type, more]];
  });
  return { added: Object.fromEntries(added), without: without.text };
};

it('adds a function, an address and an alarm with the MCP server, and nothing without it', () => {
  const { added, without } = addedBy({ MCP_DOOR: 'on' });
  expect(added).toStrictEqual({
    'AWS::CloudWatch::Alarm': 1,
    'AWS::CodeDeploy::DeploymentGroup': 1,
    'AWS::IAM::Policy': 1,
    'AWS::IAM::Role': 1,
    'AWS::Lambda::Alias': 1,
    'AWS::Lambda::Function': 1,
    'AWS::Lambda::Permission': 2,
    'AWS::Lambda::Url': 1,
    'AWS::Lambda::Version': 1,
    'AWS::Logs::LogGroup': 1,
  });
  expect(without).not.toMatch(/door|"mcp"/i);
});

it('adds a function with its schedule, secret and alarm for a collector of traces, and nothing without it', () => {
  const { added, without } = addedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example' });
  expect(added).toStrictEqual({
    'AWS::CloudWatch::Alarm': 1,
    'AWS::CodeDeploy::DeploymentGroup': 1,
    'AWS::IAM::Policy': 2,
    'AWS::IAM::Role': 2,
    'AWS::Lambda::Alias': 1,
    'AWS::Lambda::EventInvokeConfig': 1,
    'AWS::Lambda::Function': 1,
    'AWS::Lambda::Version': 1,
    'AWS::Logs::LogGroup': 1,
    'AWS::Scheduler::Schedule': 1,
    'AWS::SecretsManager::Secret': 1,
  });
  expect(without).not.toMatch(/OTEL|"traces"/);
});
