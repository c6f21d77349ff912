/**
 * Whether a text is JavaScript or TypeScript: modules and scripts, top-level `await` and `return`, JSX where the language has
 * it, decorators of either kind. Syntax alone is judged, never types, and nothing is run. Pure.
 *
 * Node's own `stripTypeScriptTypes` was tried: deep nesting (a line of `[`) traps its WebAssembly for the rest of the process,
 * it knows no JSX, and its messages quote the code. This parser ends such a text with a RangeError and stays usable.
 */
import type { CodeLanguage } from '../../signal/facts.ts';
import type { Finding, FindProblem } from './finding.ts';
import type { CodeForm } from './proposed-code.ts';

type Babel = typeof import('@babel/parser');
type Options = NonNullable<Parameters<Babel['parse']>[1]>;
type Plugin = NonNullable<Options['plugins']>[number];

/** Right in other dialects, or only wrong in strict code: never a reason to refuse a file. */
const FORGIVEN: ReadonlySet<string> = new Set([
  'UnsupportedParameterDecorator',
  'StrictDelete',
  'StrictWith',
  'StrictOctalLiteral',
  'StrictNumericEscape',
  'StrictEvalArguments',
  'StrictEvalArgumentsBinding',
  'StrictFunction',
  'UndefinedPrivateName',
  'ModuleExportUndefined',
]);

const LANGUAGE_PLUGINS = (language: CodeLanguage, form: CodeForm, text: string): readonly Plugin[] => {
  if (language === 'typescript') {
    const typescript: Plugin = ['typescript', { dts: form === 'declarations' }];
    return form === 'markup' ? [typescript, 'jsx'] : [typescript];
  }
  return /^\s*(?:\/\/|\/\*+)[^\n]*@flow\b/m.test(text) ? ['jsx', 'flow'] : ['jsx'];
};

const optionsOf = (language: CodeLanguage, form: CodeForm, text: string): Options => ({
  sourceType: language === 'typescript' ? 'module' : 'unambiguous',
  errorRecovery: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  plugins: [...LANGUAGE_PLUGINS(language, form, text), 'decorators', 'decoratorAutoAccessors'],
});

interface SyntaxFault {
  readonly reasonCode: string;
  readonly loc: { readonly line: number };
}

const isFault = (error: unknown): error is SyntaxFault =>
  error instanceof SyntaxError && 'reasonCode' in error && 'loc' in error;

const findingOf = ({ loc }: SyntaxFault): Finding => ({ line: loc.line, problem: 'it does not parse' });

/** @param babel the parser, brought in by the caller. */
export const findScriptProblem =
  (babel: Babel, language: 'javascript' | 'typescript'): FindProblem =>
  (text, form): Finding => {
    try {
      const { errors } = babel.parse(text, optionsOf(language, form, text));
      const fault = (errors ?? []).filter(isFault).find(({ reasonCode }) => !FORGIVEN.has(reasonCode));
      return fault === undefined ? undefined : findingOf(fault);
    } catch (error) {
      if (isFault(error)) return findingOf(error);
      throw error;
    }
  };
