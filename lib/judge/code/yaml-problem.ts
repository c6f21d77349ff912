/**
 * Whether a text is YAML, all its documents: unknown tags are somebody else's (`!Ref`, `!vault`) and fine, keys given twice
 * and aliases of nothing are not. Aliases that would multiply into a bomb are refused by counting, before they do. Pure.
 */
import type { Finding, FindProblem } from './finding.ts';

/** Uses of one alias in proposed YAML, what it stands for multiplied in: honest files repeat a block some dozen times. */
const YAML_ALIASES_MAX = 1_000;

type Yaml = typeof import('yaml');

const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['DUPLICATE_KEY', 'a key is given twice'],
  ['TAB_AS_INDENT', 'it is indented with tabs'],
  ['BAD_INDENT', 'its indentation does not fit'],
  ['RESOURCE_EXHAUSTION', 'it is nested too deeply to be judged'],
]);

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

interface Resolvable {
  readonly toJS: (options: { readonly maxAliasCount: number }) => unknown;
}

const aliasProblem = (yaml: Yaml, document: Resolvable): string | undefined => {
  try {
    document.toJS({ maxAliasCount: YAML_ALIASES_MAX });
    return undefined;
  } catch (error) {
    if (error instanceof yaml.YAMLError || error instanceof ReferenceError) return 'its aliases cannot be resolved';
    throw error;
  }
};

/** @param yaml the parser, brought in by the caller. */
export const findYamlProblem =
  (yaml: Yaml): FindProblem =>
  (text): Finding => {
    const documents = yaml.parseAllDocuments(text, { prettyErrors: false, logLevel: 'silent' });
    for (const document of documents) {
      const [error] = document.errors;
      if (error !== undefined)
        return { line: lineAt(text, error.pos[0]), problem: PROBLEMS.get(error.code) ?? 'it is not YAML' };
    }
    for (const document of documents) {
      const problem = aliasProblem(yaml, document);
      if (problem !== undefined) return { line: lineAt(text, document.range[0]), problem };
    }
    return undefined;
  };
