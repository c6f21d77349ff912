/**
 * The whole system: ingress → perceive → reason → act over one table. The local stack is built from
 * its template.
 */
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { FunctionUrlAuthType, type FunctionUrlCorsOptions, HttpMethod, InvokeMode } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { FUNCTION_NAMES, type FunctionName } from '../lib/core/store/settings.ts';
import { AgentFunction } from './constructs/agent-function.ts';
import { Alarms } from './constructs/alarms.ts';
import { AnchorBucket, ContentBucket } from './constructs/buckets.ts';
import { DeadLetters } from './constructs/dead-letters.ts';
import { HeartbeatSchedule } from './constructs/heartbeat-schedule.ts';
import { ProviderVault } from './constructs/provider-vault.ts';
import { QueueStage } from './constructs/queue-stage.ts';
import { Release } from './constructs/release.ts';
import { RunnerQueues } from './constructs/runner-queues.ts';
import { StateTable } from './constructs/state-table.ts';
import { STAGES, type Stage } from './function-spec.ts';
import { specOf } from './functions.ts';
import type { StackSettings } from './settings.ts';

export interface PassepartoutStackProps extends StackProps {
  readonly settings: StackSettings;
  /** False for templates that are only read: the local stack's and the tests'. */
  readonly isBundled: boolean;
}

/** As the deploy prints it. */
const describeUrlLimit = (each: number | undefined): string =>
  each === undefined
    ? "none but the account's own; URL_CONCURRENCY sets one, if the account has 100 more to spare"
    : `${each} runs at once for each of the five open URLs`;

/**
 * The console's page posts to the control function. Its origin cannot be named here, because the
 * console needs control's address already. So any page may ask, but only a token gets an answer.
 */
const CONTROL_CORS: FunctionUrlCorsOptions = {
  allowedOrigins: ['*'],
  allowedMethods: [HttpMethod.POST],
  allowedHeaders: ['authorization', 'content-type'],
  maxAge: Duration.days(1),
};

/** A door that nobody set up is no function, address or alarm. */
const isWanted = (name: FunctionName, { functions }: StackSettings): boolean => {
  const { onlyIf } = specOf(name);
  return onlyIf === undefined || (functions[onlyIf] ?? 'off') !== 'off';
};

const titleOf = (name: string): string =>
  name
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

export class PassepartoutStack extends Stack {
  private readonly functions: ReadonlyMap<FunctionName, AgentFunction>;
  private readonly stages: ReadonlyMap<Stage, QueueStage>;
  private readonly alarms: Alarms;
  private readonly deadLetters: DeadLetters;
  private readonly errorAlarms = new Map<FunctionName, Alarm>();

  constructor(scope: Construct, id: string, props: PassepartoutStackProps) {
    super(scope, id, props);
    const { settings, isBundled } = props;
    const state = new StateTable(this, 'State', settings);
    this.alarms = new Alarms(this, 'Alarms', { email: settings.alarmEmail });
    this.deadLetters = new DeadLetters(this, 'DeadLetters', { alarms: this.alarms });
    this.functions = new Map(
      FUNCTION_NAMES.filter((name) => isWanted(name, settings)).map((name) => [
        name,
        new AgentFunction(this, titleOf(name), { name, settings, state, isBundled }),
      ]),
    );
    this.stages = new Map(STAGES.map((stage) => [stage, this.buildStage(stage)]));
    for (const worker of this.functions.values()) this.wire(worker);
    const runnerQueues = new RunnerQueues(this, 'Runners');
    runnerQueues.letSign(this.functionOf('act'));
    runnerQueues.letSend(this.functionOf('act'));
    // The heartbeat sends again what a machine has not taken.
    runnerQueues.letSend(this.functionOf('heartbeat'));
    runnerQueues.letOpen(this.functionOf('runner'));
    this.alarms.watchSilence('heartbeat', this.functionOf('heartbeat').lambda);
    this.alarms.watchThrottles(state.table);
    const [reasonLogs, logLogs] = [this.functionOf('reason').logGroup, this.functionOf('log').logGroup];
    this.alarms.watchEvent('BudgetSpent', reasonLogs, 'budget-spent', "budget: the day's money or tokens are spent");
    this.alarms.watchEvent(
      'WitnessRefused',
      logLogs,
      'witness-refused',
      'evidence log: a witness refuses to cosign it',
    );
    const anchors = new AnchorBucket(this, 'Anchors', settings);
    anchors.letWrite(this.functionOf('log'));
    // The log's writer continues from the last anchor; the heartbeat finds an older copy by it.
    anchors.letList(this.functionOf('log'));
    anchors.letList(this.functionOf('heartbeat'));
    anchors.letReadForgotten(this.functionOf('heartbeat'));
    const contents = new ContentBucket(this, 'Contents', settings);
    contents.letWrite(this.functionOf('act'));
    contents.letRead(this.functionOf('act'));
    contents.letRead(this.functionOf('reason'));
    contents.letRead(this.functionOf('document'));
    contents.letKeepSkills(this.functionOf('act'));
    contents.letReadSkills(this.functionOf('runner'));
    const vault = new ProviderVault(this, 'Vault');
    vault.letWrite(this.functionOf('console'));
    vault.letRead(this.functionOf('reason'));
    vault.letRead(this.functionOf('act'));
    this.letRun(this.functionOf('act'), this.functionOf('document'), 'DOCUMENT_FUNCTION');
    const functions = [...this.functions.values()];
    for (const one of this.runnersOfConsole()) this.letRun(one, this.functionOf('console'), 'CONSOLE_FUNCTION');
    const { release } = new Release(this, 'Releases', {
      functions,
      alarmsOf: ({ name }) => this.shiftAlarmsOf(name),
      isShifted: settings.isShifted,
    });
    new CfnOutput(this, 'Release', { value: release });
    new CfnOutput(this, 'Functions', { value: functions.map(({ lambda }) => lambda.functionName).join(',') });
    new CfnOutput(this, 'Space', { value: settings.space });
    new CfnOutput(this, 'ContentBucketName', { value: contents.bucket.bucketName });
    new CfnOutput(this, 'AnchorBucketName', { value: anchors.bucket.bucketName });
    new CfnOutput(this, 'AlarmTopicArn', { value: this.alarms.topic.topicArn });
    new CfnOutput(this, 'OpenUrlLimit', { value: describeUrlLimit(settings.urlConcurrency) });
    new CfnOutput(this, 'TableName', { value: state.table.tableName });
    for (const [stage, { queue }] of this.stages) {
      new CfnOutput(this, `${titleOf(stage)}QueueUrl`, { value: queue.queueUrl });
    }
  }

  private functionOf(name: FunctionName): AgentFunction {
    const found = this.functions.get(name);
    if (found === undefined) throw new Error(`no function ${name}`);
    return found;
  }

  private stageOf(stage: Stage): QueueStage {
    const found = this.stages.get(stage);
    if (found === undefined) throw new Error(`no stage ${stage}`);
    return found;
  }

  /**
   * An older message was there before the shift: its alarm would only forbid the mending deploy.
   */
  private shiftAlarmsOf(name: FunctionName): Alarm[] {
    const errors = this.errorAlarms.get(name);
    const isStage = STAGES.some((stage) => stage === name);
    return [errors, isStage ? this.deadLetters.alarm : undefined].filter((alarm) => alarm !== undefined);
  }

  private buildStage(stage: Stage): QueueStage {
    return new QueueStage(this, `${titleOf(stage)}Stage`, {
      stage,
      worker: this.functionOf(stage),
      deadLetters: this.deadLetters.queue,
      alarms: this.alarms,
    });
  }

  private runnersOfConsole(): readonly AgentFunction[] {
    return [...this.functions.values()].filter(({ name }) => specOf(name).runs === 'console');
  }

  /** A function may run another one, whose address it finds in a variable. */
  private letRun(caller: AgentFunction, { live }: AgentFunction, variable: string): void {
    caller.may('lambda:InvokeFunction', live.functionArn);
    caller.lambda.addEnvironment(variable, live.functionArn);
  }

  /** Trigger, targets, alarm and outputs of one function. */
  private wire(worker: AgentFunction): void {
    const { trigger } = worker.spec;
    for (const stage of worker.spec.sendsTo) this.stageOf(stage).giveTo(worker);
    // A file that breaks its reader is no fault of a release, and the sender is told.
    if (trigger.type !== 'call') this.errorAlarms.set(worker.name, this.alarms.watchErrors(worker.name, worker.lambda));
    if (worker.spec.secretOf !== undefined) this.functionOf(worker.spec.secretOf).secret?.giveTo(worker);
    if (worker.secret !== undefined) {
      new CfnOutput(this, `${titleOf(worker.name)}SecretName`, { value: worker.secret.secretName });
    }
    switch (trigger.type) {
      case 'queue':
      case 'call':
        return;
      case 'http': {
        // Each ingress checks its sender itself: by secret header, signature or bearer token.
        const isControl = worker.name === 'control';
        const cors = isControl ? { cors: CONTROL_CORS } : {};
        const mode = trigger.isStreamed ? { invokeMode: InvokeMode.RESPONSE_STREAM } : {};
        const url = worker.live.addFunctionUrl({ authType: FunctionUrlAuthType.NONE, ...cors, ...mode });
        if (isControl) this.functionOf('console').lambda.addEnvironment('CONTROL_URL', url.url);
        if (worker.name === 'console')
          for (const linked of [this.functionOf('act'), ...this.runnersOfConsole()])
            linked.lambda.addEnvironment('CONSOLE_URL', url.url);
        new CfnOutput(this, `${titleOf(worker.name)}Url`, { value: url.url });
        return;
      }
      case 'dead-letters':
        worker.live.addEventSource(
          new SqsEventSource(this.deadLetters.queue, { batchSize: trigger.batchSize, reportBatchItemFailures: true }),
        );
        return;
      case 'schedule':
        new HeartbeatSchedule(this, `${titleOf(worker.name)}Schedule`, { worker });
        return;
      default:
        trigger satisfies never;
    }
  }
}
