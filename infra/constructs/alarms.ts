/**
 * Alarms that mean "a person should look": something was dead-lettered, a stage is stuck, a function fails. They appear in
 * the CloudWatch console in any case, and go to a mail address if one is set.
 */
import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { QUEUE_AGE_ALARM_S } from '../../lib/limits.ts';

const PERIOD = Duration.minutes(5);

export class Alarms extends Construct {
  private readonly topic: Topic | undefined;

  constructor(scope: Construct, id: string, props: { readonly email: string | undefined }) {
    super(scope, id);
    if (props.email === undefined) return;
    this.topic = new Topic(this, 'Topic', { enforceSSL: true, displayName: 'Passepartout alarms' });
    this.topic.addSubscription(new EmailSubscription(props.email));
  }

  /** A message older than `QUEUE_AGE_ALARM_S`: its stage is stuck. */
  watchAge(name: string, queue: Queue): void {
    const metric = queue.metricApproximateAgeOfOldestMessage({ period: PERIOD, statistic: 'Maximum' });
    this.add(`${name}Age`, metric, QUEUE_AGE_ALARM_S, `${name}: messages wait longer than ${QUEUE_AGE_ALARM_S} s`);
  }

  /**
   * Any dead letter. Counted as received rather than waiting: the dead-letter function empties the queue within seconds,
   * and a message moved there by SQS itself is never counted as sent.
   */
  watchDeadLetters(name: string, queue: Queue): void {
    const metric = queue.metricNumberOfMessagesReceived({ period: PERIOD, statistic: 'Sum' });
    this.add(`${name}DeadLetters`, metric, 1, `${name}: a message was dead-lettered`);
  }

  /** Any failed invocation. */
  watchErrors(name: string, lambda: LambdaFunction): void {
    this.add(`${name}Errors`, lambda.metricErrors({ period: PERIOD, statistic: 'Sum' }), 1, `${name}: a run failed`);
  }

  private add(id: string, metric: Metric, threshold: number, description: string): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: description,
    });
    if (this.topic !== undefined) alarm.addAlarmAction(new SnsAction(this.topic));
  }
}
