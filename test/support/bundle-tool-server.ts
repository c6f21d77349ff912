/** The server of tools as one file that Node runs. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const bundleToolServer = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./tool-server.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    write: false,
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return outputFiles[0]?.text ?? '';
};
