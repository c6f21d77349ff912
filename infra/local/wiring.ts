/**
 * Reads the synthesised template as CloudFormation would and says what has to exist locally: the table, the queues, each
 * function with its environment, what feeds it, its routes and schedules. Pure. Whatever it does not understand is an
 * error with the place, never skipped: a wiring mistake in CDK fails here, before it fails in the cloud.
 */
import * as z from 'zod';
import type { Resource, Template } from '../template.ts';

export interface LocalNames {
  readonly region: string;
  readonly accountId: string;
  readonly tableName: string;
  /** Where queues live: `http://127.0.0.1:<port>`. */
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

export interface SchedulePlan {
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
const EventSourceProperties = z.object({
  EventSourceArn: z.unknown(),
  FunctionName: z.object({ Ref: z.string() }),
  BatchSize: z.number(),
  FunctionResponseTypes: z.tuple([z.literal('ReportBatchItemFailures')]),
});
const ScheduleProperties = z.object({
  Target: z.object({ Arn: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) }), Input: z.string() }),
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

/** Queue attributes SQS takes at creation; the rest of the properties is either handled here or has no local meaning. */
const QUEUE_ATTRIBUTES = [
  'FifoQueue',
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'FifoThroughputLimit',
  'VisibilityTimeout',
  'MessageRetentionPeriod',
  'SqsManagedSseEnabled',
];

/** @throws Error naming the logical id of whatever the local stack cannot provide */
export const buildWiring = (template: Template, names: LocalNames): Wiring => {
  const ofType = (type: string): [string, Resource][] =>
    Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
  const queueName = (logicalId: string): string => `${logicalId}.fifo`;
  const queueArn = (logicalId: string): string =>
    `arn:aws:sqs:${names.region}:${names.accountId}:${queueName(logicalId)}`;
  const queueUrl = (logicalId: string): string => `${names.queueOrigin}/${names.accountId}/${queueName(logicalId)}`;

  const resolveRef = (logicalId: string, place: string): string => {
    if (logicalId === 'AWS::Region') return names.region;
    if (logicalId === 'AWS::AccountId') return names.accountId;
    switch (template.Resources[logicalId]?.Type) {
      case 'AWS::SQS::Queue':
        return queueUrl(logicalId);
      case 'AWS::DynamoDB::GlobalTable':
        return names.tableName;
      default:
        throw new Error(`${place} refers to ${logicalId}, which has no local counterpart`);
    }
  };

  const resolve = (value: unknown, place: string): string => {
    if (typeof value === 'string') return value;
    const parsed = Intrinsic.safeParse(value);
    if (!parsed.success) throw new Error(`${place} is not something the local stack can resolve`);
    if ('Ref' in parsed.data) return resolveRef(parsed.data.Ref, place);
    if ('Fn::Join' in parsed.data) {
      const [separator, parts] = parsed.data['Fn::Join'];
      return parts.map((part) => resolve(part, place)).join(separator);
    }
    const [logicalId, attribute] = parsed.data['Fn::GetAtt'];
    if (template.Resources[logicalId]?.Type === 'AWS::SQS::Queue') {
      if (attribute === 'Arn') return queueArn(logicalId);
      if (attribute === 'QueueName') return queueName(logicalId);
    }
    throw new Error(`${place} asks for ${logicalId}.${attribute}, which has no local counterpart`);
  };

  const queues = new Map(
    ofType('AWS::SQS::Queue').map(([id, { Properties }]): [string, QueuePlan] => {
      const { RedrivePolicy: redrive } = QueueProperties.parse(Properties);
      const attributes: Record<string, string> = {};
      for (const name of QUEUE_ATTRIBUTES) {
        if (Properties[name] !== undefined) attributes[name] = String(Properties[name]);
      }
      if (redrive !== undefined) {
        const deadLetterTargetArn = resolve(redrive.deadLetterTargetArn, `${id}.RedrivePolicy`);
        attributes.RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: redrive.maxReceiveCount });
      }
      return [id, { name: queueName(id), url: queueUrl(id), arn: queueArn(id), attributes }];
    }),
  );

  const resolveVariables = (id: string, variables: Readonly<Record<string, unknown>>): Record<string, string> => {
    const resolved: Record<string, string> = {};
    for (const [name, value] of Object.entries(variables)) {
      // Of the cloud alone: here secrets are in the environment, anchors are files, and all routes
      // have one address.
      if (['SECRET_ID', 'ANCHOR_BUCKET', 'CONTROL_URL'].includes(name)) continue;
      const text = resolve(value, `${id}.${name}`);
      const setting = PLACEHOLDER.exec(text)?.[1];
      const final = setting === undefined ? text : names.settings[setting];
      if (final !== undefined) resolved[name] = final;
    }
    return resolved;
  };

  /** Templates made for the local stack are one for every configuration: the size is told beside it. */
  const memoryOf = (name: string, inTemplate: number): number =>
    Number((name === 'reason' && names.settings.REASON_MEMORY_MB) || inTemplate);

  const functions = new Map(
    ofType('AWS::Lambda::Function').map(([id, { Properties, Metadata }]): [string, FunctionPlan] => {
      const metadata = Metadata?.passepartout;
      if (metadata === undefined) throw new Error(`${id} does not say which function it is`);
      const { Timeout, MemorySize, Environment } = FunctionProperties.parse(Properties);
      const variables = resolveVariables(id, Environment.Variables);
      return [id, { ...metadata, timeoutMs: Timeout * 1000, memoryMb: memoryOf(metadata.name, MemorySize), variables }];
    }),
  );

  const functionAt = (id: string): FunctionPlan => {
    const found = functions.get(id);
    if (found === undefined) throw new Error(`there is no function ${id}`);
    return found;
  };

  const eventSources = ofType('AWS::Lambda::EventSourceMapping').map(([id, { Properties }]): EventSourcePlan => {
    const source = EventSourceProperties.parse(Properties);
    const arn = resolve(source.EventSourceArn, `${id}.EventSourceArn`);
    const queue = [...queues.values()].find((candidate) => candidate.arn === arn);
    if (queue === undefined) throw new Error(`${id} reads from ${arn}, which is no queue of this template`);
    return { functionName: functionAt(source.FunctionName.Ref).name, queue, batchSize: source.BatchSize };
  });

  const schedules = ofType('AWS::Scheduler::Schedule').map(([, { Properties }]): SchedulePlan => {
    const { Target } = ScheduleProperties.parse(Properties);
    return { functionName: functionAt(Target.Arn['Fn::GetAtt'][0]).name, input: Target.Input };
  });

  const [[, table] = [], ...otherTables] = ofType('AWS::DynamoDB::GlobalTable');
  if (table === undefined || otherTables.length > 0) throw new Error('the template must have exactly one table');
  // Recovery, encryption and replicas have no local meaning.
  const { TimeToLiveSpecification: ttl, ...tableInput } = TableProperties.parse(table.Properties);

  return {
    table: { TableName: names.tableName, ...tableInput },
    ttlAttribute: ttl.AttributeName,
    queues: [...queues.values()],
    functions: [...functions.values()],
    eventSources,
    schedules,
  };
};
