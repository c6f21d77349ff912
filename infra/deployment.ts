/**
 * Builds the CDK app of a deployment: settings from the environment, functions bundled for real, cdk-nag over everything.
 * STACK_NAME lets several agents live in one account. Fails with a ConfigError before anything is built.
 */
import { App } from 'aws-cdk-lib';
import { ConfigError } from '../lib/errors.ts';
import { checkWithNag } from './nag.ts';
import { PassepartoutStack } from './passepartout-stack.ts';
import { parseStackSettings } from './settings.ts';

const STACK_NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;

export interface Deployment {
  readonly app: App;
  readonly stackName: string;
}

export const buildDeployment = (
  environment: Readonly<Record<string, string | undefined>>,
  outdir?: string,
): Deployment => {
  const stackName = environment.STACK_NAME || 'Passepartout';
  if (!STACK_NAME.test(stackName)) throw new ConfigError(['STACK_NAME: must be letters, digits or "-", from a letter']);
  // The metadata says which asset belongs to which function: `npm run synth` reads the bundles' sizes by it.
  const context = { 'aws:cdk:enable-asset-metadata': true };
  const app = new App({ context, ...(outdir === undefined ? {} : { outdir }) });
  const stack = new PassepartoutStack(app, stackName, { settings: parseStackSettings(environment), isBundled: true });
  checkWithNag(app, stack);
  return { app, stackName };
};
