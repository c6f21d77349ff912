/**
 * Finds what is wrong with proposed code: the fact that the gate `code-validity` judges by. Only
 * parses, never runs. Says where and what in fixed words, never a part of the code (I11). Never
 * throws: if code cannot be judged in time, that is its problem. Parsers are loaded with the first
 * code of their language, and stand beside the bundles.
 */

import { runInNewContext } from 'node:vm';
import type * as BabelParser from '@babel/parser';
import type * as YamlParser from 'yaml';
import { ACTION_BYTES_MAX, KIB, SECOND_MS } from '../../base/limits.ts';
import type { CodeProblem } from '../../signal/facts.ts';
import { type Cedar, importCedar } from './cedar-engine.ts';
import { checkMarkdown, checkOrg, frontMatterOf } from './check-notes.ts';
import type { ProposedCode } from './proposed-code.ts';

/** The first fault: a line of the code, from 1, and what is wrong there; undefined if it parses. */
type CodeFault = Pick<CodeProblem, 'line' | 'problem'> | undefined;

/** Some texts take a parser for ever, such as `<T>(` in itself thirty times. */
const PARSE_MS_MAX = 2 * SECOND_MS;
/** Beside it, for long files: parsers are twenty times as fast. */
const PARSE_MS_PER_KIB = 1;

/** @throws after the time that honest code of this length never takes */
const inTime = <Value>({ text }: ProposedCode, run: () => Value): Value =>
  runInNewContext('run()', { run }, { timeout: PARSE_MS_MAX + Math.ceil((text.length / KIB) * PARSE_MS_PER_KIB) });

const faultOf = (error: unknown): string => {
  if (error instanceof RangeError) return 'it is nested too deeply to be judged';
  // This error comes from the other context: it is no instance of our own class.
  const { code }: { readonly code?: unknown } = Object(error);
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'it takes too long to be judged' : 'nothing here can judge it';
};

/** Longer code is not parsed: of an action, its size blocks it already. */
export const findCodeProblem = async (
  code: ProposedCode,
  charsMax: number = ACTION_BYTES_MAX,
): Promise<CodeProblem | undefined> => {
  if (code.text.length > charsMax) return undefined;
  const found = await parse(code).catch((error: unknown) => ({ line: 1, problem: faultOf(error) }));
  return found && { language: code.language, line: found.line + code.linesBefore, problem: found.problem };
};

/** @throws if a parser is missing, or code is nested deeper or takes longer than it may */
const parse = async (code: ProposedCode): Promise<CodeFault> => {
  switch (code.language) {
    case 'json':
      return parseJson(code);
    case 'yaml':
      return parseYaml(await loadYaml(), code);
    case 'javascript':
    case 'typescript':
      return parseScript(await import('@babel/parser'), code);
    case 'cedar':
      return parseCedar(await importCedar(), code);
    case 'org':
      return checkOrg(code.text);
    case 'markdown':
      return parseMarkdown(code);
    default:
      return code.language satisfies never;
  }
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Messages of the engine quote the text, so the fault of a single value is reported in line 1. */
const parseJson = ({ text, form }: ProposedCode): CodeFault => {
  // Programs skip a byte order mark.
  const marked = text.startsWith('\ufeff') ? text.slice(1) : text;
  const lines = form === 'lines' ? marked.split('\n') : [marked];
  const bad = lines.findIndex((line) => (form !== 'lines' || line.trim() !== '') && !isJson(line));
  return bad < 0 ? undefined : { line: bad + 1, problem: 'it is not JSON' };
};

/** Honest YAML repeats a block some dozen times; an alias counts with all that it stands for. */
const YAML_ALIASES_MAX = 1_000;

type Yaml = typeof YamlParser;
const loadYaml = (): Promise<Yaml> => import('yaml');

const YAML_PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['DUPLICATE_KEY', 'a key is given twice'],
  ['TAB_AS_INDENT', 'it is indented with tabs'],
  ['BAD_INDENT', 'its indentation does not fit'],
  ['RESOURCE_EXHAUSTION', 'it is nested too deeply to be judged'],
]);

/** Unknown tags (`!Ref`) are fine; aliases that would multiply into a bomb are refused. */
const parseYaml = (yaml: Yaml, code: ProposedCode): CodeFault => inTime(code, () => findYamlFault(yaml, code));

const findYamlFault = (yaml: Yaml, { text }: ProposedCode): CodeFault => {
  const documents = yaml.parseAllDocuments(text, { prettyErrors: false, logLevel: 'silent' });
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  for (const { errors } of documents) {
    const [error] = errors;
    if (error !== undefined)
      return { line: lineAt(error.pos[0]), problem: YAML_PROBLEMS.get(error.code) ?? 'it is not YAML' };
  }
  for (const document of documents) {
    try {
      document.toJS({ maxAliasCount: YAML_ALIASES_MAX });
    } catch (error) {
      if (!(error instanceof yaml.YAMLError || error instanceof ReferenceError)) throw error;
      return { line: lineAt(document.range[0]), problem: 'its aliases cannot be resolved' };
    }
  }
  return undefined;
};

/** The front matter is YAML. */
const parseMarkdown = async (code: ProposedCode): Promise<CodeFault> => {
  const text = frontMatterOf(code.text);
  const found = text === undefined ? undefined : parseYaml(await loadYaml(), { ...code, text });
  return found === undefined ? checkMarkdown(code.text) : { ...found, line: found.line + 1 };
};

type Babel = typeof BabelParser;
type Options = NonNullable<Parameters<Babel['parse']>[1]>;
type Plugin = NonNullable<Options['plugins']>[number];

/** Faults that are right in other dialects, or wrong only in strict code. */
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

const scriptPlugins = ({ language, form, text }: ProposedCode): readonly Plugin[] => {
  if (language === 'typescript') {
    const typescript: Plugin = ['typescript', { dts: form === 'declarations' }];
    return form === 'markup' ? [typescript, 'jsx'] : [typescript];
  }
  return /^\s*(?:\/\/|\/\*+)[^\n]*@flow\b/m.test(text) ? ['jsx', 'flow'] : ['jsx'];
};

interface SyntaxFault {
  readonly reasonCode: string;
  readonly loc: { readonly line: number };
}

const isFault = (error: unknown): error is SyntaxFault =>
  error instanceof SyntaxError && 'reasonCode' in error && 'loc' in error;

/**
 * Modules and scripts, top-level `await` and `return`, JSX, decorators of either kind. Types are
 * not judged. Node's `stripTypeScriptTypes` does not serve: deep nesting traps its WebAssembly for
 * the rest of the process, it knows no JSX, and its messages quote the code.
 */
const parseScript = (babel: Babel, code: ProposedCode): CodeFault => {
  const findingOf = ({ loc }: SyntaxFault): CodeFault => ({ line: loc.line, problem: 'it does not parse' });
  try {
    const options: Options = {
      sourceType: code.language === 'typescript' ? 'module' : 'unambiguous',
      errorRecovery: true,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      plugins: [...scriptPlugins(code), 'decorators', 'decoratorAutoAccessors'],
    };
    const { errors } = inTime(code, () => babel.parse(code.text, options));
    const fault = (errors ?? []).filter(isFault).find(({ reasonCode }) => !FORGIVEN.has(reasonCode));
    return fault && findingOf(fault);
  } catch (error) {
    if (isFault(error)) return findingOf(error);
    throw error;
  }
};

/** Syntax only: `policy check` says whether a policy fits the schema of this space. */
const parseCedar = (cedar: Cedar, { text, form }: ProposedCode): CodeFault => {
  const answer = form === 'schema' ? cedar.checkParseSchema(text) : cedar.checkParsePolicySet({ staticPolicies: text });
  if (answer.type === 'success') return undefined;
  const start = answer.errors[0]?.sourceLocations?.[0]?.start ?? 0;
  // Cedar counts bytes of UTF-8.
  const before = Buffer.from(text, 'utf8').subarray(0, start).toString('utf8');
  return { line: before.split('\n').length, problem: 'it does not parse' };
};
