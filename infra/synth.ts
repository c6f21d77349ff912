/** `npm run synth`: writes template and bundled functions to cdk.out, and prints their sizes. */
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ConfigError } from '../lib/core/base/errors.ts';
import { PARTS_BESIDE, ROOT } from './bundling.ts';
import { synthDeployment } from './deployment.ts';

const PARTS = new Set(PARTS_BESIDE.map(({ name }) => `${name}.mjs`));

const bundleLines = (outdir: string, assets: ReadonlyMap<string, string>): readonly string[] =>
  [...assets].map(([name, asset]) => {
    const files = readdirSync(join(outdir, asset)).filter((file) => file.endsWith('.mjs') && !PARTS.has(file));
    const bytes = files.reduce((sum, file) => sum + statSync(join(outdir, asset, file)).size, 0);
    return `  ${name.padEnd(12)} ${(bytes / 1024).toFixed(0).padStart(5)} KB`;
  });

const main = (): void => {
  const { assembly, stack, template } = synthDeployment(process.env, join(ROOT, 'cdk.out'));
  const assets = new Map<string, string>();
  for (const resource of Object.values(template.Resources)) {
    const name = resource.Metadata?.passepartout?.name;
    const asset = resource.Metadata?.['aws:asset:path'];
    if (name !== undefined && asset !== undefined) assets.set(name, asset);
  }
  console.log(`template: ${relative(process.cwd(), stack.templateFullPath)}`);
  console.log(
    `bundles, minified, with the chunks that are loaded only when needed:\n${bundleLines(assembly.directory, assets).join('\n')}`,
  );
};

try {
  main();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
