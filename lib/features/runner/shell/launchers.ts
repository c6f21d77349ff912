/**
 * Programs that run what a file of their folder says under a name: `npm test`, `make x`. Gives the
 * file, and the lines of it that would run. Whatever these simple rules do not read has no lines:
 * then nobody can say what runs. No interpreter of these files. Pure.
 */
import * as z from 'zod/mini';
import { readJson } from '../../../core/base/json.ts';
import { ANYWHERE, type Place, resolvePaths } from './class-paths.ts';
import { nameOf, type Run, UNKNOWN } from './program-run.ts';

/** One start of such a program. */
export interface Launch {
  readonly program: string;
  /** Names in the file, `''` for its first; none if nobody can say which part would run. */
  readonly tasks: readonly string[];
  /** Of its file. */
  readonly name: string;
  /** Its canonical path; '' if nobody can know it. */
  readonly file: string;
  /** Names of files beside it that the program would take instead. */
  readonly instead: readonly string[];
}

/** The part of a file that would run. */
interface Launched {
  readonly lines: readonly string[];
  /** Commands of a shell among them, as the shell would get them. */
  readonly commands: readonly string[];
}

interface Launcher {
  readonly file: string;
  readonly instead: readonly string[];
  /** @param words after the program, a blank between. @returns none if it is another use */
  readonly tasksOf: (words: string) => readonly string[];
  readonly read: (text: string, task: string) => Launched;
}

const NOTHING: Launched = { lines: [], commands: [] };

const Scripts = z.object({ scripts: z.record(z.string(), z.union([z.string(), z.array(z.string())])) });

/** The texts under a name in `scripts`: one, or a list of them. */
const scriptsOf = (text: string, name: string): readonly string[] => {
  const { scripts = {} } = Scripts.safeParse(readJson(text)).data ?? {};
  return Object.hasOwn(scripts, name) ? [scripts[name] ?? []].flat() : [];
};

const readPackage = (text: string, task: string): Launched => {
  const name = /^(?:t|tst)$/.test(task) ? 'test' : task;
  const found = [`pre${name}`, name, `post${name}`].flatMap((one) =>
    scriptsOf(text, one).map((script) => ({ line: `${one}: ${script}`, script })),
  );
  if (scriptsOf(text, name).length === 0) return NOTHING;
  return { lines: found.map(({ line }) => line), commands: found.map(({ script }) => script) };
};

const readComposer = (text: string, task: string): Launched => {
  const scripts = scriptsOf(text, task);
  return {
    lines: scripts.map((script) => `${task}: ${script}`),
    // `@php x.php` is a program, `@other` a name of the same file.
    commands: scripts.map((script) => script.replace(/^@(?=php )/, '').replace(/^@/, 'composer run-script ')),
  };
};

interface RecipeForm {
  /** The head of a rule: its names, then what runs before it. */
  readonly head: RegExp;
  readonly isBody: (line: string) => boolean;
  /** Runs while the file is read, whatever is asked of it. */
  readonly always: RegExp;
  /** The file may say elsewhere, or by more than its lines, what a rule does. */
  readonly unsure: RegExp;
}

const MAKE: RecipeForm = {
  head: /^([\w.][\w./ -]*?)\s*::?(?![:=])(.*)$/,
  isBody: (line) => line.startsWith('\t'),
  always: /\$[({](?:shell|file)\b|!=/,
  unsure:
    /^ *(?:[-s]?include|load|define|vpath|ifn?(?:def|eq)|else|(?:export\s+|override\s+)*(?:SHELL|\.(?:SHELLFLAGS|RECIPEPREFIX|SECONDEXPANSION)))\b|\$[({](?:eval|guile)\b|^\$|^[^\t\n#]*%[^\n]*:/m,
};
const JUST: RecipeForm = {
  head: /^@?([A-Za-z_][\w-]*)(?:\s[^\n:]*)?:(?!=)(.*)$/,
  isBody: (line) => /^[ \t]/.test(line),
  always: /`/,
  unsure: /^(?:import|mod|set\s+(?:(?:windows-)?shell|script-interpreter|fallback))\b/m,
};

/** The rules under a name and those that run before them, by their heads. */
const readRecipe =
  ({ head, isBody, always, unsure }: RecipeForm) =>
  (text: string, task: string): Launched => {
    const lines = text.split('\n').map((line) => line.trimEnd());
    if (unsure.test(text)) return NOTHING;
    const heads = lines.flatMap((line, at) => {
      const [, names, before = ''] = isBody(line) ? [] : (head.exec(line) ?? []);
      return names === undefined ? [] : [{ at, names: names.split(/\s+/), before: before.split(/[\s()#;|]+/) }];
    });
    /** Blank lines and remarks stand between those of one rule. */
    const goesOn = (at: number): boolean => {
      const line = lines[at];
      return line !== undefined && (isBody(line) || /^(?:#|$)/.test(line) || lines[at - 1]?.endsWith('\\') === true);
    };
    const first = heads.flatMap(({ names }) => names).find((name) => !name.startsWith('.')) ?? '';
    const wanted = new Set([task === '' ? first : task]);
    const shown = new Set(lines.flatMap((line, at) => (!isBody(line) && always.test(line) ? [at] : [])));
    // A set that grows while it is read is read to its end.
    for (const name of wanted)
      for (const { at, before } of heads.filter(({ names }) => names.includes(name))) {
        for (const one of before) wanted.add(one);
        shown.add(at);
        for (let body = at + 1; goesOn(body); body += 1) shown.add(body);
      }
    const isFound = heads.some(({ names }) => names.includes(task === '' ? first : task));
    return isFound ? { lines: lines.filter((line, at) => shown.has(at) && line !== ''), commands: [] } : NOTHING;
  };

const wordsOf = (words: string): readonly string[] => words.split(' ').filter((word) => word !== '');
const NAME = String.raw`([\w:.][\w:./-]*)`;
const nameIn = (use: RegExp) => (words: string) => {
  const name = use
    .exec(words)
    ?.slice(1)
    .find((one) => one !== undefined);
  return name === undefined ? [] : [name];
};
/** Until `--`, options of npm may say another folder, package or shell. */
const NPM = new RegExp(
  `^(?:(?:run|run-script)(?: -s| --silent| --if-present)* ${NAME}|(test|tst|t|start|stop|restart))(?: (?!-)\\S+| -s| --silent)*(?: -- .*)?$`,
  's',
);
const YARN = new RegExp(`^(?:run )?${NAME}(?: .*)?$`, 's');
const COMPOSER_OWN =
  /^(?:about|archive|audit|browse|bump|check-platform-reqs|clear-?cache|config|create-project|depends|diagnose|dump-?autoload|exec|fund|global|help|home|init|install|licenses|list|outdated|prohibits|reinstall|remove|require|search|self-?update|show|status|suggests|update|validate|why|why-not)(?: |$)/;

const PACKAGE = { file: 'package.json', instead: [], read: readPackage };
const LAUNCHERS: Readonly<Record<string, Launcher>> = {
  npm: { ...PACKAGE, tasksOf: nameIn(NPM) },
  pnpm: { ...PACKAGE, tasksOf: nameIn(YARN) },
  yarn: { ...PACKAGE, tasksOf: nameIn(YARN) },
  composer: {
    file: 'composer.json',
    instead: [],
    read: readComposer,
    tasksOf: (words) =>
      COMPOSER_OWN.test(words) ? [] : nameIn(new RegExp(`^(?:(?:run|run-script) )?${NAME}(?: .*)?$`, 's'))(words),
  },
  make: {
    file: 'Makefile',
    instead: ['GNUmakefile', 'makefile'],
    read: readRecipe(MAKE),
    // A variable on the line may say otherwise what a rule does.
    tasksOf: (words) => {
      const asked = wordsOf(words).filter((word) => !/^-(?:[skBi]|j\d*|-silent|-keep-going)$/.test(word));
      return asked.every((word) => /^[\w.][\w./-]*$/.test(word)) ? [...asked, ...(asked.length === 0 ? [''] : [])] : [];
    },
  },
  just: {
    file: 'justfile',
    instead: ['.justfile', 'Justfile', '.Justfile', 'JUSTFILE'],
    read: readRecipe(JUST),
    // A second word may be an argument or another rule.
    tasksOf: (words) => (words === '' ? [''] : nameIn(new RegExp(`^${NAME}$`))(words)),
  },
};
const launcherOf = (program: string): Launcher | undefined => {
  const name = program === 'gmake' ? 'make' : program;
  return Object.hasOwn(LAUNCHERS, name) ? LAUNCHERS[name] : undefined;
};

/** @param run of which it is known that it runs code or leaves the machine */
export const launchesOf = (run: Run, place: Place): readonly Launch[] => {
  const program = nameOf(run);
  const launcher = launcherOf(program);
  const words = run.words.slice(1);
  if (launcher === undefined) return [];
  const isKnown = !words.some((word) => word.includes(UNKNOWN) || run.globs?.has(word) === true);
  const tasks = isKnown ? launcher.tasksOf(words.join(' ')) : [];
  const [path = ANYWHERE, ...others] = resolvePaths([launcher.file], place);
  // An option may name another file or folder.
  const isSure = path !== ANYWHERE && others.length === 0 && tasks.length > 0;
  return [{ program, tasks, name: launcher.file, file: isSure ? path : '', instead: launcher.instead }];
};

/** @param text of the whole file @returns the lines that would run; none if nobody can say */
export const readLaunched = ({ program, tasks }: Pick<Launch, 'program' | 'tasks'>, text: string): Launched => {
  const launcher = launcherOf(program);
  const parts = tasks.map((task) => launcher?.read(text, task) ?? NOTHING);
  if (parts.some(({ lines }) => lines.length === 0)) return NOTHING;
  return { lines: parts.flatMap(({ lines }) => lines), commands: parts.flatMap(({ commands }) => commands) };
};

/** Whether a path names a file of such a program. */
export const isLauncherFile = (path: string): boolean =>
  Object.values(LAUNCHERS).some(({ file }) => path.endsWith(`/${file}`));
