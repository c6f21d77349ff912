/**
 * Options by what they mean for the words beside them. A use of git has a key: `git log`. Only
 * data.
 */
const sets = (table: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    Object.entries(table).flatMap(([names, options]) =>
      names.split('|').map((name) => [name, new Set(options.split(' '))] as const),
    ),
  );

/**
 * All options of programs of which one can do harm, as getopt reads them: letters, and long names.
 * `:` takes a value, `=` one that rules see, `>` a file to write, `?` one that is attached or
 * missing. An option that is not here is unseen: it may start a program.
 */
// biome-ignore format: a program a line
const GETOPT: Readonly<Record<string, string>> = {
  tar: 'ctxruAdvzjJaZkmpOwhlsSWinoBUGRf=C>b:V:H:K=X=N:L: --create --list --extract --get --append --update --catenate --concatenate --diff --compare --delete --file= --directory> --exclude: --exclude-from= --exclude-vcs --exclude-vcs-ignores --exclude-backups --exclude-caches --exclude-caches-all --exclude-caches-under --exclude-ignore: --exclude-ignore-recursive: --exclude-tag: --exclude-tag-all: --exclude-tag-under: --gzip --gunzip --ungzip --bzip2 --xz --lzma --zstd --lzip --lzop --compress --uncompress --auto-compress --no-auto-compress --verbose --verify --totals? --strip-components: --transform: --xform: --show-transformed-names --show-stored-names --show-defaults --show-omitted-dirs --keep-old-files --keep-newer-files --keep-directory-symlink --skip-old-files --no-overwrite-dir --overwrite --overwrite-dir --unlink-first --recursive-unlink --remove-files --one-file-system --recursion --no-recursion --wildcards --no-wildcards --wildcards-match-slash --no-wildcards-match-slash --anchored --no-anchored --ignore-case --no-ignore-case --dereference --hard-dereference --owner: --group: --mode: --mtime: --clamp-mtime --sort: --format: --posix --old-archive --portability --numeric-owner --no-same-owner --same-owner --no-same-permissions --same-permissions --preserve-permissions --preserve-order --same-order --sparse --to-stdout --touch --block-number --full-time --utc --quoting-style: --occurrence? --newer: --newer-mtime: --after-date: --null --no-null --verbatim-files-from --warning: --acls --no-acls --selinux --no-selinux --xattrs --no-xattrs --pax-option: --label: --blocking-factor: --record-size: --ignore-zeros --ignore-failed-read --interactive --confirmation --check-links --check-device --no-check-device --delay-directory-restore --no-delay-directory-restore --backup? --suffix: --add-file= --force-local --version --help --usage',
  sort: 'bdfgiMhnRrVcCmsuzk:t:S:T=o>0 --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source= --reverse --sort: --version-sort --batch-size: --check? --debug --key: --merge --output> --stable --buffer-size: --field-separator: --temporary-directory= --parallel: --unique --zero-terminated --version --help',
  shuf: 'ei:n:o>rz --echo --input-range: --head-count: --output> --random-source= --repeat --zero-terminated --version --help',
  iconv: 'f:t:lcso> --from-code: --to-code: --list --output> --silent --verbose --version --help',
  file: 'bcCEhiIklLnNprsSvzZ0de:f=F:m=P: --brief --checking-printout --compile --debug --exclude: --exclude-quiet: --extension --files-from= --separator: --mime --mime-type --mime-encoding --apple --keep-going --list --dereference --no-dereference --no-buffer --no-pad --preserve-date --raw --special-files --magic-file= --parameter: --print0 --uncompress --version --help',
  hostname: 'aAdfiIsybF= --alias --all-fqdns --all-ip-addresses --boot --domain --file= --fqdn --long --ip-address --short --yp --nis --version --help',
  ss: 'hVnralBoempTisEZzbKHO0460tudwxSM D=f:F= --numeric --resolve --all --listening --bound-inactive --options --extended --memory --processes --threads --info --summary --events --context --contexts --kill --no-header --oneline --ipv4 --ipv6 --packet --tcp --sctp --udp --dccp --raw --unix --vsock --xdp --mptcp --family: --socket: --query: --diag= --filter= --version --help',
  'gzip|gunzip|bzip2|bunzip2|xz|unxz': 'acdfhklLnNqrtvVz0123456789sT:S:F:C:M: --ascii --stdout --to-stdout --decompress --uncompress --compress --force --keep --list --license --no-name --name --quiet --recursive --rsyncable --suffix: --synchronous --test --verbose --fast --best --small --extreme --threads: --format: --check: --no-sparse --single-stream --ignore-check --robot --no-warn --memlimit: --block-size: --repetitive-fast --repetitive-best --version --help',
  fallocate: 'cdil:no:pvxzh --collapse-range --dig-holes --insert-range --length: --keep-size --offset: --punch-hole --verbose --posix --zero-range --version --help',
  cp: 'abdfiHlLnPprRst>TuvxZS: --archive --attributes-only --backup? --copy-contents --debug --dereference --force --interactive --keep-directory-symlink --link --no-clobber --no-dereference --no-preserve: --no-target-directory --one-file-system --parents --preserve? --recursive --reflink? --remove-destination --sparse: --strip-trailing-slashes --suffix: --symbolic-link --target-directory> --update? --verbose --context? --version --help',
  mv: 'bfint>TuvZS: --backup? --debug --exchange --force --interactive --no-clobber --no-copy --no-target-directory --strip-trailing-slashes --suffix: --target-directory> --update? --verbose --context --version --help',
  ln: 'bdFfiLnPrst>TvS: --backup? --directory --force --interactive --logical --no-dereference --no-target-directory --physical --relative --suffix: --symbolic --target-directory> --verbose --version --help',
  install: 'bcCdDg:m=o:pst>TvZS: --backup? --compare --debug --directory --group: --mode= --owner: --preserve-timestamps --strip --suffix: --target-directory> --no-target-directory --verbose --preserve-context --context? --version --help',
  zip: 'rqj0123456789vyufomdXDgkeAJn:i:x:b= --recurse-paths --junk-paths --quiet --verbose --symlinks --update --freshen --move --delete --exclude: --include: --no-extra --no-dir-entries --grow --latest-time --encrypt --suffixes: --temp-path= --version --help',
  rsync: 'avzrlpogDtunPhxHAXSWcqRCbIkKLEJOmiysUdN0468F?B:e=f:M=T= --archive --verbose --quiet --compress --recursive --relative --no-relative --links --copy-links --copy-unsafe-links --safe-links --copy-dirlinks --keep-dirlinks --hard-links --perms --executability --chmod: --acls --xattrs --owner --group --devices --specials --times --atimes --crtimes --omit-dir-times --omit-link-times --super --fake-super --sparse --preallocate --dry-run --whole-file --checksum --checksum-choice: --one-file-system --block-size: --rsh= --rsync-path= --existing --ignore-non-existing --ignore-existing --ignore-times --ignore-errors --remove-source-files --del --delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --force --max-delete: --max-size: --min-size: --partial --partial-dir= --delay-updates --prune-empty-dirs --numeric-ids --usermap: --groupmap: --chown: --timeout: --contimeout: --size-only --modify-window: --temp-dir= --fuzzy --compare-dest= --copy-dest= --link-dest= --compress-choice: --compress-level: --skip-compress: --cvs-exclude --filter: --exclude: --exclude-from= --include: --include-from= --from0 --protect-args --secluded-args --port: --stats --8-bit-output --log-file> --log-file-format: --human-readable --progress --info: --itemize-changes --out-format: --bwlimit: --update --inplace --append --append-verify --dirs --backup --backup-dir= --suffix: --mkpath --list-only --no-motd --no-perms --no-owner --no-group --no-times --no-recursive --no-implied-dirs --no-whole-file --no-compress --no-links --no-D --no-o --no-g --no-p --no-t --no-r --open-noatime --ipv4 --ipv6 --version --help',
  patch: 'bcElfNnRstTuZvp:d=D:F:i=o>r>x:V:B:Y:z: --backup --context --remove-empty-files --force --forward --ignore-whitespace --normal --reverse --quiet --silent --batch --set-time --set-utc --unified --verbose --strip: --directory= --ifdef: --fuzz: --input= --output> --reject-file> --reject-format: --prefix: --basename-prefix: --suffix: --version-control: --quoting-style: --read-only: --dry-run --binary --posix --merge? --follow-symlinks --backup-if-mismatch --no-backup-if-mismatch --version --help',
  split: 'a:b:C:l:n:dxet:uv0123456789 --suffix-length: --additional-suffix: --bytes: --line-bytes: --lines: --number: --numeric-suffixes? --hex-suffixes? --elide-empty-files --separator: --unbuffered --verbose --version --help',
  mktemp: 'dqutp=V --directory --dry-run --quiet --suffix: --tmpdir? --version --help',
  zstdcat: 'dcfqvkT:M:D= --decompress --stdout --force --quiet --verbose --keep --no-progress --version --help',
  diffstat: 'bcCklmnpqrstuKUvVf:w:n:N:p:R:S:D=E:T',
};

/** How an option takes a value. */
export type Taking = '' | ':' | '=' | '>' | '?';

const isTaking = (mark: string): mark is Taking => /^[:=>?]?$/.test(mark);

/** `-f` and `--file` of one program, each with how it takes a value. */
const optionsIn = (text: string): ReadonlyMap<string, Taking> =>
  new Map(
    text
      .split(' ')
      .flatMap((part) =>
        [...part.matchAll(/(^--[\w-]+|(?!^--)\w)([:=>?]?)/g)].map(
          ([, name = '', mark = '']) =>
            [name.startsWith('--') ? name : `-${name}`, isTaking(mark) ? mark : ''] as const,
        ),
      ),
  );

export const OPTIONS: ReadonlyMap<string, ReadonlyMap<string, Taking>> = new Map(
  Object.entries(GETOPT).flatMap(([names, text]) => names.split('|').map((name) => [name, optionsIn(text)] as const)),
);

/** The options of a program that take a value in one way. */
const taking = (mark: Taking): readonly (readonly [string, ReadonlySet<string>])[] =>
  [...OPTIONS].map(
    ([name, options]) => [name, new Set([...options].flatMap(([one, how]) => (how === mark ? [one] : [])))] as const,
  );

/** Options that take the next word, which is neither a file nor an option then. */
// biome-ignore format: many entries a line
const VALUED_ALONE = sets({
  grep: '-A -B -C -m -e --include --exclude --exclude-dir', egrep: '-A -B -C -m -e',
  rg: '-A -B -C -g -t -T -m -j -r -e --glob --type --type-not --max-count --max-depth --replace',
  'awk|gawk|mawk': '-F -v', 'sed|gsed': '-e --expression', cut: '-d -f -c -b', date: '-d --date',
  find: '-name -iname -path -ipath -wholename -regex -iregex -newer -mtime -mmin -ctime -atime -size -type -user -group -perm -maxdepth -mindepth -printf',
  uniq: '-f -s -w --skip-fields --skip-chars --check-chars', xxd: '-c -g -l -o -s', du: '-d --max-depth --exclude',
  tree: '-L -I -P', join: '-t -1 -2 -j', paste: '-d', column: '-s -t', stat: '-c', 'head|tail': '-n -c', base64: '-w',
  mkdir: '-m', touch: '-d -t', truncate: '-s', shred: '-n -s', jq: '--indent --arg --argjson',
  journalctl: '-u -p -g -t --since --until --unit --priority --grep',
  systemctl: '-n -p -t --lines --property --type --state --output',
  'git log|git show|git rev-list|git reflog': '-n -S -G -L --since --until --after --before --author --committer --grep --max-count --skip',
  'git diff': '-S -G', 'git shortlog': '--since --until --author --grep', 'git blame|git annotate': '-L -S --since --ignore-rev', 'git grep': '-e -A -B -C -m',
  'git commit': '-m --message --author --date --trailer', 'git tag': '-m --message --contains --no-contains --merged --no-merged --points-at --sort --format',
  'git branch': '--contains --no-contains --merged --no-merged --points-at --sort --format',
  'git merge|git notes': '-m --message', 'git checkout': '-b -B --orphan',
  'git switch': '-c -C --create --orphan', 'git restore': '-s --source', 'git clean': '-e --exclude', 'git ls-files': '-x -X --exclude',
  'git for-each-ref': '--format --sort --count',
});

export const VALUED: ReadonlyMap<string, ReadonlySet<string>> = new Map([...VALUED_ALONE, ...taking(':')]);

/** Options whose value is a file that the program writes: attached, or the next word. */
// biome-ignore format: many entries a line
export const OUTPUT: ReadonlyMap<string, RegExp> = new Map([
  ['tree', /^-[a-zA-Z]*?o(.*)$/], ['git', /^(?:--ou[a-z-]*=?|-o)(.*)$/], ['dd', /^of=(.*)$/], ['7z', /^-o(.+)$/],
  ['find', /^-(?:fprint0?|fprintf|fls)()$/], ['unzip', /^-d(.*)$/], ['csplit', /^(?:-f|--pre[a-z]*=?)(.*)$/],
  ...taking('>').map(([name, options]) => [name, new RegExp(`^(?:${[...options, '(?!)'].join('|')})()$`)] as const),
]);

/** Long options that make a program do its worst. The beginning of one of them is that one. */
// biome-ignore format: many entries a line
export const WORST_OPTIONS = sets({
  'fd|fdfind': '--exec', rg: '--pre --hostname-bin', 'ag|man': '--pager', 'bat|batcat': '--pager --generate-config-file', ack: '--pager --output --ackrc',
  date: '--set', 'diff3|cloc': '--diff-program', yq: '--inplace --in-place --split-exp --from-file', 'pip|pip3|gem': '--python', 'nm|objdump|readelf|size': '--plugin',
  git: '--output --ext-diff --textconv --open-files-in-pager --exec --strategy --hard --merge --keep --force --delete --amend --soft --worktree --discard-changes --no-dry-run --apply --edit --mirror --prune --fetch --filters --web --remote',
});
