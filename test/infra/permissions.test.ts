/**
 * I2 and the least privilege of every role: what a function may do is compared whole, so that any
 * more fails here.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { FUNCTIONS, USUAL_FUNCTIONS } from '../../infra/functions.ts';
import type { FunctionName } from '../../lib/core/store/settings.ts';
import { resourcesOf, synthesise } from './template.ts';

const { json } = synthesise();

const READ = 'BatchGetItem GetItem Query';
const WRITE = 'ConditionCheckItem PutItem UpdateItem';
const CONSUME = 'ReceiveMessage ChangeMessageVisibility GetQueueUrl DeleteMessage GetQueueAttributes';

/** Logical id → the word a person would use: `PerceiveStageQueueED14E916` → `perceive queue`. */
const nameOf = (resource: unknown): string => {
  if (Array.isArray(resource)) return resource.map(nameOf).join(', ');
  const text = JSON.stringify(resource);
  const index = /\/index\/(\w+)/.exec(text);
  if (index !== null) return `index ${index[1]}`;
  const stage = /(Perceive|Reason|Act|Log)StageQueue/.exec(text);
  if (stage !== null) return `${stage[1]?.toLowerCase()} queue`;
  if (/"DeadLettersQueue/.test(text)) return 'dlq';
  if (/StateTable/.test(text)) return 'table';
  const runner = /"Runners(Queue\d|Role|Key)/.exec(text);
  if (runner !== null) return `runner ${runner[1]?.toLowerCase()}`;
  const own = /"(\w+?)(Logs|SecretGenerated\w*|Secret)[0-9A-F]{8}"/.exec(text);
  const alias = /"(\w+)FunctionAliaslive/.exec(text);
  if (alias !== null) return `${alias[1]?.toLowerCase()} function`;
  return own === null ? text : `${own[1]?.toLowerCase()} ${own[2]?.toLowerCase()}`;
};

const describeStatement = (statement: {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, string[] | string>>;
}): string => {
  const actions = [statement.Action].flat();
  const verbs = actions.map((action) => action.slice(action.indexOf(':') + 1)).join(' ');
  const keys = statement.Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
  if (actions.some((action) => action.startsWith('dynamodb:'))) {
    expect(statement.Condition).toStrictEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    });
  }
  return `${statement.Effect} ${verbs} on ${nameOf(statement.Resource)}${keys === undefined ? '' : ` [${[keys].flat().join(' ')}]`}`;
};

const permissionsOf = (name: FunctionName): string[] => {
  const [, lambda] =
    resourcesOf(json, 'AWS::Lambda::Function').find(([, { Metadata }]) => Metadata?.passepartout?.name === name) ?? [];
  const role = lambda?.Properties.Role['Fn::GetAtt'][0];
  const roleResource = json.Resources[role];
  expect(Object.keys(roleResource?.Properties)).toStrictEqual(['AssumeRolePolicyDocument']);
  return resourcesOf(json, 'AWS::IAM::Policy')
    .filter(([, { Properties }]) => JSON.stringify(Properties.Roles) === JSON.stringify([{ Ref: role }]))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement.map(describeStatement));
};

const keys = (kinds: string): string =>
  `[${kinds
    .split(' ')
    .map((kind) => `${kind}#default ${kind}#default#*`)
    .join(' ')}]`;

const table = (reads: string, writes: string): string[] => [
  `Allow ${READ} on table ${keys(`data ${reads}`)}`,
  `Allow ${WRITE} on table ${keys(writes)}`,
];
const logs = (name: string): string => `Allow CreateLogStream PutLogEvents on ${name} logs`;
const secret = (name: string): string => `Allow GetSecretValue on ${name} secret`;
const send = (queue: string): string => `Allow SendMessage on ${queue}`;
const RUNNER_QUEUES = [1, 2, 3, 4].map((n) => `runner queue${n}`).join(', ');
const consume = (queue: string): string => `Allow ${CONSUME} on ${queue}`;

describe('permissions of the roles', () => {
  it('gives each function exactly these actions on exactly these keys', () => {
    const actual = Object.fromEntries(USUAL_FUNCTIONS.map((name) => [name, permissionsOf(name)]));
    expect(actual).toStrictEqual({
      telegram: [
        logs('telegram'),
        ...table('pairing setting signal session', 'signal pairing setting session quota data'),
        secret('telegram'),
        send('perceive queue'),
      ],
      webhook: [logs('webhook'), ...table('signal setting', 'signal quota'), secret('webhook'), send('perceive queue')],
      console: [
        logs('console'),
        ...table(
          'signal session approval grant setting mcp skill job run runner memory commit snapshot spend past quota log gate-set trace',
          'signal setting pairing quota data',
        ),
        `Allow Query on index unfinished, index feed ${keys('unfinished feed')}`,
        secret('console'),
        send('perceive queue'),
        send('log queue'),
        secret('vault'),
        'Allow PutSecretValue on vault secret',
      ],
      control: [
        logs('control'),
        ...table('signal session approval setting', 'signal setting quota'),
        send('perceive queue'),
        secret('console'),
      ],
      perceive: [
        logs('perceive'),
        ...table(
          'signal session approval grant setting mcp skill job run runner memory commit snapshot spend past quota log trace',
          'signal session approval grant setting job run past quota gate-set data',
        ),
        `Allow Query on index unfinished, index feed ${keys('unfinished feed')}`,
        consume('perceive queue'),
        send('dlq'),
        send('perceive queue'),
        send('reason queue'),
        send('act queue'),
      ],
      reason: [
        logs('reason'),
        ...table(
          'signal session setting mcp skill job runner spend past memory commit vector log',
          'signal spend quota gate-set',
        ),
        secret('reason'),
        consume('reason queue'),
        send('dlq'),
        send('reason queue'),
        send('act queue'),
        secret('vault'),
      ],
      act: [
        logs('act'),
        ...table(
          'signal session approval grant setting mcp skill job run runner memory commit snapshot spend past quota pairing vector',
          'signal session approval grant setting mcp skill job run runner memory commit snapshot spend past quota pairing gate-set data',
        ),
        `Allow Query on index unfinished, index feed ${keys('unfinished feed')}`,
        secret('act'),
        consume('act queue'),
        send('dlq'),
        send('perceive queue'),
        'Allow GetSecretValue on runner key',
        send(RUNNER_QUEUES),
        secret('vault'),
        'Allow InvokeFunction on document function',
      ],
      log: [
        logs('log'),
        ...table('signal approval commit log grant job mcp pairing runner setting skill', 'signal log'),
        `Allow Query on index unfinished, index feed ${keys('unfinished feed')}`,
        secret('log'),
        consume('log queue'),
        send('dlq'),
        send('log queue'),
      ],
      embed: [logs('embed'), ...table('memory commit vector spend setting', 'vector spend'), secret('embed')],
      heartbeat: [
        logs('heartbeat'),
        ...table(
          'signal session approval grant setting skill log commit snapshot job run runner spend',
          'signal session approval grant setting job run runner data gate-set',
        ),
        `Allow Query on index unfinished ${keys('unfinished')}`,
        send('perceive queue'),
        send('act queue'),
        send('log queue'),
        send(RUNNER_QUEUES),
      ],
      'dead-letter': [
        logs('deadletter'),
        ...table('signal session setting skill', 'signal session dead-letter'),
        send('perceive queue'),
        consume('dlq'),
      ],
      runner: [
        logs('runner'),
        ...table('runner setting session run skill', 'runner'),
        send('perceive queue'),
        'Allow AssumeRole on runner role',
      ],
      document: [logs('document')],
    });
  });

  it('lets nobody but Act write memory, its commits and snapshots (I2)', () => {
    const writers = USUAL_FUNCTIONS.filter((name) =>
      permissionsOf(name).some((line) => line.includes('PutItem') && /memory#|commit#|snapshot#/.test(line)),
    );
    expect(writers).toStrictEqual(['act']);
  });

  it('lets nobody but Act open the tokens of logins, which the table holds sealed', () => {
    const holders = USUAL_FUNCTIONS.filter((name) =>
      permissionsOf(name).includes('Allow GetSecretValue on runner key'),
    );
    expect(holders).toStrictEqual(['act']);
  });

  it('lets nobody but Act let MCP servers in, and nobody but Act hold their tokens', () => {
    const writers = USUAL_FUNCTIONS.filter((name) =>
      permissionsOf(name).some((line) => line.includes('PutItem') && line.includes('mcp#default')),
    );
    expect(writers).toStrictEqual(['act']);
  });

  it('lets nobody but Act put skills in force, and nobody change a job but those that run jobs (I14)', () => {
    const writersOf = (kind: string) =>
      USUAL_FUNCTIONS.filter((name) =>
        permissionsOf(name).some((line) => line.includes('PutItem') && line.includes(`${kind}#default`)),
      );
    expect(writersOf('skill')).toStrictEqual(['act']);
    expect(writersOf('job')).toStrictEqual(['perceive', 'act', 'heartbeat']);
    expect(writersOf('run')).toStrictEqual(['perceive', 'act', 'heartbeat']);
  });

  it('lets nobody but the log writer write the log, and nobody else hold its key', () => {
    const writers = USUAL_FUNCTIONS.filter((name) =>
      permissionsOf(name).some((line) => line.includes('PutItem') && line.includes('log#default')),
    );
    expect(writers).toStrictEqual(['log']);
    expect(USUAL_FUNCTIONS.filter((name) => permissionsOf(name).includes(secret('log')))).toStrictEqual(['log']);
  });

  it('lets the console alone write keys of providers, and only those who ask a provider read them', () => {
    const may = (what: string) => USUAL_FUNCTIONS.filter((name) => permissionsOf(name).join('\n').includes(what));
    expect(may('PutSecretValue')).toStrictEqual(['console']);
    expect(may('vault secret')).toStrictEqual(['console', 'reason', 'act']);
    const named = resourcesOf(json, 'AWS::Lambda::Function').flatMap(([, { Metadata, Properties }]) =>
      Properties.Environment.Variables.PROVIDER_VAULT === 'passepartout/Passepartout/vault'
        ? [Metadata.passepartout.name]
        : [],
    );
    expect(named.toSorted()).toStrictEqual(['act', 'console', 'reason']);
  });

  it('lets the log writer alone put anchors, the heartbeat alone read what was forgotten, and nobody delete anything', () => {
    const [, bucketPolicy] = resourcesOf(json, 'AWS::S3::BucketPolicy').find(([id]) => id.startsWith('Anchors')) ?? [];
    const allowed = bucketPolicy?.Properties.PolicyDocument.Statement.filter(
      ({ Effect }: { Effect: string }) => Effect === 'Allow',
    ).map(({ Action, Principal, Resource }: { Action: string; Principal: object; Resource: object }) => [
      Action,
      /"(Log|Heartbeat)Role/.exec(JSON.stringify(Principal))?.[1],
      /"(\/[^"]*)"/.exec(JSON.stringify(Resource))?.[1],
    ]);
    expect(allowed).toStrictEqual([
      ['s3:PutObject', 'Log', '/default/*'],
      ['s3:ListBucket', 'Log', undefined],
      ['s3:ListBucket', 'Heartbeat', undefined],
      ['s3:GetObject', 'Heartbeat', '/default/forgotten/*'],
    ]);
  });

  it('lets Act alone keep and erase files, and others read only what they need of this space', () => {
    const [, policy] = resourcesOf(json, 'AWS::S3::BucketPolicy').find(([id]) => id.startsWith('Contents')) ?? [];
    const allowed = policy?.Properties.PolicyDocument.Statement.filter(
      ({ Effect }: { Effect: string }) => Effect === 'Allow',
    ).map(({ Action, Principal, Resource }: { Action: string; Principal: object; Resource: object }) => [
      Action,
      /"(Act|Reason|Document|Runner)Role/.exec(JSON.stringify(Principal))?.[1],
      /"(\/[^"]*)"/.exec(JSON.stringify(Resource))?.[1],
    ]);
    expect(allowed).toStrictEqual([
      [['s3:PutObject', 's3:DeleteObject'], 'Act', '/default/*'],
      ['s3:GetObject', 'Act', '/default/*'],
      ['s3:GetObject', 'Reason', '/default/*'],
      ['s3:GetObject', 'Document', '/default/*'],
      [['s3:PutObject', 's3:DeleteObject', 's3:GetObject'], 'Act', '/default.skills/*'],
      ['s3:GetObject', 'Runner', '/default.skills/*'],
    ]);
  });

  it('lets only the function of machines assume their role, which receives from their queues and does no more', () => {
    const [[id, role] = []] = resourcesOf(json, 'AWS::IAM::Role').filter(([name]) => name.startsWith('RunnersRole'));
    const [trust] = role?.Properties.AssumeRolePolicyDocument.Statement ?? [];
    expect([trust?.Action, /"Runner(Role)/.exec(JSON.stringify(trust?.Principal))?.[1]]).toStrictEqual([
      'sts:AssumeRole',
      'Role',
    ]);
    const statements = resourcesOf(json, 'AWS::IAM::Policy')
      .filter(([, { Properties }]) => JSON.stringify(Properties.Roles) === JSON.stringify([{ Ref: id }]))
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement.map(describeStatement));
    expect(statements).toStrictEqual([
      `Allow ReceiveMessage DeleteMessage ChangeMessageVisibility on ${RUNNER_QUEUES}`,
    ]);
  });

  it('lets CodeDeploy move the aliases of these functions, and ask for the state of alarms', () => {
    const [, policy] = resourcesOf(json, 'AWS::IAM::Policy').find(([id]) => id.startsWith('ReleasesRole')) ?? [];
    const [aliases, alarms, ...others] = policy?.Properties.PolicyDocument.Statement ?? [];
    const functions = resourcesOf(json, 'AWS::Lambda::Function').map(([id]) => ({ 'Fn::GetAtt': [id, 'Arn'] }));
    expect(aliases).toStrictEqual({
      Action: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
      Effect: 'Allow',
      Resource: functions.flatMap((arn) => [arn, { 'Fn::Join': ['', [arn, ':live']] }]),
    });
    expect(alarms).toStrictEqual({ Action: 'cloudwatch:DescribeAlarms', Effect: 'Allow', Resource: '*' });
    expect(others).toStrictEqual([]);
  });

  it('lets each schedule run its function by the alias, and nothing else', () => {
    const runs = resourcesOf(json, 'AWS::IAM::Policy')
      .filter(([id]) => id.includes('ScheduleRole'))
      .map(([, { Properties }]) => Properties.PolicyDocument.Statement);
    const allow = (Ref: string) => [{ Action: 'lambda:InvokeFunction', Effect: 'Allow', Resource: { Ref } }];
    const aliases = resourcesOf(json, 'AWS::Lambda::Alias').map(([id]) => id);
    const aliasOf = (name: string): string => aliases.find((id) => id.startsWith(`${name}Function`)) ?? '';
    expect(runs).toStrictEqual([allow(aliasOf('Embed')), allow(aliasOf('Heartbeat'))]);
  });

  it("grants no wildcard action or resource to anybody, but for CodeDeploy's view of alarms", () => {
    for (const [id, { Properties }] of resourcesOf(json, 'AWS::IAM::Policy')) {
      if (id.startsWith('ReleasesRole')) continue;
      for (const statement of Properties.PolicyDocument.Statement) {
        expect([statement.Action].flat().join(' ')).not.toContain('*');
        expect(JSON.stringify(statement.Resource)).not.toContain('*');
      }
    }
  });

  it('lets nobody but CloudFormation read the generated values', () => {
    const policies = JSON.stringify(resourcesOf(json, 'AWS::IAM::Policy'));
    expect(policies).not.toContain('SecretGenerated');
  });
});

describe('secrets of the functions (I2)', () => {
  it('names each secret for one function only, and the tokens for the two that ask for them', () => {
    const held = Object.fromEntries(
      resourcesOf(json, 'AWS::Lambda::Function').map(([, { Metadata }]) => [
        Metadata.passepartout.name,
        Metadata.passepartout.secrets,
      ]),
    );
    expect(held).toStrictEqual({
      telegram: ['TELEGRAM_WEBHOOK_SECRET'],
      webhook: ['WEBHOOK_SECRETS'],
      console: ['APPROVER_TOKEN', 'API_TOKENS'],
      control: ['APPROVER_TOKEN', 'API_TOKENS'],
      perceive: [],
      reason: [
        'OPENAI_API_KEY',
        'OPENROUTER_API_KEY',
        'ANTHROPIC_API_KEY',
        'GROQ_API_KEY',
        'GEMINI_API_KEY',
        'PROVIDER_KEYS',
        'SECRET_PRINTS',
      ],
      act: [
        'TRANSCRIPTION_API_KEY',
        'SEARCH_API_KEY',
        'TELEGRAM_BOT_TOKEN',
        // The function `slack` has it too, if it is there: a token opens the window of a yes.
        'SLACK_BOT_TOKEN',
        'MAIL_PASSWORD',
        'RUNNER_SIGNING_KEY',
        'WEBHOOK_TARGETS',
        'SECRET_PRINTS',
        'MCP_SERVERS',
      ],
      log: ['LOG_SIGNING_KEY', 'LOG_SIGNING_KEY_PREVIOUS'],
      embed: ['EMBEDDING_API_KEY'],
      heartbeat: [],
      'dead-letter': [],
      runner: [],
      document: [],
    });
  });

  it("gives SECRET_ID to those functions only, each its own but for control, which has the console's", () => {
    const ids = Object.fromEntries(
      resourcesOf(json, 'AWS::Lambda::Function').map(([, { Metadata, Properties }]) => [
        Metadata.passepartout.name,
        Properties.Environment.Variables.SECRET_ID,
      ]),
    );
    expect(ids).toStrictEqual({
      telegram: 'passepartout/Passepartout/telegram',
      webhook: 'passepartout/Passepartout/webhook',
      console: 'passepartout/Passepartout/console',
      control: 'passepartout/Passepartout/console',
      perceive: undefined,
      reason: 'passepartout/Passepartout/reason',
      act: 'passepartout/Passepartout/act',
      log: 'passepartout/Passepartout/log',
      embed: 'passepartout/Passepartout/embed',
      heartbeat: undefined,
      'dead-letter': undefined,
      runner: undefined,
      document: undefined,
    });
  });

  it('lets every function read the settings that it takes while it runs', () => {
    const live = USUAL_FUNCTIONS.filter((name) =>
      globSync(join(ROOT, `functions/${name}/*.ts`)).some((file) => readFileSync(file, 'utf8').includes('buildLive(')),
    );
    expect(live.length).toBeGreaterThan(5);
    expect(live).toEqual(expect.arrayContaining(['perceive', 'reason', 'act']));
    expect(live.filter((name) => !FUNCTIONS[name].reads.some((kind) => kind === 'setting'))).toStrictEqual([]);
  });
});

it.each([
  ['mcp', 'MCP_DOOR'],
  ['responses', 'OPENAI_DOOR'],
] as const)('lets the door %s run the console and nothing else', (name, setting) => {
  const withDoor = synthesise({ [setting]: 'on' }).json;
  const [, lambda] =
    resourcesOf(withDoor, 'AWS::Lambda::Function').find(([, { Metadata }]) => Metadata?.passepartout?.name === name) ??
    [];
  const statements = resourcesOf(withDoor, 'AWS::IAM::Policy')
    .filter(([, { Properties }]) => Properties.Roles[0].Ref === lambda?.Properties.Role['Fn::GetAtt'][0])
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement.map(describeStatement));
  expect(statements).toStrictEqual([logs(name), 'Allow InvokeFunction on console function']);
  expect(Object.keys(lambda?.Properties.Environment.Variables).sort()).toStrictEqual([
    'CONSOLE_FUNCTION',
    'CONSOLE_URL',
    'LOG_LEVEL',
    setting,
    'SPACE',
  ]);
});

it('lets the sender of traces read evidence, write how far it got, and alone hold the key of the collector', () => {
  const { json: withTraces } = synthesise({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example' });
  const functions = resourcesOf(withTraces, 'AWS::Lambda::Function');
  const [, lambda] = functions.find(([, { Metadata }]) => Metadata?.passepartout?.name === 'traces') ?? [];
  const statements = resourcesOf(withTraces, 'AWS::IAM::Policy')
    .filter(([, { Properties }]) => Properties.Roles[0].Ref === lambda?.Properties.Role['Fn::GetAtt'][0])
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement.map(describeStatement));
  expect(statements).toStrictEqual([
    logs('traces'),
    ...table('signal approval setting commit trace', 'trace'),
    `Allow Query on index feed ${keys('feed')}`,
    secret('traces'),
  ]);
  const holders = (name: string) =>
    functions.flatMap(([, { Metadata }]) =>
      Metadata?.passepartout?.secrets.includes(name) ? [Metadata.passepartout.name] : [],
    );
  expect(holders('OTEL_EXPORTER_OTLP_HEADERS')).toStrictEqual(['traces']);
  expect(holders('SECRET_PRINTS').toSorted()).toStrictEqual(['act', 'reason', 'traces']);
  expect(lambda?.Metadata.passepartout.secrets).toStrictEqual(['SECRET_PRINTS', 'OTEL_EXPORTER_OTLP_HEADERS']);
});
