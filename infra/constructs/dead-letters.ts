/**
 * The dead-letter queue of all stages: a queue costs its polls and alarms also in an idle month. A
 * message that a stage gives up says of which queue it was.
 */
import { Duration } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { DEAD_LETTER_TIMEOUT_MS } from '../functions.ts';
import type { Alarms } from './alarms.ts';
import { FIFO, VISIBILITY_MARGIN_MS } from './queue-stage.ts';

/** The longest SQS keeps a message: a dead letter waits for a person on holiday. */
const DLQ_RETENTION_DAYS = 14;

export class DeadLetters extends Construct {
  readonly queue: Queue;
  /** Rings for any dead letter. */
  readonly alarm: Alarm;

  constructor(scope: Construct, id: string, { alarms }: { readonly alarms: Alarms }) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      ...FIFO,
      retentionPeriod: Duration.days(DLQ_RETENTION_DAYS),
      visibilityTimeout: Duration.millis(DEAD_LETTER_TIMEOUT_MS + VISIBILITY_MARGIN_MS),
    });
    this.alarm = alarms.watchDeadLetters(this.queue);
  }
}
