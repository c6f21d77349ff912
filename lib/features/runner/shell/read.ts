/**
 * Reads a shell script into the runs it would start, in order, with the variables it sets itself.
 * Only this file knows the parser, unbash. Pure.
 */

import {
  type Assignment,
  type Command,
  forEachChild,
  type Pipeline,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import { KIB } from '../../../core/base/limits.ts';
import { outputOf, PROCESS_FILE, type Redirected, type Run, SPLIT, UNKNOWN } from './program-run.ts';

/** Runs of one command, and words of one run: many times more than a person reviews. */
const SHELL_RUNS_MAX = 256;
const SHELL_WORDS_MAX = 256;
const SHELL_TEXT_CHARS_MAX = 16 * KIB;

export interface Reading {
  readonly runs: readonly Run[];
  readonly definesFunctions: boolean;
  /** Variables that it sets, of any kind. */
  readonly assigned: ReadonlySet<string>;
  /** It evaluates the value of a variable as code: `${x@P}`, or arithmetic over unknown text. */
  readonly evaluatesText: boolean;
  /** It has letters that nobody sees, or a program whose name only looks like another. */
  readonly isDisguised: boolean;
  readonly isReadable: boolean;
}

interface Scene {
  readonly found: Run[];
  readonly variables: Map<string, string>;
  readonly assigned: Set<string>;
  readonly links: ReadonlySet<SyntaxNode>;
  readonly globs: Set<string>;
  /** Commands that surely run. */
  readonly sure: ReadonlySet<SyntaxNode>;
  /** All values of a variable, with '' where it may stay unset; loops apart. */
  readonly values: Map<string, Set<string>>;
  readonly loops: Set<string>;
  /** Variables that may hold more than what was set last. */
  readonly open: ReadonlySet<string>;
  definesFunctions: boolean;
  evaluatesText: boolean;
  isDisguised: boolean;
}

/** Values that every shell sets. */
const AMBIENT: Readonly<Record<string, string>> = {
  HOME: '~',
  PWD: '.',
  IFS: ' ',
  OLDPWD: UNKNOWN,
  ...Object.fromEntries(['?', '#', '$', '!', 'RANDOM', 'SECONDS', 'UID'].map((name) => [name, '1'])),
};
const BEYOND_ASCII = /[\u0080-\uffff]/;
const INVISIBLE = /\p{Cf}/gu;
const foldWord = (word: string): string =>
  BEYOND_ASCII.test(word) ? word.toWellFormed().normalize('NFKC').replace(INVISIBLE, '') : word;

const variableOf = (name: string, { variables, open }: Scene): string =>
  open.has(name) ? UNKNOWN : (variables.get(name) ?? AMBIENT[name] ?? UNKNOWN);

const NUMBER = /^-?\d*$/;

/** Variables that a later or other branch may set otherwise, or leave unset. */
const openNames = ({ values, loops }: Scene): ReadonlySet<string> => {
  const isOpen = ([name, all]: readonly [string, ReadonlySet<string>]): boolean =>
    loops.has(name) || (all.size > 1 && ![...all].every((value) => NUMBER.test(value)));
  return new Set([...values].filter(isOpen).map(([name]) => name));
};

const note = (name: string, value: string, scene: Scene, isSure: boolean): void => {
  const all = scene.values.get(name) ?? new Set();
  scene.values.set(name, all.add(value));
  if (!isSure) all.add('');
};

type ParameterPart = Extract<WordPart, { type: 'ParameterExpansion' }>;

const parameterOf = (part: ParameterPart, scene: Scene): string => {
  const { operation, prefix, parameter } = part;
  const value = variableOf(parameter, scene);
  if (prefix === '#') return '1';
  // The index of a name that nobody knows is counted out: `${!x}`.
  if (prefix === '!' && part.index === undefined && !/^\w+$/.test(value)) scene.evaluatesText = true;
  if (prefix === '!') return variableOf(value, scene);
  if (part.index !== undefined && !/^[@*]$/.test(part.index.value)) {
    noteArithmetic(expand(part.index, scene).join(' '), scene);
    return UNKNOWN;
  }
  if (operation === undefined) return value;
  if (operation.type === 'Transform' || operation.type === 'Unknown') scene.evaluatesText = true;
  if (operation.type === 'Slice')
    for (const count of [operation.offset, operation.length])
      if (count !== undefined) noteArithmetic(expand(count, scene).join(' '), scene);
  if (operation.type !== 'Default') {
    forEachChild(operation, (child) => visit(child, scene, []));
    return UNKNOWN;
  }
  if (/=/.test(operation.operator)) scene.assigned.add(parameter);
  expand(operation.operand, scene);
  return value === '' || /\+/.test(operation.operator) ? UNKNOWN : value;
};

/** Reads the script; gives its output if that is known. */
const substitute = (script: SyntaxNode | undefined, scene: Scene): string => {
  if (script === undefined) return UNKNOWN;
  if ('errors' in script && script.errors !== undefined && script.errors.length > 0) scene.evaluatesText = true;
  const start = scene.found.length;
  visit(script, scene, []);
  const inside = scene.found.slice(start);
  const last = inside.at(-1);
  const isOneLine = inside.every((run) => run === last || last?.upstream.includes(run));
  return (isOneLine && last !== undefined ? outputOf(last) : undefined) ?? UNKNOWN;
};

/** `{a,b}` → a, b. Nested braces and ranges are unknown. */
const alternativesOf = (text: string): readonly string[] => {
  const inside = text.slice(1, -1);
  return inside.includes('{') || !inside.includes(',') ? [UNKNOWN] : inside.split(',');
};

const partText = (part: WordPart, scene: Scene): string => {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map((child) => partText(child, scene)).join('');
    case 'SimpleExpansion':
      return variableOf(part.text.slice(1), scene);
    case 'ParameterExpansion':
      return parameterOf(part, scene);
    case 'CommandExpansion':
      return substitute(part.script, scene);
    case 'ProcessSubstitution':
      substitute(part.script, scene);
      return PROCESS_FILE;
    case 'ArithmeticExpansion':
      if (part.expression !== undefined) visit(part.expression, scene, []);
      scene.evaluatesText ||= !isCounting(part.text, scene);
      return '1';
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return part.text;
    default:
      part satisfies never;
      return UNKNOWN;
  }
};

/** Variables that double each other would fill memory, so a longer value is unknown. */
const grown = (text: string): string => (text.length > SHELL_TEXT_CHARS_MAX ? UNKNOWN : text);

const SPLIT_TYPES: ReadonlySet<string> = new Set(['SimpleExpansion', 'ParameterExpansion', 'CommandExpansion']);

/** `"${list[@]}"` is several words although it is quoted. */
const isList = (part: WordPart): boolean => {
  if (part.type === 'DoubleQuoted') return part.parts.length === 1 && part.parts.some((child) => isList(child));
  if (part.type === 'SimpleExpansion') return part.text === '$@';
  return part.type === 'ParameterExpansion' && (part.index?.value === '@' || part.parameter === '@');
};

/** The words that a word becomes: braces multiply it, and unquoted values split at white space. */
const expand = (word: Word, scene: Scene, isName = false): readonly string[] => {
  let words: string[] = [word.parts === undefined ? word.value : ''];
  let isSplit = false;
  for (const part of word.parts ?? []) {
    // The parser leaves what stands in a pattern or in braces as it is.
    if (/^(?:Glob|ExtendedGlob|BraceExpansion)$/.test(part.type) && /\$\(|`|[<>]\(|\$\{/.test(part.text))
      scene.evaluatesText = true;
    if (part.type === 'BraceExpansion') {
      const alternatives = alternativesOf(part.text);
      words = words.flatMap((start) => alternatives.map((end) => `${start}${end}`)).slice(0, SHELL_WORDS_MAX);
      continue;
    }
    const value = partText(part, scene);
    const isOpen = isList(part) || SPLIT_TYPES.has(part.type);
    const text = isOpen && value.includes(UNKNOWN) ? `${value}${SPLIT}` : value;
    isSplit ||= isList(part) || (isOpen && /\s/.test(text));
    words = words.map((start) => grown(`${start}${text}`));
  }
  const all = isSplit ? words.flatMap((each) => each.split(/\s+/)).filter((each) => each !== '') : words;
  // A value without quotes is a pattern too: `x='*'; ls $x`.
  const isGlob = (word.parts ?? []).some(({ type }) => /Glob$/.test(type) || SPLIT_TYPES.has(type));
  if (isGlob) for (const each of all) if (/^(?:[*?[]|[@+!]\()/.test(each)) scene.globs.add(each);
  return all.slice(0, SHELL_WORDS_MAX).map((each) => {
    const folded = foldWord(each);
    scene.isDisguised ||= folded !== each && (isName || each.search(INVISIBLE) >= 0);
    return folded;
  });
};

/** Sets the variable; gives the assignment as a program would get it. */
const assign = (assignment: Assignment, scene: Scene, isSure = false): string => {
  const { value, name } = assignment;
  scene.assigned.add(name);
  const index = assignment.index && expand(assignment.index, scene).join(' ');
  if (index !== undefined) noteArithmetic(index, scene);
  const text = (value.type === 'Word' ? [value] : value.elements)
    .flatMap((word) => expand(word, scene))
    .join(' ')
    .replaceAll(SPLIT, '');
  const gap = value.type === 'Word' ? '' : ' ';
  const before = assignment.append === true ? `${scene.variables.get(name) ?? ''}${gap}` : '';
  scene.variables.set(name, grown(`${before}${text}`));
  note(name, grown(`${before}${text}`), scene, isSure);
  return `${name}=${text}`;
};

const redirectsOf = (list: readonly Redirection[], scene: Scene): readonly Redirected[] =>
  list.flatMap((one) => {
    if (one.type === 'HereDoc') {
      for (const part of one.body.parts ?? []) partText(part, scene);
      return [];
    }
    const target = one.target === undefined ? undefined : expand(one.target, scene).join(' ');
    return target === undefined || one.type === 'HereString' ? [] : [{ operator: one.operator, target }];
  });

const visitCommand = (command: Command, scene: Scene, upstream: readonly Run[]): void => {
  const prefix = command.prefix.filter((one): one is Assignment => one.type === 'Assignment');
  const isSure = scene.sure.has(command);
  for (const one of prefix) {
    // This one counts for the line alone that `read` takes apart.
    if (one.name === 'IFS' && command.name?.value === 'read' && one.value.type === 'Word') expand(one.value, scene);
    else assign(one, scene, isSure && command.name === undefined);
  }
  const words = command.name === undefined ? [] : [...expand(command.name, scene, true)];
  for (const argument of command.args) {
    if (argument.type === 'Word') words.push(...expand(argument, scene));
    else words.push(assign(argument, scene, isSure));
  }
  if (words.some((word) => /^(?:read|mapfile|readarray|getopts|unset)$/.test(word)))
    for (const word of words) if (/^\w+$/.test(word)) note(word, UNKNOWN, scene, false);
  const redirects = redirectsOf(command.redirects, scene);
  if (words.length === 0 && redirects.length === 0) return;
  const known = { words, redirects, upstream, globs: scene.globs };
  scene.found.push({ ...known, ...(scene.links.has(command) && { isSure: true }) });
};

const visitPipeline = (pipeline: Pipeline, scene: Scene, upstream: readonly Run[]): void => {
  let before = upstream;
  for (const command of pipeline.commands) {
    const start = scene.found.length;
    visit(command, scene, before);
    before = [...before, ...scene.found.slice(start)];
  }
};

const visitLoop = (
  node: Extract<SyntaxNode, { type: 'For' | 'Select' }>,
  scene: Scene,
  upstream: readonly Run[],
): void => {
  const values = node.wordlist?.flatMap((word) => expand(word, scene)) ?? [UNKNOWN];
  for (const value of values.slice(0, SHELL_WORDS_MAX)) {
    if (scene.found.length > SHELL_RUNS_MAX) return;
    scene.variables.set(node.name.value, value.replaceAll(SPLIT, ''));
    scene.loops.add(node.name.value);
    scene.assigned.add(node.name.value);
    visit(node.body, scene, upstream);
  }
};

/** Bash evaluates the text of a variable in arithmetic: `a[$(rm x)]` runs rm. */
const noteArithmetic = (text: string, scene: Scene): void => {
  if (!/^\s*-?(?:0x[0-9a-f]+|\d+#\w+|\d*)\s*$/i.test(text)) scene.evaluatesText = true;
};

/** `$((n + 1))` over numbers and variables that hold one; anything else may run what they hold. */
const isCounting = (text: string, scene: Scene): boolean =>
  /^\$\(\([\w\s+\-*/%<>!&|?:,$()]*\)\)$/.test(text) &&
  [...text.matchAll(/[A-Za-z_]\w*/g)].every(([name]) => NUMBER.test(variableOf(name, scene)));

const visit = (node: SyntaxNode, scene: Scene, upstream: readonly Run[]): void => {
  if (scene.found.length > SHELL_RUNS_MAX) return;
  switch (node.type) {
    case 'Command':
      visitCommand(node, scene, upstream);
      return;
    case 'Pipeline':
      visitPipeline(node, scene, upstream);
      return;
    case 'Function':
      scene.definesFunctions = true;
      visit(node.body, scene, []);
      return;
    case 'For':
    case 'Select':
      visitLoop(node, scene, upstream);
      return;
    case 'Redirected': {
      const start = scene.found.length;
      visit(node.command, scene, upstream);
      const isGroup = scene.found.slice(start).some((run) => outputOf(run) !== '');
      const redirects = redirectsOf(node.redirects, scene);
      scene.found.push({ words: [], redirects, upstream, ...(isGroup && { isGroup }) });
      return;
    }
    case 'Word':
      expand(node, scene);
      return;
    case 'ArithmeticFor':
    case 'ArithmeticCommand':
      scene.evaluatesText = true;
      forEachChild(node, (child) => visit(child, scene, upstream));
      return;
    case 'TestUnary':
      // `[[ -v a[$(rm x)] ]]` evaluates the index.
      if (/^-[vR]$/.test(node.operator) && !/^\w+$/.test(expand(node.operand, scene).join(' ')))
        scene.evaluatesText = true;
      else expand(node.operand, scene);
      return;
    case 'TestBinary':
      // `[[ x -eq y ]]` evaluates both sides.
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator))
        for (const side of [node.left, node.right]) noteArithmetic(expand(side, scene).join(' '), scene);
      else forEachChild(node, (child) => visit(child, scene, upstream));
      return;
    default:
      forEachChild(node, (child) => visit(child, scene, upstream));
  }
};

/** The commands of a script that is one chain: `a && b && c`. */
const linksOf = ({ commands }: ReturnType<typeof parse>): ReadonlySet<SyntaxNode> => {
  const [only, ...more] = commands;
  if (only === undefined || more.length > 0 || only.background === true) return new Set();
  const { command } = only;
  if (command.type !== 'AndOr') return new Set([command]);
  const isChain = command.operators.every((operator) => operator === '&&');
  return new Set(isChain ? command.commands.filter(({ type }) => type === 'Command') : []);
};

/** Commands that run whatever the others do: links of the one chain, and the first of each list. */
const sureOf = (script: ReturnType<typeof parse>): ReadonlySet<SyntaxNode> =>
  new Set([
    ...linksOf(script),
    ...script.commands.flatMap(({ command, background }) =>
      background === true ? [] : command.type === 'AndOr' ? command.commands.slice(0, 1) : [command],
    ),
  ]);

const sceneOf = (script: ReturnType<typeof parse>, open: ReadonlySet<string>): Scene => {
  const scene: Scene = {
    found: [],
    variables: new Map(),
    definesFunctions: false,
    assigned: new Set(),
    links: linksOf(script),
    globs: new Set(),
    sure: sureOf(script),
    values: new Map(),
    loops: new Set(),
    open,
    evaluatesText: false,
    isDisguised: false,
  };
  visit(script, scene, []);
  return scene;
};

export const readScript = (source: string): Reading => {
  const parsed = parse(source);
  const isSound = parsed.errors === undefined || parsed.errors.length === 0;
  const script = isSound ? parsed : parse('');
  const first = sceneOf(script, new Set());
  const open = openNames(first);
  const scene = open.size === 0 ? first : sceneOf(script, open);
  const { found, definesFunctions, assigned, evaluatesText, isDisguised } = scene;
  return {
    runs: found,
    definesFunctions,
    assigned,
    evaluatesText,
    isDisguised,
    isReadable: isSound && found.length <= SHELL_RUNS_MAX,
  };
};
