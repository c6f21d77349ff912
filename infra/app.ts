/** Entry of the CDK command line (cdk.json): `npm run deploy` and every other `cdk` command run this. */
import { buildDeployment } from './deployment.ts';

buildDeployment(process.env).app.synth();
