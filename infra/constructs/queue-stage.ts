/**
 * One stage of the pipeline from one timeout: a message is seen again only after the function that
 * had it is dead, and is dead-lettered after RECEIVE_COUNT_MAX tries, or at once as poison.
 */
import { Duration } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { RECEIVE_COUNT_MAX, SECOND_MS } from '../../lib/core/base/limits.ts';
import type { Stage } from '../function-spec.ts';
import { queueUrlVariable } from '../functions.ts';
import type { AgentFunction } from './agent-function.ts';
import type { Alarms } from './alarms.ts';

/** A message is seen again only after its function is dead. */
export const VISIBILITY_MARGIN_MS = 30 * SECOND_MS;

/** One conversation is one group. Groups run beside each other, and deduplicate on their own. */
export const FIFO = {
  fifo: true,
  contentBasedDeduplication: false,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
} as const;

export interface QueueStageProps {
  readonly stage: Stage;
  readonly worker: AgentFunction;
  readonly deadLetters: Queue;
  readonly alarms: Alarms;
}

export class QueueStage extends Construct {
  readonly stage: Stage;
  readonly queue: Queue;

  constructor(scope: Construct, id: string, props: QueueStageProps) {
    super(scope, id);
    this.stage = props.stage;
    // AWS advises six times the timeout and five receives, because throttled pollers use both up
    // without a run. A crash would then silence its conversation for 30 minutes instead of 5. If
    // throttling dead-letters a message, its person is told, `redrive` takes it up again, and an
    // alarm rings.
    this.queue = new Queue(this, 'Queue', {
      ...FIFO,
      visibilityTimeout: Duration.millis(props.worker.spec.timeoutMs + VISIBILITY_MARGIN_MS),
      deadLetterQueue: { queue: props.deadLetters, maxReceiveCount: RECEIVE_COUNT_MAX },
    });
    this.feed(props);
    props.alarms.watchAge(props.stage, this.queue);
  }

  /** Lets a function send to this stage, and tells it where. */
  giveTo(sender: AgentFunction): void {
    sender.lambda.addEnvironment(queueUrlVariable(this.stage), this.queue.queueUrl);
    sender.may('sqs:SendMessage', this.queue.queueArn);
  }

  private feed({ worker, deadLetters }: QueueStageProps): void {
    const { trigger } = worker.spec;
    if (trigger.type !== 'queue') throw new Error(`${worker.name} is not fed by a stage queue`);
    worker.live.addEventSource(
      new SqsEventSource(this.queue, { batchSize: trigger.batchSize, reportBatchItemFailures: true }),
    );
    // The stage postpones messages on its own queue, and sends poison on with the reason.
    worker.lambda.addEnvironment('QUEUE_URL', this.queue.queueUrl);
    worker.lambda.addEnvironment('DLQ_URL', deadLetters.queueUrl);
    worker.may('sqs:SendMessage', deadLetters.queueArn);
  }
}
