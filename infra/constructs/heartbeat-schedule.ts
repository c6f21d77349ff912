/**
 * Once a minute, with the scheduled time: a tick delivered twice is one tick. There are no retries,
 * because the next tick sweeps for a lost one.
 */
import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { AgentFunction } from './agent-function.ts';

export class HeartbeatSchedule extends Construct {
  constructor(scope: Construct, id: string, props: { readonly worker: AgentFunction }) {
    super(scope, id);
    const { live } = props.worker;
    live.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    // The ready-made target would grant every version of the function as well.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    });
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [live.functionArn] }));
    new CfnSchedule(this, 'Schedule', {
      scheduleExpression: 'rate(1 minute)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: live.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify({ scheduledAt: '<aws.scheduler.scheduled-time>' }),
        retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 60 },
      },
    });
  }
}
