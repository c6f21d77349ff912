/** What a bundle weighs, and what of it is loaded at the start. */
import { basename } from 'node:path';
import type { Metafile } from 'esbuild';

export interface BuiltBundle {
  /** Bytes that are loaded before the first line runs. */
  readonly startBytes: number;
  /** The bytes loaded at the start and the bytes of all chunks that load later. */
  readonly allBytes: number;
  /** Source files of the whole bundle, from the repository's root. */
  readonly inputs: readonly string[];
  /** The source files that are loaded at the start. */
  readonly startInputs: readonly string[];
}

const ENTRY = 'index.mjs';

export const measureBundle = ({ inputs, outputs }: Metafile): BuiltBundle => {
  const files = new Map(
    Object.entries(outputs).flatMap(([path, output]) => (path.endsWith('.mjs') ? [[basename(path), output]] : [])),
  );
  const start = new Set([ENTRY]);
  for (const file of start) {
    for (const { path, kind, external } of files.get(file)?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) start.add(basename(path));
    }
  }
  const sizes = [...files].map(([file, { bytes }]) => ({ bytes, isStart: start.has(file) }));
  return {
    startBytes: sizes.reduce((sum, { bytes, isStart }) => sum + (isStart ? bytes : 0), 0),
    allBytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    inputs: Object.keys(inputs),
    startInputs: [...start].flatMap((file) => Object.keys(files.get(file)?.inputs ?? {})),
  };
};
