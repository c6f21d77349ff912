/**
 * Reads the synthesised template as CloudFormation would. Pure. Anything it does not understand is
 * an error: a mistake in CDK fails here before it fails in the cloud.
 */
import * as z from 'zod/mini';
import type { Resource, Template } from '../template.ts';

export interface LocalNames {
  readonly region: string;
  readonly accountId: string;
  readonly tableName: string;
  /** Origin of the queues: `http://127.0.0.1:<port>`. */
  readonly queueOrigin: string;
  /** Values of the settings the template leaves open as `${NAME}`. */
  readonly settings: Readonly<Record<string, string | undefined>>;
}

export interface QueuePlan {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
  /** SQS's own attribute names and text values. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface FunctionPlan {
  readonly name: string;
  readonly entry: string;
  readonly routes: readonly string[];
  readonly secrets: readonly string[];
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly variables: Readonly<Record<string, string>>;
}

export interface EventSourcePlan {
  readonly functionName: string;
  readonly queue: QueuePlan;
  readonly batchSize: number;
}

interface SchedulePlan {
  readonly functionName: string;
  /** JSON text with `<aws.scheduler.scheduled-time>` in it. */
  readonly input: string;
}

export interface Wiring {
  /** Input of DynamoDB's CreateTable. */
  readonly table: Readonly<Record<string, unknown>>;
  readonly ttlAttribute: string;
  readonly queues: readonly QueuePlan[];
  readonly functions: readonly FunctionPlan[];
  readonly eventSources: readonly EventSourcePlan[];
  readonly schedules: readonly SchedulePlan[];
}

const QueueProperties = z.object({
  RedrivePolicy: z.optional(z.object({ deadLetterTargetArn: z.unknown(), maxReceiveCount: z.number() })),
});
const FunctionProperties = z.object({
  Timeout: z.number(),
  MemorySize: z.number(),
  Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
});
const AliasProperties = z.object({ FunctionName: z.object({ Ref: z.string() }) });
/** An alias by its ARN, or by its name as CDK takes it out of the ARN. */
const AliasRef = z.strictObject({ Ref: z.string() });
const AliasName = z.object({
  'Fn::Join': z.tuple([
    z.literal(''),
    z.tuple([
      z.object({
        'Fn::Select': z.tuple([z.literal(6), z.object({ 'Fn::Split': z.tuple([z.literal(':'), AliasRef]) })]),
      }),
      z.literal(':live'),
    ]),
  ]),
});
const EventSourceProperties = z.object({
  EventSourceArn: z.unknown(),
  FunctionName: z.unknown(),
  BatchSize: z.number(),
  FunctionResponseTypes: z.tuple([z.literal('ReportBatchItemFailures')]),
});
const ScheduleProperties = z.object({
  Target: z.object({ Arn: z.unknown(), Input: z.string() }),
});
const TableProperties = z.object({
  AttributeDefinitions: z.array(z.unknown()),
  KeySchema: z.array(z.unknown()),
  GlobalSecondaryIndexes: z.array(z.unknown()),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  TimeToLiveSpecification: z.object({ AttributeName: z.string(), Enabled: z.literal(true) }),
});

const Intrinsic = z.union([
  z.strictObject({ Ref: z.string() }),
  z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
  z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }),
]);

const PLACEHOLDER = /^\$\{([A-Z_]+)\}$/;

/**
 * The attributes that SQS takes at the making of a queue. The rest is handled here, or means
 * nothing locally.
 */
const QUEUE_ATTRIBUTES = [
  'FifoQueue',
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'FifoThroughputLimit',
  'VisibilityTimeout',
  'MessageRetentionPeriod',
  'SqsManagedSseEnabled',
];

interface Context {
  readonly template: Template;
  readonly names: LocalNames;
}

const resourcesOf = ({ template }: Context, type: string): readonly (readonly [string, Resource])[] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);

const typeOf = ({ template }: Context, logicalId: string): string | undefined => template.Resources[logicalId]?.Type;

const queueName = (logicalId: string): string => `${logicalId}.fifo`;
const queueArn = ({ names }: Context, logicalId: string): string =>
  `arn:aws:sqs:${names.region}:${names.accountId}:${queueName(logicalId)}`;
const queueUrl = ({ names }: Context, logicalId: string): string =>
  `${names.queueOrigin}/${names.accountId}/${queueName(logicalId)}`;

const calledName = ({ template }: Context, aliasId: string): string => {
  const { FunctionName } = AliasProperties.parse(template.Resources[aliasId]?.Properties);
  return template.Resources[FunctionName.Ref]?.Metadata?.passepartout?.name ?? '';
};

const resolveRef = (context: Context, logicalId: string, place: string): string => {
  if (logicalId === 'AWS::Region') return context.names.region;
  if (logicalId === 'AWS::AccountId') return context.names.accountId;
  switch (typeOf(context, logicalId)) {
    case 'AWS::SQS::Queue':
      return queueUrl(context, logicalId);
    case 'AWS::DynamoDB::GlobalTable':
      return context.names.tableName;
    case 'AWS::Lambda::Alias':
      return calledName(context, logicalId);
    default:
      throw new Error(`${place} refers to ${logicalId}, which has no local counterpart`);
  }
};

/** @param place names the value in the template, for messages */
const resolve = (context: Context, value: unknown, place: string): string => {
  if (typeof value === 'string') return value;
  const { data } = Intrinsic.safeParse(value);
  if (data === undefined) throw new Error(`${place} is not something the local stack can resolve`);
  if ('Ref' in data) return resolveRef(context, data.Ref, place);
  if ('Fn::Join' in data) {
    const [separator, parts] = data['Fn::Join'];
    return parts.map((part) => resolve(context, part, place)).join(separator);
  }
  const [logicalId, attribute] = data['Fn::GetAtt'];
  const isQueue = typeOf(context, logicalId) === 'AWS::SQS::Queue';
  if (isQueue && attribute === 'Arn') return queueArn(context, logicalId);
  if (isQueue && attribute === 'QueueName') return queueName(logicalId);
  if (typeOf(context, logicalId) === 'AWS::IAM::Role' && attribute === 'Arn')
    return `arn:aws:iam::${context.names.accountId}:role/${logicalId}`;
  throw new Error(`${place} asks for ${logicalId}.${attribute}, which has no local counterpart`);
};

const planQueue = (context: Context, id: string, { Properties }: Resource): QueuePlan => {
  const { RedrivePolicy: redrive } = QueueProperties.parse(Properties);
  const attributes: Record<string, string> = {};
  for (const name of QUEUE_ATTRIBUTES) {
    if (Properties[name] !== undefined) attributes[name] = String(Properties[name]);
  }
  if (redrive !== undefined) {
    const deadLetterTargetArn = resolve(context, redrive.deadLetterTargetArn, `${id}.RedrivePolicy`);
    attributes.RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: redrive.maxReceiveCount });
  }
  return { name: queueName(id), url: queueUrl(context, id), arn: queueArn(context, id), attributes };
};

/** Here secrets are variables, anchors are files, and routes share an address. */
const CLOUD_ONLY = [
  ...['SECRET_ID', 'PROVIDER_VAULT', 'RUNNER_KEY_ID', 'ANCHOR_BUCKET', 'CONTENT_BUCKET', 'CONTROL_URL'],
  'CONSOLE_URL',
];

const resolveVariables = (
  context: Context,
  id: string,
  variables: Readonly<Record<string, unknown>>,
): Record<string, string> => {
  const resolved: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (CLOUD_ONLY.includes(name)) continue;
    const text = resolve(context, value, `${id}.${name}`);
    const setting = PLACEHOLDER.exec(text)?.[1];
    const final = setting === undefined ? text : context.names.settings[setting];
    if (final !== undefined) resolved[name] = final;
  }
  return resolved;
};

const planFunction = (context: Context, id: string, { Properties, Metadata }: Resource): FunctionPlan => {
  const metadata = Metadata?.passepartout;
  if (metadata === undefined) throw new Error(`${id} does not say which function it is`);
  const { Timeout, MemorySize, Environment } = FunctionProperties.parse(Properties);
  // One template serves every configuration, so the size of Reason comes from the settings.
  const memoryMb = Number((metadata.name === 'reason' && context.names.settings.REASON_MEMORY_MB) || MemorySize);
  const variables = resolveVariables(context, id, Environment.Variables);
  return { ...metadata, timeoutMs: Timeout * 1000, memoryMb, variables };
};

const planTable = (context: Context): Pick<Wiring, 'table' | 'ttlAttribute'> => {
  const [[, table] = [], ...others] = resourcesOf(context, 'AWS::DynamoDB::GlobalTable');
  if (table === undefined || others.length > 0) throw new Error('the template must have exactly one table');
  // Recovery, encryption and replicas have no local meaning.
  const { TimeToLiveSpecification: ttl, ...input } = TableProperties.parse(table.Properties);
  return { table: { TableName: context.names.tableName, ...input }, ttlAttribute: ttl.AttributeName };
};

/** @throws Error naming the logical id of a resource that the local stack cannot provide */
export const buildWiring = (template: Template, names: LocalNames): Wiring => {
  const context: Context = { template, names };
  const queues = resourcesOf(context, 'AWS::SQS::Queue').map(([id, resource]) => planQueue(context, id, resource));
  const functions = new Map(
    resourcesOf(context, 'AWS::Lambda::Function').map(([id, resource]) => [id, planFunction(context, id, resource)]),
  );
  /** Triggers name the alias of a function, so that a deploy can move them. */
  const functionName = (target: unknown, place: string): string => {
    const { data } = z.union([AliasRef, AliasName]).safeParse(target);
    if (data === undefined) throw new Error(`${place} does not name the alias of a function`);
    const id = 'Ref' in data ? data.Ref : data['Fn::Join'][1][0]['Fn::Select'][1]['Fn::Split'][1].Ref;
    const alias = typeOf(context, id) === 'AWS::Lambda::Alias' ? template.Resources[id] : undefined;
    const found = alias && functions.get(AliasProperties.parse(alias.Properties).FunctionName.Ref);
    if (found === undefined) throw new Error(`${place} names ${id}, which is no alias of a function`);
    return found.name;
  };
  const eventSources = resourcesOf(context, 'AWS::Lambda::EventSourceMapping').map(([id, { Properties }]) => {
    const { EventSourceArn, FunctionName, BatchSize } = EventSourceProperties.parse(Properties);
    const arn = resolve(context, EventSourceArn, `${id}.EventSourceArn`);
    const queue = queues.find((candidate) => candidate.arn === arn);
    if (queue === undefined) throw new Error(`${id} reads from ${arn}, which is no queue of this template`);
    return { functionName: functionName(FunctionName, `${id}.FunctionName`), queue, batchSize: BatchSize };
  });
  const schedules = resourcesOf(context, 'AWS::Scheduler::Schedule').map(([id, { Properties }]) => {
    const { Target } = ScheduleProperties.parse(Properties);
    return { functionName: functionName(Target.Arn, `${id}.Target`), input: Target.Input };
  });
  return { ...planTable(context), queues, functions: [...functions.values()], eventSources, schedules };
};
