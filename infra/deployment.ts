/** Builds the CDK app of a deployment, with cdk-nag over everything. @throws ConfigError */
import { App, type Stack, Validations } from 'aws-cdk-lib';
import type { CloudAssembly, CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks } from 'cdk-nag';
import { defined } from '../lib/core/base/defined.ts';
import { ConfigError } from '../lib/core/base/errors.ts';
import { environmentProblems } from './environment-size.ts';
import { PassepartoutStack } from './passepartout-stack.ts';
import { parseStackSettings } from './settings.ts';
import { checkNames } from './spelling.ts';
import { parseTemplate, type Template } from './template.ts';

/** Rules of cdk-nag that do not help here, with the reason. Every other finding fails synthesis. */
export const ACKNOWLEDGEMENTS: readonly { readonly id: string; readonly reason: string }[] = [
  {
    id: 'AwsSolutions-SMG4',
    reason:
      'These are keys of other services (bot token, model keys, webhook keys) and tokens of our own clients: rotating ' +
      'one means telling its other side, which only its owner can do. Functions read them again every five minutes, so ' +
      'a changed value needs no deployment.',
  },
  {
    id: 'AwsSolutions-S1',
    reason:
      'The bucket of anchors holds signed checkpoints, which are public by nature, and takes writes from one role only. What ' +
      'counts is that none can be taken back, which Object Lock guarantees whoever reads; access logs would need a second bucket.',
  },
  {
    id: 'AwsSolutions-SQS3',
    reason:
      "A machine's queue needs no dead-letter queue: each job is a row of the table with its own end, and the heartbeat " +
      'sends it again. The queues of the stages have theirs.',
  },
  {
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'CodeDeploy asks for the state of alarms while it moves an alias; cloudwatch:DescribeAlarms is all that it allows.',
  },
];

export const checkWithNag = (app: App, stack: Stack): AwsSolutionsChecks => {
  for (const acknowledgement of ACKNOWLEDGEMENTS) Validations.of(stack).acknowledge(acknowledgement);
  const checks = new AwsSolutionsChecks(app);
  Validations.of(app).addPlugins(checks);
  return checks;
};

export interface Deployment {
  readonly app: App;
  readonly stackName: string;
}

export const buildDeployment = (
  environment: Readonly<Record<string, string | undefined>>,
  outdir?: string,
): Deployment => {
  const settings = parseStackSettings(environment);
  const { stackName } = settings;
  // The metadata names the asset of each function, from which `npm run synth` reads the sizes.
  const context = { 'aws:cdk:enable-asset-metadata': true };
  const app = new App({ context, ...defined({ outdir }) });
  const stack = new PassepartoutStack(app, stackName, { settings, isBundled: true });
  checkWithNag(app, stack);
  return { app, stackName };
};

/** @throws ConfigError if Lambda would refuse a function's environment */
export const synthDeployment = (
  environment: Readonly<Record<string, string | undefined>>,
  outdir?: string,
): { readonly assembly: CloudAssembly; readonly stack: CloudFormationStackArtifact; readonly template: Template } => {
  for (const remark of checkNames([], Object.keys(environment)).remarks) console.error(remark);
  const { app, stackName } = buildDeployment(environment, outdir);
  const assembly = app.synth();
  const stack = assembly.getStackByName(stackName);
  const template = parseTemplate(stack.template);
  const problems = environmentProblems(template);
  if (problems.length > 0) throw new ConfigError(problems);
  return { assembly, stack, template };
};
