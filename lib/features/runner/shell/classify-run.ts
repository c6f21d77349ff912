/**
 * The class of one program as it would run, why, and the files it would read and change. Pure.
 */
import type { CommandClass } from '../../../core/signal/facts.ts';
import { changedBy, mentionedBy, readBy } from './class-files.ts';
import { OPTIONS } from './class-options.ts';
import { ANYWHERE, isWild, type Place, resolvePaths } from './class-paths.ts';
import { hasScript, scriptRule } from './class-scripts.ts';
import {
  DECLARERS,
  DISK,
  NOT_KNOWN,
  OWN_PROGRAM,
  RULES,
  type Rule,
  STEERS,
  TAKES_AWAY,
  usualRule,
} from './class-tables.ts';
import { showWords, spellOut } from './class-words.ts';
import { type Launch, launchesOf } from './launchers.ts';
import { isOption, nameOf, type Run } from './program-run.ts';

const WORST: readonly CommandClass[] = ['reads', 'changes', 'destroys', 'leaves', 'unseen'];
export const isWorse = (one: CommandClass, other: CommandClass): boolean => WORST.indexOf(one) > WORST.indexOf(other);

export interface Finding {
  readonly class: CommandClass;
  /** It destroys too, although its class is another. */
  readonly destroys?: true;
  /** Fixed words; empty for what only reads. */
  readonly because: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Lines for a card, with paths. */
  readonly lost: readonly string[];
  /** Files whose text it would run. */
  readonly scripts?: readonly string[];
  readonly launches?: readonly Launch[];
}

export const NOTHING: Finding = { class: 'reads', because: '', reads: [], writes: [], lost: [] };
export const unseen = (because: string): Finding => ({ ...NOTHING, class: 'unseen', because });

/** Folders of programs that come with the system. Another program may have any name. */
export const SYSTEM_PROGRAM = /^(?:\/(?:usr\/|usr\/local\/|opt\/homebrew\/)?s?bin\/)?[^/]+$/;

const ASKS_ABOUT_ITSELF = /^\S+ (?:--version|--help)$|^(?:npm|node|perl|ruby|php) -v$|^python3? -V$/;

/** Says what to write instead: the model that proposed it reads this. */
const STARTS_BY_OPTION = /^(?:tar|unzip|rsync|zip|patch|split|dd)$/;
const MAY_BE_OPTION: Rule = [
  /^/,
  'unseen',
  'a word that is not known yet may be an option of it: write -- before names, or ./ in them',
];

const ruleOf = (run: Run, name: string): Rule => {
  const usual = usualRule(name);
  const { text, mayBeOption } = showWords(run);
  if (ASKS_ABOUT_ITSELF.test(name + text) && usual[2] !== NOT_KNOWN) return [/^/, 'reads'];
  if (hasScript(run)) return scriptRule(run) ?? usual;
  const rules = RULES.get(name);
  const rule = rules?.find(([use]) => use.test(text)) ?? usual;
  if (mayBeOption === '' || (rules === undefined && !OPTIONS.has(name))) return rule;
  // Patterns are the usual use of programs that change files.
  const isHarmful = rule[1] === 'reads' || mayBeOption === 'unknown' || STARTS_BY_OPTION.test(name);
  return isHarmful && !isWorse(rule[1], 'changes') ? MAY_BE_OPTION : rule;
};

/** Names of variables that it sets, beside those of its assignments. */
const steers = (run: Run, name: string): boolean =>
  DECLARERS.has(name) &&
  run.words.slice(1).some((word) => {
    // A name that stands for another one: `declare -n x=PATH`.
    if (isOption(word)) return /^(?:declare|typeset|local)$/.test(name) && /^-[a-zA-Z]*n/.test(word);
    const variable = /^[^=+]*/.exec(word)?.[0] ?? '';
    if (name === 'env' && !word.includes('=')) return false;
    return !/^\w+$/.test(variable) || STEERS.test(variable) || /\$\(|`/.test(word);
  });

const GIT_SETTING = /^(?:user\.|color\.|core\.quotepath|advice\.|init\.defaultbranch|log\.date|commit\.gpgsign)/i;

/** `-C` says where it runs. Undefined if an option before the subcommand could start a program. */
export const withoutGlobals = (run: Run, place: Place): { readonly run: Run; readonly place: Place } | undefined => {
  if (nameOf(run) !== 'git') return { run, place };
  let there = place;
  let at = 1;
  for (
    let word = run.words[at] ?? '';
    word.startsWith('-') && !/^--(?:version|help)$/.test(word);
    word = run.words[at] ?? ''
  ) {
    const next = run.words[at + 1] ?? '';
    const isPair = /^(?:-C|--git-dir|--work-tree)$/.test(word);
    const folder = isPair ? next : /^--(?:git-dir|work-tree)=(.+)$/.exec(word)?.[1];
    if (folder !== undefined) there = { ...there, folders: resolvePaths([folder], there) };
    else if (
      word === '-c'
        ? !GIT_SETTING.test(next)
        : !/^(?:-P|--(?:no-pager|no-optional-locks|literal-pathspecs|bare))$/.test(word)
    )
      return undefined;
    at += isPair || word === '-c' ? 2 : 1;
  }
  return { run: { ...run, words: ['git', ...run.words.slice(at)] }, place: there };
};

const SCRIPT_NAME = /\.(?:py|[cm]?[jt]s|sh|bash|rb|pl|php|lua|r|jl|tcl|exs?)$/i;
const INTERPRETER =
  /^(?:python|pypy|perl|ruby|node|nodejs|php|lua|luajit|rscript|tclsh|tsx|ts-node|(?:ba|da|z|k|a)?sh|source|\.)[\d.]*$/;

/** The words that name files whose text an interpreter, or a program by its path, would run. */
const scriptWords = (run: Run): readonly string[] => {
  const [word = '', first = '', ...others] = run.words;
  if (!SYSTEM_PROGRAM.test(word)) return [word];
  if (!INTERPRETER.test(nameOf(run))) return [];
  const given = run.redirects.flatMap(({ operator, target }) => (operator === '<' ? [target] : []));
  // After an option nobody knows which word is the script, so its ending tells.
  return [...(isOption(first) ? others.filter((one) => SCRIPT_NAME.test(one)) : [first]), ...given];
};

/** Scripts that a run would run: all places they may have, and those that are sure. */
export const scriptsOf = (run: Run, place: Place): Required<Pick<Finding, 'reads' | 'scripts'>> => {
  const words = scriptWords(run);
  const paths = words.map((word) => (isWild(word) || run.globs?.has(word) ? [] : resolvePaths([word], place)));
  const sure = paths.flatMap(([path = ANYWHERE, ...others]) => (path === ANYWHERE || others.length > 0 ? [] : [path]));
  return { reads: resolvePaths(words, place), scripts: sure };
};

/** @param place where it runs */
export const classifyRun = (outer: Run, from: Place): Finding => {
  const name = nameOf(outer);
  const [word = ''] = outer.words;
  const scripts = scriptsOf(outer, from);
  if (!SYSTEM_PROGRAM.test(word)) return { ...unseen(OWN_PROGRAM), ...scripts };
  const inner = withoutGlobals(outer, from);
  if (inner === undefined) return unseen('an option of it runs another program');
  const { place } = inner;
  const run = spellOut(inner.run);
  if (run === undefined)
    return { ...unseen('an option of it is not known here'), reads: mentionedBy(inner.run, place) };
  if (steers(run, name)) return unseen('it sets what other programs run by');
  const [, found, because = ''] = ruleOf(run, name);
  // If case counts, this is another program.
  if (word !== word.toLowerCase() && !isWorse(found, 'changes')) return unseen(NOT_KNOWN);
  switch (found) {
    case 'reads':
      return { ...NOTHING, reads: readBy(run, place) };
    case 'leaves':
    case 'unseen': {
      const reads = [...mentionedBy(run, place), ...scripts.reads];
      const isTaking = because === TAKES_AWAY;
      return {
        ...NOTHING,
        class: found,
        because,
        reads,
        scripts: scripts.scripts,
        // No grant answers for what leaves, such as an installation.
        launches: launchesOf(run, place).filter(({ tasks }) => found === 'unseen' || tasks.length > 0),
        ...(isTaking && { destroys: true, lost: [because.slice(3)] }),
      };
    }
    default: {
      const change = changedBy(run, because, found === 'destroys', place);
      if (change.writes.some((path) => /^\/dev\/(?!shm\/)/.test(path)))
        return { ...change, class: 'destroys', because: DISK, lost: change.writes.map((path) => `overwrites ${path}`) };
      return { class: found, because, ...change };
    }
  }
};
