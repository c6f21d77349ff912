/**
 * Takes a run out of its wrappers: `sudo -u x env A=b timeout 5 sh -c '…'`. Gives the inner runs,
 * and the scripts found on the way, to be read in turn. The wrappers and their options are data.
 * Pure.
 */

import { isOption, outputOf, PROCESS_FILE, programOf, type Run, SPLIT, UNKNOWN } from './program-run.ts';

interface Wrapper {
  /** Options that take the next word. */
  readonly valued: string;
  /** Words before the command. */
  readonly operands?: number;
}

const w = (valued = '', operands = 0): Wrapper => ({ valued, operands });

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: w('-u -C --unset --chdir'),
  sudo: w('-u -g -h -p -C -r -t -D -R -T --user --group --host --prompt --chdir --chroot'),
  doas: w('-u -C'),
  nohup: w(),
  setsid: w(),
  time: w('-f -o --format --output'),
  nice: w('-n --adjustment'),
  ionice: w('-c -n -p --class --classdata'),
  timeout: w('-s -k --signal --kill-after', 1),
  gtimeout: w('-s -k', 1),
  stdbuf: w('-i -o -e'),
  command: w(),
  builtin: w(),
  exec: w('-a'),
  chroot: w('', 1),
  unshare: w(),
  nsenter: w('-t --target'),
  strace: w('-e -o -p -s'),
  ltrace: w('-e -o -p'),
  watch: w('-n -d --interval'),
  flock: w('-w -E', 1),
  taskset: w('', 1),
  chrt: w('', 1),
  busybox: w(),
  toybox: w(),
  parallel: w('-j -a --jobs'),
  caffeinate: w('-t'),
  torsocks: w(),
  proxychains: w('-f'),
  proxychains4: w('-f'),
  gosu: w('', 1),
  'su-exec': w('', 1),
  fakeroot: w(),
  unbuffer: w(),
  rlwrap: w(),
  'systemd-run': w('-u -p --unit --property'),
  npx: w('-p --package'),
  bunx: w(),
  'xvfb-run': w('-s'),
  entr: w(),
  pkexec: w('--user'),
  faketime: w('-f', 1),
  setarch: w('', 1),
  '!': w(),
};

const XARGS = w('-I -n -P -L -d -a -E -s --max-args --max-procs --delimiter --arg-file');

const SHELLS: ReadonlySet<string> = new Set('sh bash dash zsh ksh ash fish mksh rbash csh tcsh'.split(' '));
export const isShell = (word: string | undefined): boolean => SHELLS.has(programOf(word));

const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** The words after a wrapper's options, assignments and operands. */
const afterOptions = (words: readonly string[], { valued, operands = 0 }: Wrapper): readonly string[] => {
  const taking = new Set(valued.split(' '));
  let index = 1;
  for (; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') {
      index += 1;
      break;
    }
    if (taking.has(word)) index += 1;
    else if (!isOption(word) && !ASSIGNMENT.test(word)) break;
  }
  return words.slice(index + operands);
};

/** The options that a wrapper itself is given, and words that may hold more than it takes. */
export const wrapperOptions = (words: readonly string[]): readonly string[] => {
  const name = programOf(words[0]);
  const wrapper = name === 'xargs' ? XARGS : (WRAPPERS[name] ?? w());
  const own = words.slice(1, words.length - afterOptions(words, wrapper).length);
  return own.filter((word) => isOption(word) || word.includes(SPLIT));
};

export interface Unwrapped {
  readonly runs: readonly Run[];
  /** Texts that a shell would read, each with the run it came from. */
  readonly scripts: readonly { readonly text: string; readonly run: Run }[];
}

/** Stands for a file that a list or search will name. */
export const FOUND = 'found-by-search';

const scriptAfter = (words: readonly string[], pattern: RegExp): string | undefined => {
  const at = words.findIndex((word) => pattern.test(word));
  return at < 0 ? undefined : words.slice(at + 1).find((word) => !/^[-+]o?$/.test(word));
};

/** The text of a script on standard input or in a substituted file, if known. */
const handedIn = (run: Run, file: string | undefined): readonly string[] => {
  const last = run.substituted.at(-1);
  const isSubstituted = file === PROCESS_FILE && last !== undefined;
  const text = isSubstituted ? outputOf(last) : (run.input ?? outputOf({ ...run, words: ['cat'] }));
  return text === undefined ? [] : [text];
};

const STANDARD_INPUT = /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

/**
 * After `-c` a shell reads further options and their values before the script: `bash -c -e -o x --
 * 'script'`.
 */
const givenScript = (words: readonly string[]): string | undefined => {
  let index = words.findIndex((word) => /^[-+][a-z]*c[a-z]*$/i.test(word));
  if (index < 0) return undefined;
  for (; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '-' || word === '--') return words[index + 1];
    if (!/^[-+]/.test(word)) return word;
    if (/^[-+][a-z]*o[a-z]*$/i.test(word)) index += 1;
  }
  return undefined;
};

const shellScripts = (run: Run): readonly string[] => {
  const { words } = run;
  const given = givenScript(words);
  if (given !== undefined) return [given];
  const file = words.slice(1).find((word) => !isOption(word));
  const isHandedIn = file === undefined || file === PROCESS_FILE || STANDARD_INPUT.test(file) || words.includes('-s');
  return isHandedIn ? handedIn(run, file) : [];
};

const IN_CONTAINER =
  '-e -u -w -v -p -n -c -l -h -m --env --user --workdir --name --volume --publish --network --namespace --container --label --mount --entrypoint --platform --memory';

/** `docker exec box cmd`, `kubectl exec pod -- cmd`, `docker run image cmd`. */
const containerCommand = (words: readonly string[]): readonly string[] => {
  const at = words.findIndex((word) => word === 'exec' || word === 'run');
  if (at < 0) return [];
  const own = words.indexOf('--', at);
  if (own > 0) return words.slice(own + 1);
  const command = afterOptions(words.slice(at), w(IN_CONTAINER, 1));
  const entry = words.indexOf('--entrypoint');
  return entry > 0 ? [words[entry + 1] ?? '', ...command] : command;
};

const findCommands = (words: readonly string[]): readonly (readonly string[])[] => {
  const commands: (readonly string[])[] = [];
  const first = words.findIndex((word) => /^[-(!]/.test(word));
  const roots = words.slice(1, first < 0 ? words.length : first);
  const isBelow = roots.length > 0 && roots.every((root) => /^\.{1,2}\//.test(root) || root === '.');
  const fill = (word: string): readonly string[] => {
    if (!word.includes('{}')) return [word];
    return isBelow ? [word.replaceAll('{}', FOUND)] : roots.map((root) => word.replaceAll('{}', root));
  };
  for (let index = 1; index < words.length; index += 1) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[index] ?? '')) continue;
    const rest = words.slice(index + 1);
    const end = rest.findIndex((each) => each === ';' || each === '+');
    const command = end < 0 ? rest : rest.slice(0, end);
    commands.push(command.flatMap(fill));
    index += command.length;
  }
  return commands;
};

/** Words that a list of names would add: known words, the root of a search, or some file. */
const listedBy = (run: Run): readonly string[] => {
  const text = run.input ?? outputOf({ ...run, words: ['cat'] });
  if (text !== undefined) return text.split(/\s+/).filter((word) => word !== '');
  const search = run.upstream.find((one) => programOf(one.words[0]) === 'find');
  const root = search?.words[1] ?? '.';
  const isBelow = isOption(root) || root === '.' || root.startsWith('./');
  return search === undefined || isBelow ? [FOUND] : [root];
};

const xargsCommand = (run: Run): readonly string[] => {
  const given = afterOptions(run.words, XARGS);
  const rest = given.length === 0 ? ['echo'] : given;
  const listed = listedBy(run);
  const at = run.words.indexOf('-I');
  const attached = run.words.flatMap((word) => /^(?:-[Ii]|--replace=)(.+)$/.exec(word)?.[1] ?? [])[0];
  const isUsual = run.words.includes('-i') || run.words.includes('--replace');
  const mark = at > 0 ? run.words[at + 1] : (attached ?? (isUsual ? '{}' : undefined));
  // The list becomes the script itself.
  const isScript = isShell(rest[0]) && /^-[a-z]*c$/i.test(rest.at(-1) ?? '');
  const isKnown = listed[0] !== FOUND;
  if (mark === undefined || mark === '') {
    if (isScript) return [...rest, isKnown ? listed.join(' ') : UNKNOWN];
    return [...rest, ...listed];
  }
  return rest.flatMap((word) => {
    if (word === mark) return isKnown ? listed : [isShell(rest[0]) ? UNKNOWN : FOUND];
    return [word.replaceAll(mark, isKnown ? listed.join(' ') : FOUND)];
  });
};

const scriptsOf = (run: Run): readonly string[] => {
  const { words } = run;
  const name = programOf(words[0]);
  if (SHELLS.has(name)) return shellScripts(run);
  switch (name) {
    case 'eval':
      return [
        words
          .slice(1)
          .filter((word, index) => index > 0 || word !== '--')
          .join(' '),
      ];
    case 'source':
    case '.':
      return words[1] === PROCESS_FILE || STANDARD_INPUT.test(words[1] ?? '') ? handedIn(run, words[1]) : [];
    case 'trap':
    case 'watch':
      return words[1] === undefined
        ? []
        : [
            words
              .filter((word, index) => index > 0 && !isOption(word))
              .slice(0, name === 'trap' ? 1 : 9)
              .join(' '),
          ];
    case 'alias':
      return words.slice(1).flatMap((word) => (word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : []));
    case 'su':
    case 'runuser':
    case 'flock':
    case 'script': {
      const script = scriptAfter(words, /^(?:-c|--command)$/);
      return script === undefined ? [] : [script];
    }
    case 'env': {
      const script =
        scriptAfter(words, /^(?:-S|--split-string)$/) ??
        words.find((word) => /^(?:-S.|--split-string=)/.test(word))?.replace(/^(?:-S|--split-string=)/, '');
      return script === undefined ? [] : [script];
    }
    case 'ssh': {
      const proxy = words.flatMap((word) => /ProxyCommand=(.*)/i.exec(word)?.[1] ?? []);
      const rest = afterOptions(words, w('-p -i -l -o -F -J -L -R -D -b -c -E -e -I -m -O -Q -S -W -w', 1));
      const remote = rest[0] === '--' ? rest.slice(1) : rest;
      return remote.length === 0 ? proxy : [...proxy, remote.join(' ')];
    }
    case 'rsync':
    case 'man': {
      const program = scriptAfter(words, /^(?:-e|--rsh|-P|--pager)$/);
      return program === undefined ? [] : [program];
    }
    case 'tar':
      return words.flatMap(
        (word) =>
          /^--(?:checkpoint-action=exec|to-command|use-compress-program|rsh-command)=(.*)$/.exec(word)?.[1] ?? [],
      );
    case 'at':
    case 'batch':
    case 'crontab': {
      const text = run.input ?? outputOf({ ...run, words: ['cat'] });
      return text === undefined ? [] : [name === 'crontab' ? text.replace(/^(?:\S+\s+){5}/gm, '') : text];
    }
    case 'vi':
    case 'vim':
    case 'nvim':
    case 'ex':
      return words.flatMap((word) => /^(?::|\+:?)?!(.*)$/.exec(word)?.[1] ?? []);
    case 'git':
      return words.flatMap(
        (word) =>
          /^(?:[\w.]+=)?!(.*)$/.exec(word)?.[1] ?? /^core\.(?:sshCommand|pager|editor)=(.*)$/i.exec(word)?.[1] ?? [],
      );
    default:
      return [];
  }
};

const innerWords = (run: Run): readonly (readonly string[])[] => {
  const name = programOf(run.words[0]);
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper !== undefined) {
    // A look-up, not a start.
    if (name === 'command' && /^-[vV]+$/.test(run.words[1] ?? '')) return [];
    return [afterOptions(run.words, wrapper)];
  }
  switch (name) {
    case 'xargs':
      return [xargsCommand(run)];
    case 'find':
    case 'fd':
      return findCommands(run.words);
    case 'docker':
    case 'podman':
    case 'nerdctl':
    case 'kubectl':
      return [containerCommand(run.words)];
    default:
      return [];
  }
};

/** The run itself and everything it would start in turn. */
export const unwrap = (run: Run): Unwrapped => {
  const runs: Run[] = [];
  const scripts: { text: string; run: Run }[] = [];
  const queue: Run[] = [run];
  for (let next = queue.shift(); next !== undefined && runs.length < 32; next = queue.shift()) {
    const current = next;
    runs.push(current);
    for (const text of scriptsOf(current)) scripts.push({ text, run: current });
    for (const words of innerWords(current)) if (words.length > 0) queue.push({ ...current, words });
  }
  return { runs, scripts };
};
