/**
 * Puts a shell command in a class: the worst of all programs that would run, also in scripts in
 * scripts. Anything that cannot be read is `unseen`. Pure; never throws.
 */
import { KIB } from '../../../core/base/limits.ts';
import type { CommandClass } from '../../../core/signal/facts.ts';
import { ANYWHERE, type Place, resolvePaths, showPaths } from './class-paths.ts';
import { AS_ROOT, BY_NAME, DISK, EMPTIES, STEERS, UNNAMED, WRAPPER_OPTIONS } from './class-tables.ts';
import {
  classifyRun,
  type Finding,
  isWorse,
  NOTHING,
  SYSTEM_PROGRAM,
  scriptsOf,
  unseen,
  withoutGlobals,
} from './classify-run.ts';
import type { Launch } from './launchers.ts';
import { nameOf, operandsOf, outputOf, PROCESS_FILE, programOf, type Run, SPLIT, UNKNOWN } from './program-run.ts';
import { readScript } from './read.ts';
import { FOUND, isShell, unwrap, wrapperOptions } from './unwrap.ts';

/** Raise this with every change of what is found. The fact names it. */
export const SHELL_RULES_VERSION = 13;

/** A longer command is a file that nobody reviews. */
export const SHELL_COMMAND_CHARS_MAX = 16 * KIB;
/** Runs judged in all, those of inner scripts included. */
const SHELL_STEPS_MAX = 1_024;
/** Scripts inside scripts (`sh -c "sh -c …"`): honest commands need two. */
const SHELL_DEPTH_MAX = 6;

export interface ClassifiedCommand {
  readonly class: CommandClass;
  /** Whether anything in it destroys, also if its class is `leaves` or `unseen`. */
  readonly destroys: boolean;
  /** Fixed sentences, never a part of the command. */
  readonly because: string[];
  /** The losses for a person, a line each, with paths. */
  readonly lost: string[];
  /** Canonical absolute paths; `/` stands for a path nobody can know. */
  readonly reads: string[];
  readonly writes: string[];
  /** The programs that would run: `git push`, `rm`. Sorted, each once. */
  readonly programs: string[];
  /** Canonical paths of the files whose text would run: `python3 x.py`, `./deploy.sh`. */
  readonly scripts: string[];
  /** Programs that run what a file of their folder says: `npm test`, `make x`. */
  readonly launches: Launch[];
}

export interface CommandPlace {
  /** Absolute; '' if it is not known. */
  readonly folder: string;
  readonly home: string;
}

/** Paths and sentences of one finding; a longer list stands for the whole machine. */
const LIST_MAX = 64;
/** Folders in which a command may be after its `cd`s; more count as unknown. */
const FOLDERS_MAX = 8;

const UNREADABLE = 'it cannot be read as a shell command';
const UNKNOWN_PROGRAM = 'the program it would start cannot be known beforehand';
const UNKNOWN_TEXT = 'it runs text that nobody can know beforehand';
/** Stands among the programs for whatever runs and has no name there. */
const OTHER_PROGRAM = 'another program';
const STEERING = 'it sets what other programs run by';

interface Search {
  readonly findings: Finding[];
  readonly programs: Set<string>;
  readonly home: string;
  steps: number;
  /** Something runs without variables that were set before. */
  takesVariables: boolean;
}

/** The settings that hold from here to the end of the script. */
interface Scope {
  folders: readonly string[];
}

const placeOf = (scope: Scope, search: Search): Place => ({ folders: scope.folders, home: search.home });

const isUnknownName = (name: string): boolean =>
  name === '' || name.includes(UNKNOWN) || /[*?]/.test(name) || (name.includes('[') && !/^\[\[?$/.test(name));

/** Programs whose first word says what they do. */
const HAS_SUBCOMMAND =
  /^(?:git|npm|pnpm|yarn|bun|deno|npx|cargo|go|pip3?|docker|kubectl|gh|helm|terraform|systemctl|brew|apt|apt-get|uv|poetry)$/;

/** A program of somebody's own folder is named by its path, if that is sure. */
const ownProgram = (word: string, place: Place): string => {
  const [path = ANYWHERE, ...others] = resolvePaths([word], place);
  const isSure = others.length === 0 && path !== ANYWHERE && /^[~\w./+-]{1,200}$/.test(word);
  return isSure ? path : OTHER_PROGRAM;
};

const programsOf = (outer: Run, place: Place): readonly string[] => {
  const run = withoutGlobals(outer, place)?.run ?? outer;
  const name = nameOf(run);
  const [word = '', first = '', second = ''] = run.words;
  if (!SYSTEM_PROGRAM.test(word)) return [ownProgram(word, place)];
  if (UNNAMED.has(name) || isShell(name)) return [];
  const shown = /^[\w./+-]{1,60}$/.test(word) ? name : OTHER_PROGRAM;
  const isWord = (text: string): boolean => /^[a-z][\w:.-]{0,40}$/i.test(text);
  if (name === 'make') {
    const targets = run.words.slice(1);
    return targets.length > 0 && targets.every(isWord) ? targets.map((target) => `make ${target}`) : ['make'];
  }
  if (!HAS_SUBCOMMAND.test(name) || !isWord(first)) return [shown];
  return [`${shown} ${first}${/^(?:run|exec|run-script)$/.test(first) && isWord(second) ? ` ${second}` : ''}`];
};

const redirectFindings = (run: Run, place: Place): readonly Finding[] =>
  run.redirects.flatMap(({ operator, target }): readonly Finding[] => {
    if (/^\/dev\/(?:tcp|udp)\//i.test(target))
      return [{ ...NOTHING, class: 'leaves', because: 'it opens a network connection' }];
    if (operator.endsWith('&') && /^(?:\d+|\d*-)$/.test(target)) return [];
    const paths = resolvePaths([target], place);
    if (operator === '<' || paths.length === 0) return [{ ...NOTHING, reads: paths }];
    const lost = /^&?>>/.test(operator)
      ? []
      : showPaths([target], place).map((path) => `replaces ${path} if it is there`);
    const isDevice = /^\/dev\//.test(target);
    const isEmptying = lost.length > 0 && run.isGroup !== true && (run.words.length === 0 || outputOf(run) === '');
    const because = isDevice ? DISK : isEmptying ? EMPTIES : 'it writes to a file';
    return [{ class: isDevice || isEmptying ? 'destroys' : 'changes', because, reads: [], writes: paths, lost }];
  });

const SEARCHES = /^(?:find|fd|fdfind|ls)$/;
const FILTERS = /^(?:grep|egrep|rg|head|tail|sort|uniq|tac|cat|shuf)$/;

/** The source of the names that `find -exec` and `xargs` fill in; unknown without a search. */
const rootsOf = (outer: Run): readonly string[] => {
  const [source, ...filters] = nameOf(outer) === 'xargs' ? outer.upstream : [outer];
  if (source === undefined) return [UNKNOWN];
  const isFiltered = filters.every((run) => FILTERS.test(nameOf(run)) && operandsOf(run.words).length < 2);
  const isListing = /^(?:ls-files|grep|diff)$/.test(source.words[1] ?? '') && nameOf(source) === 'git';
  const isMatching =
    /^(?:grep|egrep|rg)$/.test(nameOf(source)) && source.words.some((word) => /^-[a-zA-Z]*l|^--files/.test(word));
  if (!isFiltered || !(SEARCHES.test(nameOf(source)) || isListing || isMatching)) return [UNKNOWN];
  const first = source.words.findIndex((word, index) => index > 0 && /^[-(!]/.test(word));
  const given =
    nameOf(source) === 'find'
      ? source.words.slice(1, first < 0 ? undefined : first)
      : operandsOf(source.words).filter((word) => /[/~]/.test(word) || /^\.\.?$/.test(word));
  return given.length === 0 ? ['.'] : [...(nameOf(source) === 'find' ? [] : ['.']), ...given];
};

const withFound = (run: Run, outer: Run): Run => {
  if (!run.words.some((word) => word.includes(FOUND))) return run;
  // Only find begins a name with its folder.
  const isBare = nameOf(outer.upstream[0] ?? outer) !== 'find';
  const names = rootsOf(outer).map((root) => {
    if (root === UNKNOWN) return `${UNKNOWN}${SPLIT}`;
    return root === '.' && isBare ? '*' : `${root}/*`;
  });
  const fill = (word: string): readonly string[] =>
    word.includes(FOUND) ? names.map((name) => word.replaceAll(FOUND, name)) : [word];
  // Without -0 a name with a blank becomes several words.
  const isCut =
    nameOf(outer) === 'xargs' && !outer.words.some((word) => /^(?:-[0rt]*[0dI]|--(?:nu|de|rep))/.test(word));
  return {
    ...run,
    words: run.words.flatMap(fill),
    globs: new Set([...(run.globs ?? []), '*', ...(isCut ? names : [])]),
  };
};

const remember = (run: Run, scope: Scope, search: Search): void => {
  const name = nameOf(run);
  if (name !== 'cd' && name !== 'pushd' && name !== 'popd') return;
  const target = run.words.slice(1).find((word) => !/^-(?:[LPen@]+|-)$/.test(word)) ?? '~';
  const isKnown = name !== 'popd' && !/^(?:-|[-+]\d+)$/.test(target) && !target.includes(UNKNOWN);
  const next = isKnown ? resolvePaths([target], placeOf(scope, search)) : [''];
  search.findings.push({ ...NOTHING, reads: next.map((path) => (path === '' ? ANYWHERE : path)) });
  const all = run.isSure === true ? next : [...new Set([...scope.folders, ...next])];
  scope.folders = all.length > FOLDERS_MAX ? [''] : all;
};

const takesVariables = ({ words }: Run): boolean => {
  const letters = { env: /^-(?:$|\w*[iu]|-[iu])/, exec: /^-\w*c/ }[programOf(words[0])];
  return letters !== undefined && wrapperOptions(words).some((word) => letters.test(word));
};

/** A wrapper that is seen through: what it starts is judged. Undefined for other programs. */
const judgeWrapper = (run: Run): Finding | undefined => {
  const name = nameOf(run);
  const seen = WRAPPER_OPTIONS.get(name);
  if (seen === undefined) return undefined;
  if (!wrapperOptions(run.words).every((word) => seen.test(word))) return unseen('an option of it is not known here');
  return name === 'sudo' || name === 'doas' ? unseen(AS_ROOT) : undefined;
};

const findingOf = (run: Run, scope: Scope, search: Search): Finding => {
  const name = nameOf(run);
  if (isUnknownName(name)) return unseen(UNKNOWN_PROGRAM);
  for (const program of programsOf(run, placeOf(scope, search))) search.programs.add(program);
  search.takesVariables ||= takesVariables(run);
  const wrapper = judgeWrapper(run);
  if (wrapper !== undefined) return wrapper;
  return classifyRun(run, placeOf(scope, search));
};

const judgeRun = (outer: Run, scope: Scope, search: Search, depth: number): void => {
  search.findings.push(...redirectFindings(outer, placeOf(scope, search)));
  if (outer.words.length === 0) return;
  const { runs, scripts } = unwrap(outer);
  for (const one of runs) {
    search.steps += 1;
    const run = withFound(one, outer);
    search.findings.push(findingOf(run, scope, search));
    remember(run, scope, search);
    const isKnown = scripts.some(({ run: from }) => from === one);
    if (isShell(nameOf(run)) && !isKnown && run.words[1] !== '--version') {
      const scripts = scriptsOf(run, placeOf(scope, search));
      search.findings.push({ ...unseen('it runs a script that nobody has read'), ...scripts });
    }
  }
  for (const { text } of scripts) judgeScript(text, { ...scope }, search, depth + 1);
};

const judgeScript = (text: string, scope: Scope, search: Search, depth: number): void => {
  search.steps += 1;
  if (depth > SHELL_DEPTH_MAX || search.steps > SHELL_STEPS_MAX) {
    search.findings.push(unseen(UNREADABLE));
    return;
  }
  if (text.includes(UNKNOWN) || text.includes(FOUND) || text.includes(PROCESS_FILE))
    search.findings.push(unseen(UNKNOWN_TEXT));
  const { runs, definesFunctions, assigned, evaluatesText, isDisguised, isReadable } = readScript(text);
  if (isDisguised) search.findings.push(unseen('it has letters that nobody sees or that look like others'));
  if (!isReadable) search.findings.push(unseen(UNREADABLE));
  if (evaluatesText) search.findings.push(unseen(UNKNOWN_TEXT));
  if ([...assigned].some((name) => STEERS.test(name))) search.findings.push(unseen(STEERING));
  if (definesFunctions) search.findings.push(unseen('it defines functions of its own'));
  for (const run of runs) judgeRun(run, scope, search, depth);
};

const bounded = (paths: readonly string[]): string[] => {
  const all = [...new Set(paths)].sort();
  return all.length > LIST_MAX ? [ANYWHERE] : all;
};

/** Nobody permits by its name what runs because of an option, a variable or an unread text. */
const namesOf = ({ findings, programs }: Search): string[] => {
  const isHidden = findings.some(
    ({ class: found, because }) => /^(?:leaves|unseen)$/.test(found) && !BY_NAME.has(because),
  );
  const names = [...programs, ...(isHidden ? [OTHER_PROGRAM] : [])];
  return names.length > LIST_MAX ? [OTHER_PROGRAM] : [...new Set(names)].sort();
};

/** Git runs what its own files name: after such a change, `git status` may run anything. */
const withoutGit = (one: Finding): Finding =>
  one.class === 'changes' && one.writes.some((path) => /\/\.git\/|\/\.git$/.test(path))
    ? { ...one, class: 'unseen', because: 'it may set what git runs' }
    : one;

const summarise = (search: Search): ClassifiedCommand => {
  // The machine switches off by variables what a repository would have git run.
  const isGitBare = search.takesVariables && [...search.programs].some((name) => /^git\b/.test(name));
  const findings = [...search.findings.map(withoutGit), ...(isGitBare ? [unseen(STEERING)] : [])];
  const found = findings.reduce<CommandClass>((worst, one) => (isWorse(one.class, worst) ? one.class : worst), 'reads');
  const because = findings.filter((one) => one.class === found && one.because !== '').map((one) => one.because);
  const lost = [...new Set(findings.flatMap((one) => one.lost))];
  return {
    class: found,
    destroys: findings.some((one) => one.class === 'destroys' || one.destroys === true),
    because: [...new Set(because)].sort(),
    lost: lost.length > LIST_MAX ? [...lost.slice(0, LIST_MAX), `and ${lost.length - LIST_MAX} more`] : lost,
    reads: bounded(findings.flatMap((one) => one.reads)),
    writes: bounded(findings.flatMap((one) => one.writes)),
    programs: namesOf({ ...search, findings }),
    scripts: bounded(findings.flatMap((one) => one.scripts ?? [])),
    launches: findings.flatMap((one) => one.launches ?? []).slice(0, LIST_MAX),
  };
};

export const classifyCommand = (command: string, { folder, home }: CommandPlace): ClassifiedCommand => {
  const search: Search = { findings: [], programs: new Set(), home, steps: 0, takesVariables: false };
  const scope: Scope = { folders: [folder] };
  try {
    if (command.length > SHELL_COMMAND_CHARS_MAX) search.findings.push(unseen(UNREADABLE));
    else judgeScript(command, scope, search, 0);
  } catch {
    // Nested deeper than the parser or the stack bears.
    search.findings.push(unseen(UNREADABLE));
  }
  return summarise(search);
};
