/** A page of the manual: one thing that a person can do. A feature brings its own. */
export interface ManualPage {
  readonly title: string;
  readonly german: string;
  /** Words that people may ask in, English and German. */
  readonly words: string;
  /** Names of operations, whose form and sentence the page shows. */
  readonly verbs?: readonly string[];
  /** Other commands, and what each does in English and in German. */
  readonly steps?: readonly (readonly [command: string, english: string, german: string])[];
  /** The document that says more, from the root; `#` begins a section. */
  readonly see: string;
}
