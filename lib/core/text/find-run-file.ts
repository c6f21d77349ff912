/** Whether a path names a file that programs run by themselves, so a person is asked. Pure. */
import { canonicalPath } from './path-canonical.ts';

const names = (text: string): readonly string[] => text.split(/\s+/);

/** Everything in them, and they themselves. Compared without case, like all below. */
export const RUN_DIRECTORIES: readonly string[] = names(
  `.git .hg .jj .sl .bzr .husky .githooks .hooks .github/workflows .github/actions .gitlab .circleci .buildkite .teamcity
  .gitea/workflows .forgejo/workflows .woodpecker .semaphore .tekton .builds .jenkins .azure-pipelines .vscode .idea .zed
  .fleet .run .vs .nova .theia .helix .devcontainer .claude .cursor .windsurf .gemini .codex .opencode .continue .kiro .roo
  .amazonq .trunk .cargo .mvn .yarn .bundle .storybook .mise .gradle/init.d buildsrc gradle/wrapper .ssh .config
  .bashrc.d .zshrc.d .profile.d .bash_completion.d .oh-my-zsh .zsh .vim .emacs.d .ipython .jupyter .i3 .local/bin vendor/bin
  node_modules/.bin site-packages dist-packages systemd/system systemd/user library/launchagents library/launchdaemons
  etc/profile.d etc/ld.so.conf.d etc/init.d etc/cron.d etc/cron.hourly etc/cron.daily etc/cron.weekly etc/cron.monthly
  etc/udev var/spool/cron debian/rules debian/tests`,
);

/** Names of files in any directory. */
export const RUN_NAMES: readonly RegExp[] = [
  // Builds
  /^(?:gnu|bsd)?makefile(?:\..+)?$|\.ma?k$|^\.?justfile$|\.just$|^taskfile(?:\..+)?\.ya?ml$/,
  /^(?:rake|gem|pod|vagrant|brew|proc|thor|\.?guard|cake|earth|fast|tilt|cap|danger|berks|puppet|snake|pip|nuke|tup|jam|jake|cart|mint|steep)file(?:\.(?:rb|dev|local|seq))?$/,
  /^(?:cmakelists\.txt|configure(?:\.ac|\.in)?|meson\.build|scons(?:truct|cript)|wscript|workspace|module|build)(?:\.(?:bazel|bzlmod))?$|\.(?:cmake|rake|gemspec|podspec|nimble|bzl|sbt|ninja)$/,
  /\.gradle(?:\.kts)?$|^(?:gradlew|gradle\.properties|mvnw|pom\.xml|build\.xml|build\.rs|build\.zig|cargo\.toml|rust-toolchain(?:\.toml)?|composer\.json|mix\.exs)$/,
  /^(?:docker|container)file(?:\..+)?$|\.(?:docker|container)file$|^(?:docker-)?compose(?:\..+)?\.ya?ml$/,
  /\.(?:(?:cs|fs|vb)proj|props|targets|pbxproj|xcscheme|xcconfig)$|^(?:buck|package\.swift|magefile\.go|cmake(?:user)?presets\.json|config\.ru)$/,
  /^(?:flake|default|shell|\.?devenv(?:\.flake)?)\.nix$|^(?:devbox|cdk|dub|rush|angular|global|dotnet-tools|omnisharp|launchsettings)\.json$|^nuget\.config$|^ansible\.cfg$/,
  /^(?:build\.(?:pl|sc|mill|boot|cake|fsx)|project\.clj|deps\.edn|bb\.edn|rebar\.config|setup\.l?hs|\.ghci|dune|dub\.sdl|config\.nims|jamroot|kbuild|(?:premake\d?|xmake)\.lua|tuprules\.tup|gems\.rb|appraisals)$/,
  /^(?:(?:config|runtime|\.iex|\.formatter)\.exs|phpunit\.xml(?:\.dist)?|(?:castor|rector|robofile|\.php-cs-fixer(?:\.dist)?)\.php|artisan|_targets\.r|startup\.(?:jl|m)|\.(?:jvm|sbt)opts)$/,
  // Deployments, packages, pages
  /\.(?:tf|tofu|tftest|hcl|gypi?)(?:\.json)?$|^(?:wrangler|vercel|firebase|lerna|dagger|app|samconfig|netlify|fly|book|pixi|hatch|pdm)\.(?:toml|jsonc?)$/,
  /^(?:skaffold|helmfile|serverless|samconfig|pulumi(?:\..+)?|kustomization|devspace|okteto|garden|amplify|heroku|render|snapcraft|mkdocs|dvc|electron-builder)\.ya?ml$/,
  /^(?:conf|conanfile|gypfile|wscript|mkdocs_hooks)\.py$|^pkgbuild$|^(?:pre|post)(?:inst|rm)$|\.spec$/,
  // Packages and tests
  /^(?:package|deno|bunfig)\.(?:json[c5]?|toml|ya?ml)$|^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-workspace\.yaml|\.pnpmfile\.c?js|\.pnp\.(?:loader\.)?[cm]js)$/,
  /^(?:gulp|grunt|jake|knex|broc)file\.[\w.]+$|\.conf(?:ig)?(?:\.babel)?\.[cm]?[jt]s$|^(?:nx|turbo|nodemon|ormconfig|cypress)\.json$|^\.rspec$/,
  /^(?:(?:babel|jest|commitlint|lint-staged)\.config\.json|(?:\.eleventy|ormconfig|gatsby-(?:node|config)|ember-cli-build|testem|wallaby|truffle-config|vitest\.workspace)\.[cm]?[jt]s)$/,
  /^(?:setup\.(?:py|cfg)|pyproject\.toml|tox\.(?:ini|toml)|\.?pytest\.(?:ini|toml)|noxfile\.py|fabfile\.py|tasks\.py|dodo\.py|conftest\.py|hatch_build\.py|gunicorn\.conf\.py|(?:ipython|jupyter_\w+)_config\.py|(?:site|user)customize\.py)$|\.pth$/,
  /^(?:pylintrc|\.?mypy\.ini|\.flake8|\.rubocop\.ya?ml|\.?golangci\.(?:ya?ml|toml|json)|\.arc(?:config|lint))$/,
  // Hooks and CI
  /^\.?(?:pre-commit-config|pre-commit-hooks|lefthook(?:-local)?|overcommit)\.(?:ya?ml|toml|json)$/,
  /^(?:(?:pre|post)-(?:commit|push|merge|merge-commit|rebase|checkout|rewrite|receive|auto-gc|index-change)|(?:prepare-)?commit-msg|(?:pre-|post-)?applypatch(?:-msg)?|reference-transaction|fsmonitor-watchman|post-update)$/,
  /^(?:.*\.gitlab-ci|\.travis|\.drone|\.woodpecker|\.?appveyor|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec|codemagic|action|\.cirrus|\.build|wercker|\.scrutinizer|codeship-steps|\.?shippable|\.?goreleaser)(?:[.-].+)?\.ya?ml$|^jenkinsfile(?:\..+)?$|^\.(?:drone|cirrus)\.(?:star|jsonnet)$|^\.?devcontainer\.json$/,
  /^\.?gitconfig(?:[.-].+)?$|^\.git(?:modules|attributes)$|^\.?mise(?:\..+)?\.toml$|^\.tool-versions$|^\.?mcp\.json$|^\.aider\.conf\.ya?ml$|^opencode\.jsonc?$/,
  // Editors and watchers
  /\.(?:code-workspace|sublime-(?:project|build))$|^(?:\.dir-locals(?:-2)?\.el|\.nvim\.lua|\.project|\.watchmanconfig|modd\.conf|\.?(?:air|bacon)\.toml|\.tmux(?:inator\.yml|p\.(?:ya?ml|json)))$/,
  // Shells and other programs at their start
  /^\.[\w-]+rc(?:\.\w+)?$/,
  /\.(?:sh|bash|zsh|ksh|fish|command|ps1|psm1|psd1|bat|cmd|vbs|wsf|hta|lnk|desktop|plist|scpt|applescript|workflow)$/,
  /^\.(?:bash|zsh|ksh|mksh|csh|tcsh|dash|ash|sh)(?:rc|env|_[\w-]+)?$|^\.(?:z|bash_)?(?:profile|login|logout|env|aliases)$/,
  /^(?:\.zlogin|\.zlogout|\.xprofile|\.xsession|\.tmux\.conf|\.gdbinit|\.lldbinit|\.emacs|\.rprofile|\.renviron|\.pythonrc(?:\.py)?|\.lessfilter|\.mailcap|\.forward|\.htaccess|\.user\.ini|.+-gdb\.(?:py|gdb|scm))$/,
  // The system
  /^(?:ana)?crontab$|\.(?:service|timer|socket|path|mount|automount)$|^(?:sshd?_config|authorized_keys|rc\.local|bash\.bashrc|profile|environment|ld\.so\.preload)$/,
];

/** @param path in any spelling: dots and blanks at the end of a name do not count */
export const isRunFile = (path: string): boolean => {
  const canonical = canonicalPath(path)?.toLowerCase();
  // A path without one spelling is stopped elsewhere; here it counts as the worst.
  if (canonical === undefined) return true;
  const framed = `${canonical.startsWith('/') ? '' : '/'}${canonical}/`;
  const name = canonical.slice(canonical.lastIndexOf('/') + 1);
  return (
    RUN_DIRECTORIES.some((directory) => framed.includes(`/${directory}/`)) || RUN_NAMES.some((one) => one.test(name))
  );
};
