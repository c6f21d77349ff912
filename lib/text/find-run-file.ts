/**
 * Whether a path names a file that programs run or obey by themselves: a hook, a build, a test or
 * CI configuration, the start of a shell. Whoever changes it can run anything later, so a person is
 * asked each time. Pure.
 */
import { canonicalPath } from './path-canonical.ts';

const names = (text: string): readonly string[] => text.split(/\s+/);

/** Everything in them, and they themselves. Compared without case, like all below. */
export const RUN_DIRECTORIES: readonly string[] = names(
  `.git .hg .husky .githooks .hooks .github/workflows .github/actions .gitlab .circleci .buildkite .teamcity
  .gitea/workflows .forgejo/workflows .vscode .idea .zed .fleet .run .devcontainer .claude .cursor .windsurf .cargo .mvn
  .yarn .bundle .storybook .ssh .bashrc.d .zshrc.d .vim .emacs.d .ipython .jupyter .local/bin vendor/bin .config/nvim
  .config/tmux .config/direnv .config/nushell .config/fish .config/autostart
  .config/systemd .config/git .config/environment.d systemd/system systemd/user library/launchagents
  library/launchdaemons etc/profile.d etc/ld.so.conf.d etc/init.d etc/cron.d etc/cron.hourly etc/cron.daily etc/cron.weekly
  etc/cron.monthly var/spool/cron gradle/wrapper node_modules/.bin`,
);

/** Names of files in any directory. */
export const RUN_NAMES: readonly RegExp[] = [
  // Builds
  /^(?:gnu|bsd)?makefile(?:\..+)?$|\.mk$|^\.?justfile$|\.just$|^taskfile(?:\..+)?\.ya?ml$|^(?:rake|gem|pod|vagrant|brew|proc|thor|\.?guard|cake|earth|fast|tilt)file$/,
  /^(?:cmakelists\.txt|configure(?:\.ac|\.in)?|meson\.build|scons(?:truct|cript)|wscript|workspace|module|build)(?:\.bazel)?$|\.(?:cmake|rake|gemspec|bzl|sbt)$/,
  /\.gradle(?:\.kts)?$|^(?:gradlew|mvnw|pom\.xml|build\.xml|build\.rs|build\.zig|cargo\.toml|composer\.json|mix\.exs|flake\.nix|default\.nix|shell\.nix)$/,
  /^(?:docker|container)file(?:\..+)?$|\.(?:docker|container)file$|^(?:docker-)?compose(?:\..+)?\.ya?ml$/,
  /\.(?:(?:cs|fs|vb)proj|props|targets)$|^(?:buck|package\.swift|magefile\.go|cmakepresets\.json|\.pnp\.[cm]js|config\.ru)$/,
  // Packages and tests
  /^(?:package|deno|bunfig)\.(?:json[c5]?|toml|ya?ml)$|^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-workspace\.yaml|\.pnpmfile\.c?js)$/,
  /^(?:gulp|grunt|jake)file\.[\w.]+$|\.conf(?:ig)?\.[cm]?[jt]s$|^(?:nx|turbo)\.json$|^\.rspec$/,
  /^(?:setup\.(?:py|cfg)|pyproject\.toml|tox\.ini|pytest\.ini|noxfile\.py|fabfile\.py|tasks\.py|conftest\.py|(?:site|user)customize\.py)$|\.pth$/,
  // Hooks and CI
  /^\.?(?:pre-commit-config|pre-commit-hooks|lefthook(?:-local)?|overcommit)\.(?:ya?ml|toml|json)$/,
  /^(?:(?:pre|post)-(?:commit|push|merge|merge-commit|rebase|checkout|rewrite|receive|auto-gc|index-change)|(?:prepare-)?commit-msg|(?:pre-|post-)?applypatch(?:-msg)?)$/,
  /^(?:.*\.gitlab-ci|\.travis|\.drone|\.woodpecker|\.?appveyor|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec|codemagic|action)(?:[.-].+)?\.ya?ml$|^jenkinsfile(?:\..+)?$|^\.drone\.(?:star|jsonnet)$|^\.?devcontainer\.json$/,
  /^\.git(?:config|modules|attributes)$|^\.?mise(?:\..+)?\.toml$|^\.(?:tool-versions|mcp\.json)$/,
  // Shells and other programs at their start
  /^\.[\w-]+rc(?:\.\w+)?$/,
  /\.(?:sh|bash|zsh|ksh|fish|command|ps1|psm1|bat|cmd|vbs|desktop|plist)$/,
  /^\.(?:bash|zsh|ksh|mksh|csh|tcsh|dash|ash|sh)(?:rc|env|_[\w-]+)?$|^\.(?:z|bash_)?(?:profile|login|logout|env|aliases)$/,
  /^(?:\.zlogin|\.zlogout|\.xprofile|\.xsession|\.tmux\.conf|\.gdbinit|\.lldbinit|\.emacs|\.rprofile|\.pythonrc(?:\.py)?)$/,
  // The system
  /^(?:ana)?crontab$|\.(?:service|timer|socket|path|mount)$|^(?:sshd?_config|authorized_keys|rc\.local|bash\.bashrc|profile|environment|ld\.so\.preload)$/,
];

/** @param path in any spelling: dots and blanks at the end of a name do not count */
export const isRunFile = (path: string): boolean => {
  const canonical = canonicalPath(path)?.toLowerCase();
  // What has no one spelling is stopped elsewhere; here it counts as the worst.
  if (canonical === undefined) return true;
  const framed = `${canonical.startsWith('/') ? '' : '/'}${canonical}/`;
  const name = canonical.slice(canonical.lastIndexOf('/') + 1);
  return (
    RUN_DIRECTORIES.some((directory) => framed.includes(`/${directory}/`)) || RUN_NAMES.some((one) => one.test(name))
  );
};
