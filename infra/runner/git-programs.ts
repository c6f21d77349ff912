/**
 * The programs that git repositories name: whoever makes a repository decides them. A file that is
 * not plainly read as harmless counts as one that names programs.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { KIB } from '../../lib/core/base/limits.ts';
import type { Folder, Tree } from './folder-tree.ts';

export interface GitPrograms {
  /** A command of git that changes something may run a program that a repository names. */
  readonly isAny: boolean;
  /** Another file adds to a configuration, so that what it names cannot be switched off. */
  readonly hasIncludes: boolean;
  /** Environment variables that switch everything off. */
  readonly switchedOff: Readonly<Record<string, string>>;
}

/** Of one configuration file; a clone with hundreds of branches needs less. */
const CONFIG_BYTES_MAX = 256 * KIB;

/**
 * Keys of repositories that name no program, as `git help --config` spells them. A whole section is
 * never harmless: `gc.recentObjectsHook` runs a program. `<…>` is any name.
 */
export const HARMLESS_KEYS: readonly string[] = `
  core.repositoryFormatVersion core.fileMode core.bare core.logAllRefUpdates core.ignoreCase core.precomposeUnicode
  core.symlinks core.autocrlf core.eol core.safecrlf core.quotePath core.compression core.sharedRepository
  core.untrackedCache core.splitIndex core.longPaths core.sparseCheckout core.sparseCheckoutCone
  user.name user.email user.signingKey user.useConfigOnly color.<name> advice.<name>
  branch.sort branch.autoSetupMerge branch.autoSetupRebase branch.<name>.remote branch.<name>.merge
  branch.<name>.rebase branch.<name>.pushRemote branch.<name>.description
  extensions.objectFormat extensions.worktreeConfig extensions.partialClone extensions.refStorage init.defaultBranch
  pull.ff pull.rebase push.autoSetupRemote push.default push.followTags push.negotiate push.pushOption
  push.recurseSubmodules push.useBitmaps push.useForceIfIncludes
  fetch.fsckObjects fetch.negotiationAlgorithm fetch.output fetch.parallel fetch.prune fetch.pruneTags
  fetch.recurseSubmodules fetch.showForcedUpdates fetch.unpackLimit fetch.writeCommitGraph
  rebase.abbreviateCommands rebase.autoSquash rebase.autoStash rebase.backend rebase.forkPoint rebase.instructionFormat
  rebase.missingCommitsCheck rebase.rescheduleFailedExec rebase.stat rebase.updateRefs
  commit.cleanup commit.gpgSign commit.status commit.template commit.verbose rerere.autoUpdate rerere.enabled
  log.abbrevCommit log.date log.decorate log.diffMerges log.follow log.graphColors log.mailmap log.showRoot
  status.aheadBehind status.branch status.displayCommentPrefix status.relativePaths status.renameLimit status.renames
  status.short status.showStash status.showUntrackedFiles status.submoduleSummary
  gc.auto gc.autoDetach gc.autoPackLimit gc.aggressiveDepth gc.aggressiveWindow gc.bigPackThreshold gc.cruftPacks
  gc.logExpiry gc.packRefs gc.pruneExpire gc.reflogExpire gc.reflogExpireUnreachable gc.<pattern>.reflogExpire
  gc.<pattern>.reflogExpireUnreachable gc.rerereResolved gc.rerereUnresolved gc.worktreePruneExpire gc.writeCommitGraph
  pack.allowPackReuse pack.compression pack.deltaCacheLimit pack.deltaCacheSize pack.depth pack.indexVersion
  pack.packSizeLimit pack.threads pack.useBitmaps pack.useSparse pack.window pack.windowMemory
  pack.writeBitmapHashCache pack.writeReverseIndex
  index.recordEndOfIndexEntries index.recordOffsetTable index.sparse index.threads index.version
  remote.<name>.url remote.<name>.pushurl remote.<name>.fetch remote.<name>.push remote.<name>.tagOpt
  remote.<name>.prune remote.<name>.mirror remote.<name>.promisor remote.<name>.partialclonefilter
  submodule.<name>.url submodule.<name>.active submodule.<name>.branch submodule.<name>.ignore
  submodule.<name>.fetchRecurseSubmodules submodule.active submodule.recurse
  diff.algorithm diff.colorMoved diff.renames diff.mnemonicPrefix diff.noprefix diff.submodule diff.context
  merge.ff merge.conflictStyle merge.renames merge.stat lfs.repositoryformatversion lfs.<name>.access
`
  .trim()
  .split(/\s+/);

const HARMLESS = new RegExp(
  `^(?:${HARMLESS_KEYS.map((key) => key.toLowerCase().replaceAll('.', '\\.').replaceAll(/<\w+>/g, '.+')).join('|')})$`,
);

/** Lines of a file of git's; undefined if it is none, or too large. */
const linesOf = (path: string): readonly string[] | undefined => {
  try {
    const stats = statSync(path);
    const text = stats.isFile() && stats.size <= CONFIG_BYTES_MAX ? readFileSync(path, 'utf8') : '\ufffd';
    // A name that is no text in UTF-8 cannot be given back to git.
    return text.includes('\ufffd') ? undefined : text.split('\n');
  } catch {
    return undefined;
  }
};

const isHarmless = (lines: readonly string[]): boolean => {
  let section = '';
  return lines.every((line) => {
    // A line that goes on in the next one hides what that one is.
    if (line.trimEnd().endsWith('\\')) return false;
    const [, name, part, after] = /^\s*\[([\w.-]+)(?:\s+"([^"\\]*)")?\](.*)$/.exec(line) ?? [];
    if (name !== undefined) section = part === undefined ? name : `${name}.${part}`;
    const rest = (after ?? line).trim();
    if (rest === '' || /^[#;]/.test(rest)) return true;
    const key = /^([a-zA-Z][\w-]*)\s*(?:=|$)/.exec(rest)?.[1];
    return key !== undefined && HARMLESS.test(`${section}.${key}`.toLowerCase());
  });
};

/** Sections with programs of their own, wherever in the text one may begin. */
const DRIVER = /\[\s*(diff|filter|hook|merge|tar)(?:\.([\w.-]+))?(?:\s+"((?:\\.|[^"\\])*)")?\s*\]/gi;
/** Shows a change as git would, but for its heading. */
const PLAIN_DIFF = 'f() { diff -u -- "$2" "$5"; true; }; f';

type GitSettings = readonly (readonly [key: string, value: string])[];

/**
 * The options that switch the programs of such a section off. Without a process, an empty filter is
 * none.
 */
const DRIVER_OFF: ReadonlyMap<string, GitSettings> = new Map<string, GitSettings>([
  [
    'diff',
    [
      ['command', PLAIN_DIFF],
      ['textconv', 'cat'],
      ['cachetextconv', 'false'],
    ],
  ],
  [
    'filter',
    [
      ['process', ''],
      ['clean', ''],
      ['smudge', ''],
      ['required', 'false'],
    ],
  ],
  [
    'hook',
    [
      ['command', 'true'],
      ['enabled', 'false'],
    ],
  ],
  ['merge', [['driver', 'false']]],
  ['tar', [['command', 'cat']]],
]);

const driverSettings = (text: string): GitSettings =>
  [...text.matchAll(DRIVER)].flatMap(([, kind = '', first, second]) => {
    const names = [first?.toLowerCase(), second?.replaceAll(/\\(.)/g, '$1')].filter((name) => name !== undefined);
    const off = DRIVER_OFF.get(kind.toLowerCase()) ?? [];
    return names.length === 0 ? [] : off.map(([key, value]) => [[kind, ...names, key].join('.'), value] as const);
  });

const SETTINGS: GitSettings = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.sshCommand', 'false'],
  ['core.alternateRefsCommand', 'false'],
  ...['gpg.program', 'gpg.openpgp.program', 'gpg.x509.program', 'gpg.ssh.program'].map(
    (key) => [key, 'false'] as const,
  ),
  // Other viewers of manuals are programs that the configuration names.
  ['help.format', 'info'],
];

/** Settings that outweigh those of every repository, also in the git that git starts below. */
const environmentOf = (settings: GitSettings): Readonly<Record<string, string>> =>
  Object.fromEntries([
    // Of an owner whose whole home is a folder to change, a command may have written it.
    ['GIT_CONFIG_GLOBAL', '/dev/null'],
    ['GIT_CONFIG_COUNT', String(settings.length)],
    // An incomplete clone fetches what it lacks, by a program of its configuration.
    ['GIT_ALLOW_PROTOCOL', 'none'],
    ['GIT_NO_LAZY_FETCH', '1'],
    ...settings.flatMap(([key, value], n) => [
      [`GIT_CONFIG_KEY_${n}`, key],
      [`GIT_CONFIG_VALUE_${n}`, value],
    ]),
  ]);

const CONFIG = /\/config(?:\.worktree)?$/i;
const HOOKS = /\/hooks$/i;
/** One of these is in each folder of git's, also in one that another names as its common folder. */
const OF_GIT = /\/(?:HEAD|refs)$/i;

const isOfGit = ({ files, folders }: Folder): boolean => [...files, ...folders].some((path) => OF_GIT.test(path));

export const findGitPrograms = (trees: readonly Tree[]): GitPrograms => {
  const folders = new Map(trees.flatMap((tree) => [...tree]));
  const repositories = new Map([...folders].filter(([, folder]) => isOfGit(folder)));
  const configs = [...repositories.values()].flatMap(({ files }) => [...files].filter((file) => CONFIG.test(file)));
  // A link may lead to a folder with hooks.
  const hasHook =
    [...repositories.values()].some(({ files }) => [...files].some((file) => HOOKS.test(file))) ||
    [...folders].some(
      ([path, { files }]) =>
        HOOKS.test(path) && repositories.has(dirname(path)) && [...files].some((file) => !file.endsWith('.sample')),
    );
  const read = configs.map(linesOf);
  const text = read.map((lines) => lines?.join('\n') ?? '').join('\n');
  const external = /external/i.test(text) ? [['diff.external', PLAIN_DIFF] as const] : [];
  return {
    isAny: hasHook || !read.every((lines) => lines !== undefined && isHarmless(lines)),
    hasIncludes: read.includes(undefined) || /\[\s*include/i.test(text),
    switchedOff: environmentOf([...SETTINGS, ...external, ...driverSettings(text)]),
  };
};
