/**
 * A queue for each machine that may be paired, and the role whose credentials, limited to one
 * queue, a machine gets. The table is the truth: what is lost here is sent again.
 */
import { Duration, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { ArnPrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { RUNNER_WAIT_MS, RUNNERS_MAX, SECOND_MS } from '../../lib/core/base/limits.ts';
import type { AgentFunction } from './agent-function.ts';
import { FIFO } from './queue-stage.ts';
import { GENERATED_CHARS } from './role-secret.ts';

/** A machine verifies and claims a job within this time, or the message comes again. */
const CLAIM_MS = 30 * SECOND_MS;

export class RunnerQueues extends Construct {
  private readonly queues: readonly Queue[];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.queues = Array.from(
      { length: RUNNERS_MAX },
      (_, index) =>
        new Queue(this, `Queue${index + 1}`, {
          ...FIFO,
          // An older message would be of a job that has expired.
          retentionPeriod: Duration.millis(RUNNER_WAIT_MS),
          visibilityTimeout: Duration.millis(CLAIM_MS),
        }),
    );
  }

  private get arns(): string[] {
    return this.queues.map(({ queueArn }) => queueArn);
  }

  private giveUrls({ lambda }: AgentFunction): void {
    const urls = this.queues.map(({ queueUrl }) => queueUrl);
    lambda.addEnvironment('RUNNER_QUEUE_URLS', Fn.join(',', urls));
  }

  /**
   * Apart: one more line in Act's secret would have CloudFormation drop what the owner filled in.
   */
  letSign(worker: AgentFunction): void {
    const secretName = `passepartout/${Stack.of(this).stackName}/runner-key`;
    const { secretArn } = new Secret(this, 'Key', {
      secretName,
      description: 'Passepartout act: generated, signs the jobs of paired machines',
      generateSecretString: { passwordLength: GENERATED_CHARS, excludePunctuation: true, includeSpace: false },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    worker.lambda.addEnvironment('RUNNER_KEY_ID', secretName);
    worker.may('secretsmanager:GetSecretValue', secretArn);
  }

  letSend(worker: AgentFunction): void {
    this.giveUrls(worker);
    worker.may('sqs:SendMessage', ...this.arns);
  }

  /** The function may hand out credentials of the role, and receives from no queue itself. */
  letOpen(worker: AgentFunction): void {
    const role = new Role(this, 'Role', { assumedBy: new ArnPrincipal(worker.role.roleArn) });
    const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'];
    role.addToPolicy(new PolicyStatement({ actions, resources: this.arns }));
    worker.may('sts:AssumeRole', role.roleArn);
    this.giveUrls(worker);
    worker.lambda.addEnvironment('RUNNER_ROLE_ARN', role.roleArn);
  }
}
