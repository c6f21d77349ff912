/**
 * Options by what they mean for the words beside them: those that take a value, those that name a
 * file to write, and those that make a program do its worst. A use of git has a key of its own:
 * `git log`. Only data.
 */
const sets = (table: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    Object.entries(table).flatMap(([names, options]) =>
      names.split('|').map((name) => [name, new Set(options.split(' '))] as const),
    ),
  );

/** Options that take the next word, which is neither a file nor an option then. */
// biome-ignore format: many entries a line
export const VALUED = sets({
  grep: '-A -B -C -m -e --include --exclude --exclude-dir', egrep: '-A -B -C -m -e',
  rg: '-A -B -C -g -t -T -m -j -r -e --glob --type --type-not --max-count --max-depth --replace',
  'awk|gawk|mawk': '-F -v', 'sed|gsed': '-e --expression', cut: '-d -f -c -b', sort: '-k -t -S', date: '-d --date',
  find: '-name -iname -path -ipath -wholename -regex -iregex -newer -mtime -mmin -ctime -atime -size -type -user -group -perm -maxdepth -mindepth -printf',
  uniq: '-f -s -w --skip-fields --skip-chars --check-chars', xxd: '-c -g -l -o -s', du: '-d --max-depth --exclude',
  tree: '-L -I -P', join: '-t -1 -2 -j', paste: '-d', column: '-s -t', stat: '-c', 'head|tail': '-n -c', base64: '-w',
  mkdir: '-m', install: '-m -o -g', touch: '-d -t', truncate: '-s', shred: '-n -s', jq: '--indent --arg --argjson',
  journalctl: '-u -p -g -t --since --until --unit --priority --grep',
  systemctl: '-n -p -t --lines --property --type --state --output',
  'git log|git show|git rev-list|git whatchanged|git reflog': '-n -S -G -L --since --until --after --before --author --committer --grep --max-count --skip',
  'git diff': '-S -G', 'git shortlog': '--since --until --author --grep', 'git blame|git annotate': '-L -S --since --ignore-rev', 'git grep': '-e -A -B -C -m',
  'git commit': '-m --message --author --date --trailer', 'git tag': '-m --message --contains --no-contains --merged --no-merged --points-at --sort --format',
  'git branch': '--contains --no-contains --merged --no-merged --points-at --sort --format',
  'git merge|git notes': '-m --message', 'git checkout': '-b -B --orphan',
  'git switch': '-c -C --create --orphan', 'git restore': '-s --source', 'git clean': '-e --exclude', 'git ls-files': '-x -X --exclude',
  'git for-each-ref': '--format --sort --count',
});

/** Options whose value is a file that the program writes: attached, or the next word. */
const TARGET = /^(?:-[a-zA-Z]*?t|--t[a-z-]*=?)(.*)$/;
// biome-ignore format: many entries a line
export const OUTPUT: ReadonlyMap<string, RegExp> = new Map([
  ['sort', /^(?:-[a-zA-Z]*?o|--o[a-z]*=?)(.*)$/], ['shuf', /^(?:-[a-z]*?o|--o[a-z]*=?)(.*)$/],
  ['iconv', /^(?:-o|--o[a-z]*=?)(.*)$/], ['tree', /^-[a-zA-Z]*?o(.*)$/], ['git', /^(?:--ou[a-z-]*=?|-o)(.*)$/],
  ['cp', TARGET], ['mv', TARGET], ['install', TARGET], ['ln', TARGET], ['dd', /^of=(.*)$/], ['7z', /^-o(.+)$/],
  ['find', /^-(?:fprint0?|fprintf|fls)()$/], ['unzip', /^-d(.*)$/], ['tar', /^(?:-C|--dir[a-z]*=?)(.*)$/],
]);

/**
 * Words that make a program do its worst. A word that nobody can know may be any of them, and the
 * beginning of a long one is that one.
 */
// biome-ignore format: many entries a line
export const WORST_WORDS = sets({
  sort: '-ox --output --compress-program=x', 'shuf|iconv': '-ox --output', tree: '-ox -R',
  find: '-files0-from -delete', 'fd|fdfind': '-x --exec', rg: '--pre --hostname-bin', 'ag|ack|bat|batcat|man': '--pager',
  'less|more': '+x', date: '-s 01010101 --set', hostname: 'x --file', ss: '-K --kill',
  'printf|test|[': '-v x', jobs: '-x', 'mapfile|readarray': '-C', 'diff3|cloc': '--diff-program', yq: '-i load',
  'pip|pip3|gem': '--python', 'hash|wait': '-p', systemctl: '-H', tar: '--to-command h:x', unzip: '-o',
  rsync: '--rsh h:x --delete', dd: 'of=x', zip: '-T', patch: '-e', split: '--filter', 'nm|objdump|readelf|size': '--plugin',
  git: '--output=x --ext-diff -Ox --open-files-in-pager --exec=x --strategy=x --hard --merge --keep --force -f -D -d --delete --amend --soft --worktree --discard-changes --no-dry-run --apply --edit --mirror --prune --fetch --filters --web --remote x y',
});
