/**
 * The corpus of foreign bytes: each file of a folder is one input in our own words, as another
 * program sends it, with the reading it must have and by whose word (`by`: a standard, a document,
 * what a maintainer said). A new report is one more file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';

/** @returns the cases of an edge by their file's name @throws if a file is not of the form */
export const readCases = <Schema extends z.ZodType>(
  edge: string,
  schema: Schema,
): readonly (z.output<Schema> & { readonly name: string })[] => {
  const folder = new URL(`${edge}/`, import.meta.url);
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const read = schema.safeParse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
      if (!read.success) throw new Error(`${edge}/${file}: ${z.prettifyError(read.error)}`);
      return Object.assign(Object(read.data), { name: file.replace(/\.json$/, '') });
    });
};
