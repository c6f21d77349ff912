/**
 * Alarms that mean "a person should look", to a topic and a mail address. They watch CloudWatch's
 * own metrics; only the budget needs one of ours, made from Reason's log line.
 */
import { Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** A message older than this on a stage's queue means that stage is stuck, not slow. */
const QUEUE_AGE_ALARM_S = 600;

const PERIOD = Duration.minutes(5);
/** A dead letter stays if it waits for so many periods: the dead-letter function takes seconds. */
const STAYING_PERIODS = 3;
/** Periods without a tick before the heartbeat counts as stopped. */
const SILENT_PERIODS = 2;

interface AlarmRule {
  readonly threshold: number;
  readonly periods?: number;
  /** Rings if the metric falls below the threshold, or is missing. */
  readonly isBelow?: boolean;
}

export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, props: { readonly email: string | undefined }) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true, displayName: 'Passepartout alarms' });
    if (props.email !== undefined) this.topic.addSubscription(new EmailSubscription(props.email));
  }

  /** Rings if a message is older than `QUEUE_AGE_ALARM_S`: its stage is stuck. */
  watchAge(name: string, queue: Queue): void {
    const metric = queue.metricApproximateAgeOfOldestMessage({ period: PERIOD, statistic: 'Maximum' });
    const description = `${name}: messages wait longer than ${QUEUE_AGE_ALARM_S} s`;
    this.add(`${name}Age`, metric, description, { threshold: QUEUE_AGE_ALARM_S });
  }

  /**
   * Counts messages received: the function takes them within seconds, and SQS never counts its own
   * moves as sent. One that stays says that the function is off, or fails.
   */
  watchDeadLetters(queue: Queue): Alarm {
    const received = queue.metricNumberOfMessagesReceived({ period: PERIOD, statistic: 'Sum' });
    const any = this.add('DeadLetters', received, 'a message was dead-lettered', { threshold: 1 });
    const waiting = queue.metricApproximateNumberOfMessagesVisible({ period: PERIOD, statistic: 'Maximum' });
    const description = 'dead letters stay; the dead-letter function is off or fails';
    this.add('DeadLettersStay', waiting, description, { threshold: 1, periods: STAYING_PERIODS });
    return any;
  }

  /** Rings for any failed run, of whichever version. */
  watchErrors(name: string, lambda: LambdaFunction): Alarm {
    const metric = lambda.metricErrors({ period: PERIOD, statistic: 'Sum' });
    return this.add(`${name}Errors`, metric, `${name}: a run failed`, { threshold: 1 });
  }

  watchSilence(name: string, lambda: LambdaFunction): void {
    const metric = lambda.metricInvocations({ period: PERIOD, statistic: 'Sum' });
    const rule = { threshold: 1, periods: SILENT_PERIODS, isBelow: true };
    this.add(`${name}Stopped`, metric, `${name}: it stopped running`, rule);
  }

  watchThrottles(table: TableV2): void {
    const lambda = new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', period: PERIOD, statistic: 'Sum' });
    this.add('LambdaThrottles', lambda, 'Lambda: this account runs all it may at once', { threshold: 1 });
    for (const kind of ['Read', 'Write']) {
      const metric = new Metric({
        namespace: 'AWS/DynamoDB',
        metricName: `${kind}ThrottleEvents`,
        dimensionsMap: { TableName: table.tableName },
        period: PERIOD,
        statistic: 'Sum',
      });
      this.add(`Table${kind}Throttles`, metric, `DynamoDB: ${kind.toLowerCase()}s were throttled`, { threshold: 1 });
    }
  }

  /** @param says what happened, when a function writes a line with this event */
  watchEvent(id: string, logs: LogGroup, event: string, says: string): void {
    const filter = new MetricFilter(this, `${id}Filter`, {
      logGroup: logs,
      filterPattern: FilterPattern.stringValue('$.event', '=', event),
      metricNamespace: `Passepartout/${Stack.of(this).stackName}`,
      metricName: id,
      metricValue: '1',
    });
    this.add(id, filter.metric({ period: PERIOD, statistic: 'Sum' }), says, { threshold: 1 });
  }

  private add(
    id: string,
    metric: Metric,
    description: string,
    { threshold, periods = 1, isBelow = false }: AlarmRule,
  ): Alarm {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: isBelow
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: isBelow ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: description,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    return alarm;
  }
}
