/**
 * Builds the real code of all functions for the simulator: one module that exports, for each
 * function, `start`, which runs the handler's file anew as a new Lambda environment does. Only what
 * touches the machine is replaced: the AWS clients' wire, outgoing HTTP, randomness and sleeps.
 * A planted bug is a patch of one real file; it must fit exactly once.
 */
import { copyFileSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { BUNDLE_OPTIONS, PARTS_BESIDE, partFiles, ROOT } from '../../infra/bundling.ts';
import { entryOf } from '../../infra/functions.ts';
import { FUNCTION_NAMES, type FunctionName } from '../../lib/core/store/settings.ts';

/** Replaces `find` by `put` in one file of the product. */
export interface Patch {
  /** From the repository's root. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
  /** The file may be no part of the functions. */
  readonly isOptional?: boolean;
}

/** Modules of the product and of Node that a run must own. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/^node:crypto$/, 'test/simulate/machine/crypto.ts'],
  [/^node:timers\/promises$/, 'test/simulate/machine/sleep.ts'],
  [/\/store\/clients\.ts$|^\.\/clients\.ts$/, 'test/simulate/machine/clients.ts'],
  [/\/http\/outgoing\.ts$/, 'test/simulate/machine/outgoing.ts'],
  [/\/http\/resolve-addresses\.ts$/, 'test/simulate/machine/outgoing.ts'],
];

const IMPORTS = /^(?:import [\s\S]*? from '[^']+';\n|\s|\/\*[\s\S]*?\*\/|\/\/.*\n)*/;

/** The body of a handler's file as a function, so that it can run more than once. */
const asStart = (source: string): string => {
  const imports = IMPORTS.exec(source)?.[0] ?? '';
  const body = source.slice(imports.length).replace('export const handler', 'const handler');
  return `${imports}\nexport const start = async () => {\n${body}\nreturn handler;\n};\n`;
};

/** @throws if it does not fit exactly once */
export const applyPatch = (source: string, { file, find, put }: Patch): string => {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`the patch of ${file} fits ${parts.length - 1} places, not one: ${find}`);
  return parts.join(put);
};

const buildPlugin = (patches: readonly Patch[], unused: Set<Patch>): Plugin => ({
  name: 'simulator',
  setup: ({ onResolve, onLoad }) => {
    for (const [filter, path] of REPLACED)
      onResolve({ filter }, ({ importer }) =>
        importer.includes('/node_modules/')
          ? undefined
          : { path: pathToFileURL(join(ROOT, path)).href, external: true },
      );
    onLoad({ filter: /\/(lib|functions)\/.*\.ts$/ }, ({ path }) => {
      if (path.includes('/node_modules/')) return undefined;
      const mine = patches.filter(({ file }) => path === join(ROOT, file));
      for (const patch of mine) unused.delete(patch);
      const source = mine.reduce(applyPatch, readFileSync(path, 'utf8'));
      return { contents: path.endsWith('/handler.ts') ? asStart(source) : source, loader: 'ts' };
    });
  },
});

const ENTRY = [
  ...FUNCTION_NAMES.map((name, n) => `import { start as start${n} } from './${entryOf(name)}';`),
  `export const starts = { ${FUNCTION_NAMES.map((name, n) => `'${name}': start${n}`).join(', ')} };`,
  "export { collectExport } from './lib/core/log/collect-export.ts';",
  "export { buildExportLines } from './lib/core/log/export-lines.ts';",
  "export { buildTableSource } from './lib/core/log/source.ts';",
  "export { buildTable } from './lib/core/store/table.ts';",
  "export { loadSandbox } from './lib/core/sandbox/sandbox.ts';",
  "export { GATE_SET } from './lib/core/gates/engine/gate-set.ts';",
  "export { gateSetContent } from './lib/core/gates/engine/gate-set-content.ts';",
].join('\n');

/** A handler, as Lambda calls it. */
export type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/** The product, loaded. */
export interface Product extends Pick<typeof import('../../lib/core/log/collect-export.ts'), 'collectExport'> {
  readonly starts: Readonly<Record<FunctionName, () => Promise<Handler>>>;
  readonly buildExportLines: typeof import('../../lib/core/log/export-lines.ts').buildExportLines;
  readonly buildTableSource: typeof import('../../lib/core/log/source.ts').buildTableSource;
  readonly buildTable: typeof import('../../lib/core/store/table.ts').buildTable;
  readonly loadSandbox: () => Promise<unknown>;
  readonly GATE_SET: typeof import('../../lib/core/gates/engine/gate-set.ts').GATE_SET;
  readonly gateSetContent: typeof import('../../lib/core/gates/engine/gate-set-content.ts').gateSetContent;
}

let built = 0;

/** @throws if a patch does not fit, or the code does not build */
export const loadProduct = async (patches: readonly Patch[] = []): Promise<Product> => {
  // Under node_modules, so that packages are found from there.
  built += 1;
  const outfile = join(ROOT, `node_modules/.cache/simulate/${process.pid}-${built}/product.mjs`);
  const unused = new Set(patches);
  await build({
    absWorkingDir: ROOT,
    stdin: { contents: ENTRY, resolveDir: ROOT, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    packages: 'external',
    sourcemap: 'inline',
    plugins: [buildPlugin(patches, unused)],
  });
  await build({
    ...BUNDLE_OPTIONS,
    splitting: false,
    entryPoints: Object.fromEntries(PARTS_BESIDE.map(({ name, entry }) => [name, entry])),
    outdir: dirname(outfile),
  });
  for (const file of partFiles()) copyFileSync(file, join(dirname(outfile), basename(file)));
  for (const { file, isOptional } of unused)
    if (isOptional !== true) throw new Error(`the patched file ${file} is no part of the product`);
  return import(pathToFileURL(outfile).href);
};
