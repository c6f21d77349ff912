/**
 * How a deploy goes live: CodeDeploy moves each alias `live`, and puts it back if an alarm rings.
 * The heartbeat moves last, because it raises the version of the data. A parameter moves all
 * aliases at once to versions of an earlier release.
 */
import { createHash } from 'node:crypto';
import { Aws, CfnCondition, CfnParameter, Fn, Stack } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { type IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnAlias, CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { DATA_VERSION } from '../../lib/core/base/data-version.ts';
import { AS_DEPLOYED, BACK_PARAMETER, describeRelease } from '../releases.ts';
import { type AgentFunction, LIVE } from './agent-function.ts';

/** An alarm, and the dead-lettering of a message that keeps failing, need a few minutes. */
const SHIFT = LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE;

export interface ReleaseProps {
  readonly functions: readonly AgentFunction[];
  /** The alarms that take back the new version of a function. */
  readonly alarmsOf: (worker: AgentFunction) => IAlarm[];
  /** False: all functions change at once. */
  readonly isShifted: boolean;
}

export class Release extends Construct {
  /** Name of the release: a hash of all that makes a version of a function. */
  readonly release: string;

  constructor(scope: Construct, id: string, { functions, alarmsOf, isShifted }: ReleaseProps) {
    super(scope, id);
    this.release = this.nameRelease(functions);
    const back = new CfnParameter(this, 'Back', {
      type: 'CommaDelimitedList',
      default: functions.map(() => AS_DEPLOYED).join(','),
      description: 'Versions of an earlier release, in the order of the output Functions; set by "go-back"',
    });
    // A parameter keeps its value over deploys. Under another name the next release starts without.
    back.overrideLogicalId(`${BACK_PARAMETER}${this.release}`);
    const isBack = new CfnCondition(this, 'IsBack', {
      expression: Fn.conditionNot(Fn.conditionEquals(Fn.select(0, back.valueAsList), AS_DEPLOYED)),
    });
    const aliases = functions.map(({ live }) => cfnOf(live, CfnAlias.isCfnAlias));
    for (const [index, alias] of aliases.entries()) {
      const earlier = Fn.select(index, back.valueAsList);
      alias.functionVersion = Fn.conditionIf(isBack.logicalId, earlier, alias.functionVersion).toString();
    }
    if (isShifted) this.shift(functions, alarmsOf, isBack);
    const heartbeat = aliases[functions.findIndex(({ name }) => name === 'heartbeat')];
    for (const alias of aliases) if (alias !== heartbeat) heartbeat?.addResourceDependency(alias);
  }

  /** Every version says which release it is of. A release changes all functions or none. */
  private nameRelease(functions: readonly AgentFunction[]): string {
    const resources = functions.map(({ lambda }) => cfnOf(lambda, CfnFunction.isCfnFunction));
    const parts = resources.map(({ code, environment, memorySize, timeout }) => [
      code,
      environment,
      memorySize,
      timeout,
    ]);
    const text = JSON.stringify(Stack.of(this).resolve(parts));
    const release = createHash('sha256').update(text).digest('hex').slice(0, 8);
    for (const [index, { name }] of functions.entries()) {
      const resource = resources[index];
      if (resource !== undefined) resource.description = describeRelease({ name, release, data: DATA_VERSION });
    }
    return release;
  }

  private shift(functions: readonly AgentFunction[], alarmsOf: ReleaseProps['alarmsOf'], isBack: CfnCondition): void {
    const application = new LambdaApplication(this, 'Application');
    const role = this.buildRole(functions);
    for (const worker of functions.filter(({ name }) => name !== 'heartbeat')) {
      const alarms = alarmsOf(worker);
      const group = new LambdaDeploymentGroup(this, worker.name, {
        application,
        alias: worker.live,
        role,
        deploymentConfig: SHIFT,
        alarms,
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: alarms.length > 0 },
      });
      const policy = { ApplicationName: application.applicationName, DeploymentGroupName: group.deploymentGroupName };
      // A way back waits for no shift, and for no alarm that rings already.
      const unlessBack = Fn.conditionIf(isBack.logicalId, Aws.NO_VALUE, policy);
      cfnOf(worker.live, CfnAlias.isCfnAlias).addOverride('UpdatePolicy', { CodeDeployLambdaAliasUpdate: unlessBack });
    }
  }

  /** The managed policy for CodeDeploy could move the aliases of every function of the account. */
  private buildRole(functions: readonly AgentFunction[]): IRole {
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
        resources: functions.flatMap(({ lambda }) => [lambda.functionArn, `${lambda.functionArn}:${LIVE}`]),
      }),
    );
    role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
    return role.withoutPolicyUpdates();
  }
}

const cfnOf = <Resource>(construct: Construct, isKind: (value: unknown) => value is Resource): Resource => {
  const resource = construct.node.defaultChild;
  if (!isKind(resource)) throw new Error(`${construct.node.path} is not the resource it should be`);
  return resource;
};
