/** Entry of the CDK command line (`cdk.json`). */
import { ConfigError } from '../lib/core/base/errors.ts';
import { synthDeployment } from './deployment.ts';

try {
  synthDeployment(process.env);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
