/**
 * The manual: passages that say how the product is used. Pages name one thing each that a person
 * can do, verbs are operations and commands of documents, and the rest is cut from documents. It is
 * made when a bundle is built and lies beside it as a file (`load-manual.ts`).
 */
import * as z from 'zod/mini';

const Passage = z.strictObject({
  kind: z.enum(['page', 'verb', 'document']),
  title: z.string(),
  /** Words that people may ask in, which the text does not use. */
  words: z.string(),
  text: z.string(),
  /** Title and text in German; the same as those above if absent. */
  german: z.optional(z.strictObject({ title: z.string(), text: z.string() })),
  /** The document that says more, from the root; `#` begins a section. */
  see: z.string(),
});
export type Passage = z.infer<typeof Passage>;

export const Manual = z.array(Passage);
export type Manual = readonly Passage[];

/** The name of the file beside a bundle: a manual in JSON. */
export const MANUAL_FILE = 'manual.json';
