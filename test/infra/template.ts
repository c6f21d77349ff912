/** The template as a deployment would have it, without building code: made once per test file. */
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { AwsSolutionsChecks } from 'cdk-nag';
import { checkWithNag } from '../../infra/deployment.ts';
import { PassepartoutStack } from '../../infra/passepartout-stack.ts';
import { parseStackSettings } from '../../infra/settings.ts';

export interface Synthesised {
  readonly app: App;
  readonly checks: AwsSolutionsChecks;
  readonly template: Template;
  readonly json: {
    readonly Resources: Record<string, CfnResource>;
    readonly Outputs: Record<string, unknown>;
    readonly Parameters: Record<string, unknown>;
    readonly Conditions: Record<string, unknown>;
  };
}

export interface CfnResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is a free tree, and tests compare whole parts of it
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly UpdatePolicy?: unknown;
  readonly DependsOn?: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly Metadata?: any;
}

export const synthesise = (environment: Record<string, string> = {}): Synthesised => {
  const app = new App();
  const stack = new PassepartoutStack(app, 'Passepartout', {
    settings: parseStackSettings(environment),
    isBundled: false,
  });
  const checks = checkWithNag(app, stack);
  const template = Template.fromStack(stack);
  return { app, checks, template, json: template.toJSON() as Synthesised['json'] };
};

export const resourcesOf = (json: Synthesised['json'], type: string): [string, CfnResource][] =>
  Object.entries(json.Resources).filter(([, resource]) => resource.Type === type);
