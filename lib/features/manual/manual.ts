/**
 * The manual: passages that say how the product is used. Pages name one thing each that a person
 * can do, verbs come from the operations, and the rest is cut from the documents. It is made when a
 * bundle is built and lies beside it as a file (`load-manual.ts`).
 */

export interface Passage {
  readonly kind: 'page' | 'verb' | 'document';
  readonly title: string;
  /** Words that people may ask in, which the text does not use. */
  readonly words: string;
  readonly text: string;
  /** Title and text in German; the same as those above if absent. */
  readonly german?: { readonly title: string; readonly text: string };
  /** The document that says more, from the root; `#` begins a section. */
  readonly see: string;
}

/** The name of the file beside a bundle: a list of passages in JSON. */
export const MANUAL_FILE = 'manual.json';
