/** A child process that synthesises the template: CDK takes 400 MB, which no stack must keep. */
import { writeFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { PassepartoutStack } from '../passepartout-stack.ts';
import { buildLocalSettings } from '../settings.ts';

const [space = '', outFile = ''] = process.argv.slice(2);
// CDK's own rules take 1.3 s; `npm run synth` and the tests apply them.
const app = new App({ analyticsReporting: false, treeMetadata: false, builtinCloudFormationValidation: false });
new PassepartoutStack(app, 'Passepartout', { settings: buildLocalSettings(space), isBundled: false });
writeFileSync(outFile, JSON.stringify(app.synth().getStackByName('Passepartout').template));
