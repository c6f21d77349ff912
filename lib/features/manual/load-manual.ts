/** Loads the manual once: from the file beside the bundle, or made of the sources themselves. */
import { readFile } from 'node:fs/promises';
import { once } from '../../core/base/once.ts';
import { MANUAL_FILE, Manual } from './manual.ts';
import { buildManualIndex, type ManualIndex } from './search-manual.ts';

const IS_SOURCE = import.meta.url.endsWith('.ts');
const URL_OF_PART = new URL(IS_SOURCE ? './build-manual.ts' : `./${MANUAL_FILE}`, import.meta.url);

const readPart = async (): Promise<unknown> => {
  if (!IS_SOURCE) return JSON.parse(await readFile(URL_OF_PART, 'utf8'));
  const part: { readonly buildManual?: () => unknown } = await import(URL_OF_PART.href);
  return part.buildManual?.();
};

/** @throws if the file is missing */
export const loadManual: () => Promise<ManualIndex> = once(async () =>
  buildManualIndex(Manual.parse(await readPart())),
);
