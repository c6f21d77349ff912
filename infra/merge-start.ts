/**
 * Puts all chunks that a bundle imports at once into its entry: a function that starts reads, links and compiles one file instead
 * of a dozen or three, a fifth of Act's start. Takes what esbuild has split; gives `index.mjs` and, as they were, the chunks
 * for later, which find what they share with the start in `index.mjs`. Every module is still there once. Throws with esbuild's messages.
 */
import { basename } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

const ENTRY = 'index.mjs';
const START = 'start';

/** By file name: what each chunk exports, and whether it is imported before the entry's first line runs. */
export interface SplitCode {
  readonly folder: string;
  readonly exports: ReadonlyMap<string, readonly string[]>;
  readonly start: ReadonlySet<string>;
  /** Sources of those, from the repository's root. */
  readonly startInputs: readonly string[];
}

/** @param folder absolute, where esbuild wrote what `metafile` tells of, all side by side */
export const readSplitCode = ({ outputs }: Metafile, folder: string): SplitCode => {
  const chunks = Object.entries(outputs).filter(([path]) => path.endsWith('.mjs'));
  const importsOf = new Map(
    chunks.map(([path, { imports }]) => [
      basename(path),
      imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true),
    ]),
  );
  const start = new Set([ENTRY]);
  for (const file of start) for (const { path } of importsOf.get(file) ?? []) start.add(basename(path));
  const startInputs = chunks.flatMap(([path, { inputs }]) => (start.has(basename(path)) ? Object.keys(inputs) : []));
  return {
    folder,
    start,
    startInputs,
    exports: new Map(chunks.map(([path, { exports }]) => [basename(path), exports])),
  };
};

/** `export {…} from` lines: every chunk's export under a name that none of the others has. */
const buildNames = ({ start, exports }: SplitCode): ReadonlyMap<string, readonly (readonly [string, string])[]> => {
  let count = 0;
  const nameOf = (): string => `$${(count++).toString(36)}`;
  const chunks = [...start].filter((file) => file !== ENTRY);
  return new Map(chunks.map((file) => [file, (exports.get(file) ?? []).map((name) => [name, nameOf()] as const)]));
};

const mergePlugin = (code: SplitCode): Plugin => {
  const names = buildNames(code);
  const whole = [
    `export * from './${ENTRY}';`,
    ...[...names].map(([file, list]) => `export {${list.map((pair) => pair.join(' as '))}} from './${file}';`),
  ].join('\n');
  const part = (file: string): string =>
    `export {${(names.get(file) ?? []).map(([name, merged]) => `${merged} as ${name}`)}} from './${ENTRY}';`;
  return {
    name: 'merge-start',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^start$/ }, () => ({ path: START, namespace: START }));
      onResolve({ filter: /^\.\/[^/]+\.mjs$/ }, ({ path, importer, namespace }) => {
        const file = basename(path);
        if (namespace === START && importer !== START) return { path, external: true };
        if (!code.start.has(file)) return { path, external: true };
        const isAtStart = importer === START || code.start.has(basename(importer));
        return isAtStart ? undefined : { path: file, namespace: START };
      });
      onLoad({ filter: /./, namespace: START }, ({ path }) => ({
        contents: path === START ? whole : part(path),
        resolveDir: code.folder,
      }));
    },
  };
};

/** @param options what is set for every bundle; @param outdir absolute */
export const mergeStart = async (code: SplitCode, options: BuildOptions, outdir: string): Promise<void> => {
  const later = [...code.exports.keys()].filter((file) => !code.start.has(file));
  await build({
    ...options,
    splitting: false,
    entryPoints: [
      { in: START, out: basename(ENTRY, '.mjs') },
      ...later.map((file) => ({ in: `${code.folder}/${file}`, out: basename(file, '.mjs') })),
    ],
    outdir,
    plugins: [mergePlugin(code)],
  });
};
