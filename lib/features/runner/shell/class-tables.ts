/**
 * Programs by what they do. One that no table knows is unseen. Rules of a program are read in
 * order, over its words after the name, each with a blank before it; the first that fits counts.
 */
import type { CommandClass } from '../../../core/signal/facts.ts';

const names = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');
const set = (text: string): ReadonlySet<string> => new Set(names(text));

/** They read the files they are given, and print. */
const READ_FILES = set(
  `cat tac nl head tail wc cut paste join comm diff diff3 cmp sort uniq fold fmt column expand unexpand rev od hexdump
  xxd strings base64 base32 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum sum b2sum shasum md5 ls dir
  vdir tree stat file du df readlink realpath find fd fdfind bat batcat zcat bzcat xzcat shuf tsort pr exa eza
  lsd getfacl cloc tokei iconv numfmt zipinfo less more tar unzip rsync bc nm objdump readelf size lsattr openssl c++filt addr2line findmnt namei diffstat lsmod lsns colrm zstdcat`,
);
/** Their first operand is a pattern or a program, the others are files they read. */
export const BY_PATTERN = set('grep egrep fgrep zgrep rg ag ack sed gsed awk gawk mawk nawk jq yq gojq');
/** They read no file that they are given, and change nothing. */
const READ_NOTHING = set(
  `echo printf : true false test [ date cal pwd whoami id groups users who w hostname uname uptime nproc arch tty free ps
  pgrep printenv env set which type whereis command hash seq expr factor sleep cd pushd popd dirs export declare typeset
  local readonly unset shift return break continue wait jobs read mapfile readarray getopts shopt umask ulimit times
  exit logname getconf locale basename dirname tr lscpu lsblk lsusb lspci ss netstat vmstat iostat sw_vers apropos
  whatis pstree last builtin exec xargs sync man time nice ionice nohup setsid timeout gtimeout stdbuf taskset chrt caffeinate
  busybox toybox ! sh bash dash zsh ksh ash`,
);
/** Builtins and wrappers: what they start is named instead. */
export const UNNAMED = set(
  `echo printf : true false cd pushd popd dirs pwd test [ export declare typeset local readonly unset shift return break
  continue wait jobs read mapfile readarray getopts shopt umask ulimit times set exit trap type command builtin hash
  exec env xargs time nice ionice nohup setsid timeout gtimeout stdbuf taskset chrt caffeinate busybox toybox !`,
);
/** They set variables that they name. */
export const DECLARERS = set('export declare typeset local readonly read mapfile readarray env getopts unset');

/** They change all files they are given. */
const CHANGE_ALL = set(
  `mkdir touch tee chmod chown chgrp chattr setfacl rmdir mkfifo gzip gunzip bzip2 bunzip2 xz unxz zstd mv patch split
  csplit fallocate sponge dos2unix unix2dos zip 7z mktemp`,
);
/** They change the last of the files they are given, and read the others. */
export const CHANGE_LAST = set('cp install ln rsync ditto uniq xxd');
/** They change files in their folder that nobody names. */
export const UNPACKS = set('unzip 7z patch split csplit');
/** They put a packed or unpacked file in the place of each. */
export const PACKERS = set('gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd');
/** They may put another file in the place of one that is there. */
export const REPLACES = set('tee cp mv install ditto split csplit sponge');

export const DELETES = 'it deletes files';
export const DISK = 'it writes to a disk past its file system';
const PROGRAMS = 'it ends running programs';
const MACHINE = 'it stops or disables the machine or its protection';
/** Programs that only end a process or change no file. */
export const NO_FILES: ReadonlySet<string> = new Set([PROGRAMS, MACHINE]);
const DESTROYS: ReadonlyMap<string, string> = new Map(
  (
    [
      [DELETES, 'rm grm unlink rimraf trash trash-put shred srm wipe'],
      ['it overwrites files', 'truncate dd'],
      [
        DISK,
        `mkfs mke2fs mkswap wipefs fdisk sfdisk gdisk sgdisk cgdisk cfdisk parted blkdiscard newfs badblocks lvremove
        vgremove pvremove cryptsetup mdadm hdparm diskutil zpool zfs btrfs`,
      ],
      [PROGRAMS, 'kill killall pkill killall5 xkill'],
      [
        MACHINE,
        `shutdown reboot halt poweroff init telinit swapoff systemctl service mount umount useradd adduser userdel deluser
        usermod passwd chpasswd visudo setenforce rmmod insmod modprobe iptables ip6tables nft ufw sysctl`,
      ],
    ] as const
  ).flatMap(([because, text]) => names(text).map((name) => [name, because])),
);

const LEAVES = set(
  `curl wget aria2c axel http https xh lynx w3m links ssh scp sftp ftp lftp tftp telnet mosh rsh nc ncat netcat socat
  nmap ping ping6 traceroute mtr dig host nslookup whois docker podman nerdctl docker-compose kubectl helm oc k9s aws az
  gcloud gsutil bq gh glab hub terraform tofu terragrunt pulumi cdk ansible ansible-playbook serverless sls sam heroku
  flyctl fly vercel netlify wrangler firebase doctl hcloud linode-cli ibmcloud oci vagrant virsh mail mailx mutt sendmail
  msmtp swaks apt apt-get aptitude yum dnf zypper pacman apk snap flatpak brew port pip pip3 pipx conda mamba poetry uv
  gem composer rclone s3cmd psql mysql mariadb mongo mongosh redis-cli valkey-cli influx sqlcmd clickhouse
  clickhouse-client cqlsh snowsql cockroach pg_dump pg_restore mysqldump mysqladmin createdb dropdb dropuser smbclient
  sshfs svn hg wormhole croc gist xdg-open open etcdctl consul vault op rabbitmqctl kafka-topics eksctl kops skopeo`,
);
/** They run code from files or arguments that nobody has read, or start it later or elsewhere. */
const RUNS_CODE =
  /^(?:python|pypy|perl|ruby|node|nodejs|deno|bun|bunx|php|lua|luajit|rscript|osascript|pwsh|powershell|tclsh|java|julia|g?make|cmake|ninja|gradlew?|mvn|ant|npx|tsx|ts-node|tsc|vitest|jest|mocha|pytest|tox|nox|rake|bundle|rails|just|task|bazel|go|cargo|rustc|npm|pnpm|yarn|dotnet|swift|ghc|expect|parallel|watch|entr|at|batch|crontab|n?vim?|ex|ed|emacs|nano|code|screen|tmux|script|gdb|strace|ltrace|su|sqlite3?|source|\.|git)[\d.]*$/;

export type Rule = readonly [use: RegExp, found: CommandClass, because?: string];

const FILE = 'it writes to a file that an option names';
const OPTION = 'an option of it runs another program';
const CODE = 'it runs code that nobody has read';
export const NOT_KNOWN = 'its program is not known here';
export const OWN_PROGRAM = 'it runs a program of its own folder';
const STRANGE = 'this use of it is not known here';
export const EMPTIES = 'it empties a file';
const REPLACED = 'it replaces files without asking';
const HISTORY = 'it rewrites or removes history';
const SETUID = 'it lets a program run as its owner';
const UNSAVED = 'it throws away changes that no commit holds';
const AWAY = 'it sends to other machines or fetches from them';
const ALL = /^/;
export const TAKES_AWAY = 'it rewrites or removes what another machine holds';
export const AS_ROOT = 'it asks for the rights of an administrator';
/** Reasons that the name of a program tells. */
export const BY_NAME: ReadonlySet<string> = new Set([CODE, NOT_KNOWN, OWN_PROGRAM, AWAY, TAKES_AWAY, AS_ROOT]);

const FORCED: readonly Rule[] = [
  [/ (?:-[a-zA-Z]*f|--f[a-z]*(?: |$)|--rem)/, 'destroys', REPLACED],
  [/^(?: -\S+)* \/dev\/null /, 'destroys', EMPTIES],
];
/** They print, if they are told so or get no file. */
const PACKS: readonly Rule[] = [
  [
    / (?:-c|--stdout|--to-stdout)(?: |$)|^(?!.* (?:-[dz]|--(?:de|un)?compress)(?: |$)).* (?:-[lt]|--list|--test)(?: |$)/,
    'reads',
  ],
  [/^(?: -\S+)*$/, 'reads'],
  [/ (?:-f|--force)(?: |$)/, 'destroys', REPLACED],
];
const SECOND: readonly Rule[] = [[/^(?: -\S+| _)* (?!-|_ )\S+ \S|[*?[\ue004]/, 'changes', FILE]];
/** Bash counts out whatever such a variable gets: `a[$(rm x)]` runs rm. */
const COUNTED: readonly Rule[] = [[/ -[a-zA-Z]*i/, 'unseen', STRANGE]];
const SHOWS: readonly Rule[] = [[/^(?: (?:status|list-\S+|show))?$/, 'reads']];
const VERSION: readonly Rule[] = [[/^ (?:-v|-version)$/, 'reads']];
const LOADS: readonly Rule[] = [[/ (?:--pl|@)/, 'unseen', OPTION]];
const PAGES: readonly Rule[] = [[/ --(?:pager|gen)|^ cache/, 'unseen', OPTION]];
const FINDS: readonly Rule[] = [[/ (?:-[a-zA-Z]*[xX]|--exec)/, 'unseen', OPTION]];
const PACKAGES: readonly Rule[] = [
  [/ --log/, 'changes', FILE],
  [
    /^ (?:list|show|freeze|check|env|environment|contents|which)(?: (?:-[flv]+|--(?:format=\w+|local|user|verbose|files)|[^-]\S*))*$/,
    'reads',
  ],
];
const SCRIPTS: readonly Rule[] = [
  [
    /^ (?:ls|list|why|explain|root|prefix|bin|pkg get|config (?:get|list))(?: (?:-[agl]|--(?:all|depth|global|json|link|long|omit|parseable|prod)(?:=\S+)?|[^-]\S*))*$/,
    'reads',
  ],
  [
    /^ (?:i|in|ins|inst|install|ci|add|publish|unpublish|update|up|upgrade|uninstall|un|rm|remove|view|info|show|search|outdated|audit|login|logout|whoami|token|owner|access|deprecate|dist-tag|star|ping|doctor|fund|link|dedupe|import)(?: |$)/,
    'leaves',
    AWAY,
  ],
];

// biome-ignore format: one line per rule
export const RULES: ReadonlyMap<string, readonly Rule[]> = new Map<string, readonly Rule[]>([
  ['sort', [[/ --(?:co|files0)/, 'unseen', OPTION], [/ (?:-[a-zA-Z]*o|--o)/, 'changes', FILE]]],
  ['shuf', [[/ (?:-[a-z]*o|--o)/, 'changes', FILE]]],
  ['tree', [[/ -[a-zA-Z]*[oR]/, 'changes', FILE]]],
  ['iconv', [[/ (?:-o|--o)/, 'changes', FILE]]],
  ['uniq', SECOND], ['xxd', SECOND],
  ['file', [[/ (?:-[a-zA-Z]*C|--comp)/, 'changes', FILE]]],
  ['find', [[/ -delete(?: |$)/, 'destroys', 'it deletes what it finds'], [/ -(?:fprint0?|fprintf|fls) /, 'changes', FILE], [/ -files0/, 'unseen', STRANGE]]],
  ['fd', FINDS], ['fdfind', FINDS],
  ['rg', [[/ --(?:pre(?:=| )|hostname-bin)/, 'unseen', OPTION]]],
  ['ag', [[/ --pager/, 'unseen', OPTION]]],
  ['ack', [[/ --(?:pager|output|ackrc)/, 'unseen', OPTION]]],
  ['bat', PAGES], ['batcat', PAGES],
  ['less', [[/ (?:\+|-(?![NRSXFEinq]+(?: |$)))/, 'unseen', OPTION]]],
  ['more', [[/ [-+]/, 'unseen', OPTION]]],
  ['man', [[/^ -[kf] [^-]\S*$/, 'reads'], [/ -/, 'unseen', OPTION]]],
  ['arch', [[/ /, 'unseen', OPTION]]],
  ['diff3', [[/ --d/, 'unseen', OPTION]]],
  ['cloc', [[/ (?!--(?:json|csv|yaml|quiet|by-file|git|diff|(?:exclude-dir|include-lang)=\S+)(?: |$))[-+]/, 'unseen', OPTION]]],
  ['date', [[/^(?: (?:-[jnuR]+|-u?d _|-[dI]\S*|-r [^-]\S*|-v\S+|--(?:date|reference|iso-8601|rfc-3339|rfc-email|utc|universal)(?:=\S+)?|_|\+\S*))*$/, 'reads'], [ALL, 'destroys', MACHINE]]],
  ['hostname', [[/ [^-]/, 'destroys', MACHINE], [/ (?:-[a-zA-Z]*[bF]|--(?:boot|file))/, 'destroys', MACHINE]]],
  ['test', [[/ -v /, 'unseen', STRANGE]]], ['[', [[/ -v /, 'unseen', STRANGE]]],
  ['jobs', [[/ -[a-z]*x/, 'unseen', OPTION]]], ['wait', [[/ -[a-z]*p/, 'unseen', STRANGE]]],
  ['unset', [[/ -[a-z]*f/, 'unseen', STRANGE]]], ['lspci', [[/ -[a-zA-Z]*[qQ]/, 'leaves', AWAY]]],
  ['declare', COUNTED], ['typeset', COUNTED], ['local', COUNTED],
  ['printf', [[/^ -v/, 'unseen', STRANGE]]],
  ['mapfile', [[/ -[a-zA-Z]*C/, 'unseen', OPTION]]], ['readarray', [[/ -[a-zA-Z]*C/, 'unseen', OPTION]]],
  ['hash', [[/ -[a-z]*p/, 'unseen', STRANGE]]], ['eval', [[ALL, 'unseen', STRANGE]]], ['trap', [[/ (?!-)/, 'unseen', STRANGE]]],
  ['ss', [[/ (?:-[a-zA-Z]*[KD]|--(?:kill|diag))/, 'destroys', PROGRAMS]]],
  ['let', [[/^(?: [a-z]\w*[-+*/%]?=[\d+*/%-]+)+$/, 'reads'], [ALL, 'unseen', STRANGE]]],
  ['nm', LOADS], ['objdump', LOADS], ['readelf', LOADS], ['size', LOADS],
  ['openssl', [[/^ (?:x509|dgst|crl|asn1parse|version|ciphers|verify)(?: (?:-(?:in|noout|text|dates|enddate|startdate|subject|issuer|serial|fingerprint|sha\d+|md5|hex|r|a|modulus|pubkey|ext|checkend|inform)|(?!\S*:\/)[^-]\S*))*$/, 'reads'], [/^ (?:s_client |.*:\/)/, 'leaves', AWAY], [ALL, 'unseen', STRANGE]]],
  ['journalctl', [[/^(?: (?:-[abefklnopqrStuUxNF]+\d*|--(?:no-pager|since|until|unit|user|user-unit|boot|disk-usage|list-boots|grep|lines|output|priority|reverse|follow|utc|dmesg|identifier|all|quiet|no-hostname|catalog)(?:=\S+)?|[^-]\S*))*$/, 'reads']]],
  ['dmesg', [[/^(?: (?:-[HTkuxLeltPwW]+|--(?:human|ctime|level|facility|kernel|userspace|since|until|follow|color|nopager|decode)(?:=\S+)?|[^-]\S*))*$/, 'reads']]],
  ['ip', [[/^(?: -(?:br|brief|c|color|s|j|json|p|o|4|6|d))* (?:a|addr|address|l|link|r|route|n|neigh|rule)(?: (?:sh|show|list|ls|get)(?: \S+)*)?$/, 'reads']]],
  ['lsof', [[/^(?: (?:[-+][acdhilnpPRstuUw][^\s/]*|[^-+]\S*))*$/, 'reads']]],
  ['top', [[/^(?=.* -b)(?: (?:-[bnHci1]+\d*|-[opu]|[%\w.]+))*$/, 'reads']]],
  ['getent', [[/^ (?:passwd|group|services|protocols)(?: [^-]\S*)*$/, 'reads'], [/^ a?hosts/, 'leaves', AWAY]]],
  ['ifconfig', [[/^(?: (?:-a|[a-z]\w*))?$/, 'reads']]],
  ['node', VERSION], ['npx', VERSION], ['sqlite3', VERSION],
  ['hostnamectl', SHOWS], ['localectl', SHOWS], ['timedatectl', SHOWS], ['loginctl', SHOWS],
  ['ssh-keygen', [[/^ -lf [^-]\S*$/, 'reads']]],
  ['systemctl', [[/^(?: --(?:user|no-pager))* (?:status|is-\w+|list-\S+|show|cat)(?: (?:-[alnpqt]+|--(?:user|no-pager|all|full|failed|no-legend|plain|value|(?:type|state|lines|property|output)(?:=\S+)?)|[^-]\S*))*$/, 'reads']]],
  ['service', [[/^ (?:[\w@.-]+ status|--status-all)$/, 'reads']]],
  ['mount', [[/^$/, 'reads']]],
  ['sysctl', [[/^ (?:-a|(?:-n )?[\w.]+)$/, 'reads']]],
  ['kill', [[/^ -l(?: \w+)?$/, 'reads']]],
  ['crontab', [[/^ -l$/, 'reads'], [/ -[a-z]*r/, 'destroys', 'it removes all scheduled jobs'], [ALL, 'unseen', CODE]]],
  ['dpkg', [[/^ (?:-[lLsS]|--(?:list|listfiles|status|search))(?: [^-]\S*)*$/, 'reads'], [ALL, 'unseen', STRANGE]]],
  ['rpm', [[/^ -q\w*(?: [\w.+][\w.+-]*)*$/, 'reads'], [ALL, 'unseen', STRANGE]]],
  ['jq', [[/^(?: -\S+| _)* \ue000/, 'unseen', CODE]]],
  ['yq', [[/\ue000|\b(?:load\w*|eval|system)\b| (?:-[a-zA-Z]*s|--split|--from-file)/, 'unseen', STRANGE], [/ (?:-[a-zA-Z]*i|--in-?place)/, 'changes', 'it changes files in place']]],
  ['gzip', PACKS], ['gunzip', PACKS], ['bzip2', PACKS], ['bunzip2', PACKS], ['xz', PACKS], ['unxz', PACKS],
  ['zstd', [[/ --rm/, 'destroys', DELETES], [/^ -[dq]*[clt][dq]*(?: [^-]\S*)*$/, 'reads'], [/ (?:-[a-zA-Z0-9]*f|--force)/, 'destroys', REPLACED]]],
  ['fallocate', [[/ (?:-[a-z]*[pcz]|--(?:pu|col|ze))/, 'destroys', 'it overwrites files']]],
  ['cp', FORCED], ['mv', [[/ \/dev\/null$/, 'destroys', DELETES], ...FORCED]], ['ln', FORCED],
  ['install', [[/ --strip-p/, 'unseen', OPTION], [/ (?:-m|--mode) (?:0*[4-7][0-7]{3}(?: |$)|\S*[+=][a-zA-Z]*s)/, 'destroys', SETUID], ...FORCED.slice(1)]],
  ['zip', [[/ (?:-[a-zA-Z]*T|--unzip-c)/, 'unseen', OPTION], [/ (?:-[a-zA-Z]*[md](?: |$)|--move|--delete)/, 'destroys', DELETES]]],
  ['7z', [[/^ [lt] /, 'reads'], [/^ d | -sdel/, 'destroys', DELETES], [/^(?! a ).* -(?:y|aoa)(?: |$)/i, 'destroys', REPLACED]]],
  ['unzip', [[/^(?!.* -\S*-) -(?:[aCjLnqvz]*[lptZ]|v [^-])/, 'reads'], [/ -[a-zA-Z]*o/, 'destroys', REPLACED], [ALL, 'changes', 'it unpacks files']]],
  ['rsync', [
    [/ (?:-[a-zA-Z]*e|--rsh|--rsync-p)/, 'unseen', OPTION],
    [/ (?:(?:[\w.-]+@)?[\w.-]+:|rsync:)/, 'leaves', AWAY],
    [/^(?=.* (?:-n|--dry-run)(?: |$))(?!.* --log)/, 'reads'],
    [/ --(?:del|remove-s)/, 'destroys', DELETES],
    [ALL, 'changes', 'it copies files'],
  ]],
  ['patch', [[/ (?:-[a-zA-Z]*e|--ed)/, 'unseen', OPTION], [/^(?=.* --dry-run)(?!.* (?:-[a-zA-Z]*[or]|--(?:out|rej)))/, 'reads']]],
  ['split', [[/ --fi/, 'unseen', OPTION]]],
  ['chmod', [[/ 0*[4-7][0-7]{3} |[+=][a-zA-Z]*s| --reference/, 'destroys', SETUID]]],
  ['tee', [[/^(?: -\S+| \/dev\/(?:null|stdout|stderr)| \ue002)*$/, 'reads']]],
  ['dd', [[/[\ue000\ue004]/, 'destroys', DISK], [/^(?!.* of=(?!\/dev\/null(?: |$)))/i, 'reads'], [/ of=\/dev\//, 'destroys', DISK]]],
  ['mktemp', [[/ (?:-[a-z]*u|--dry)/, 'reads']]],
  ['tar', [
    [/ --to-command/, 'unseen', OPTION],
    [/ (?:\S*=)?[\w.@-]+:/, 'leaves', AWAY],
    [/ (?:-U|--(?:delete|remove-files|recursive-unlink|unlink-first|overwrite))(?: |$)/, 'destroys', 'it deletes or replaces files'],
    [/^(?!.* (?:-[cruA]|--(?:create|append|update|(?:con)?catenate))(?: |$)).* (?:-[tdO]|--(?:list|diff|compare|to-stdout))(?: |$)/, 'reads'],
    [ALL, 'changes', 'it packs or unpacks files'],
  ]],
  ['pip', PACKAGES], ['pip3', PACKAGES], ['gem', PACKAGES],
  ['npm', SCRIPTS], ['pnpm', SCRIPTS.slice(1)], ['yarn', SCRIPTS.slice(1)],
  ['go', [[/^ (?:version|env)(?: \w+)*$/, 'reads'], [/^ (?:get|install|mod|list|work)(?: |$)/, 'leaves', AWAY]]],
  ['cargo', [[/^ (?:install|uninstall|publish|update|add|search|fetch|login|tree|metadata|yank|owner)(?: |$)/, 'leaves', AWAY]]],
  ['git', [
    [/^ [a-z-]+ --help$/, 'reads'],
    [/^ push (?:.* )?(?:-[a-z]*[fd]|--(?:force|mirror|prune|delete)|[+:]\S)/, 'leaves', TAKES_AWAY],
    [/^ (?:push|fetch|pull|clone|ls-remote|remote(?: -v| --verbose)* (?:show|update|prune)|remote (?:add .*(?:-[a-z]*f|--fetch)|set-head .*-a)|submodule (?:--quiet )?(?:add|update)|send-email|lfs|svn|p4|archive .*--rem)/, 'leaves', AWAY],
    [/^ (?:filter-branch|difftool|mergetool|credential|hook|bisect (?:run|vi)|submodule foreach|gui|citool|daemon|instaweb|maintenance|help (?!-[ag]$)(?:.* )?-)/, 'unseen', CODE],
    [/^ (?:diff|log|show|blame|cat-file|rev-list|shortlog|reflog|stash (?:list|show)|range-diff|diff-\w+|archive) (?:.* )?--(?:ext|textc|filters|exec)/, 'unseen', OPTION],
    [/^ (?:grep (?:.* )?(?:--open|-[a-z]*O)|(?:rebase|am|config) (?:.* )?(?:--e[dx]|-[a-z]*[ex](?: |$))|(?:merge|cherry-pick|revert) (?:.* )?--strategy[= ](?!(?:ours|recursive|resolve|octopus|ort|subtree)(?: |$))|merge (?:.* )?-[a-zA-Z]*s ?(?!(?:ours|recursive|resolve|octopus|ort|subtree)(?: |$)))/, 'unseen', OPTION],
    [/^ cat-file (?:.* )?--(?!batch|buffer|unordered|follow|allow-un|path|(?:no-)?(?:mail|use-mail))/, 'unseen', OPTION],
    [/^ (?:diff|log|show|rev-list|diff-\w+|shortlog|reflog|stash (?:list|show)|range-diff|format-patch|archive) (?:.* )?(?:--output(?!-i)|-o)/, 'changes', FILE],
    [/^ (?:status|log|diff|show|blame|annotate|shortlog|describe|rev-parse|rev-list|ls-files|ls-tree|cat-file|grep|name-rev|merge-base|for-each-ref|show-ref|show-branch|var|version|help|count-objects|check-ignore|check-attr|check-ref-format|diff-(?:files|index|pairs|tree)|cherry|range-diff|verify-commit|verify-tag|stripspace|--version)(?: |$)/, 'reads'],
    [/^ (?:stash (?:list|show)|worktree list|notes (?:list|show)|bundle (?:verify|list-heads)|reflog (?:show|-n|-\d+)|archive)(?: |$)/, 'reads'],
    [/^ (?:(?:notes(?: list)?|bisect log|reflog|submodule(?: summary)?|fsck(?: --(?!lost)\S+)*|interpret-trailers --parse|symbolic-ref(?: -q| --short)* [\w/]+)$|submodule status(?: [^-]\S*)*$|format-patch (?:.* )?--stdout|hash-object (?!.*-\w*w))/, 'reads'],
    [/^ remote(?: -v| --verbose)?$|^ remote get-url(?: --all| --push)? [^-]\S*$/, 'reads'],
    [/^ apply(?=.* --(?:check|(?:num)?stat|summary))(?: (?:--(?:check|stat|numstat|summary|reverse|verbose|recount)|-[Rvp]\d*|[^-]\S*))*$/, 'reads'],
    [/^ clean(?=.* (?:-[a-zA-Z]*n|--dry-run))(?: (?:-[defnqxX]+|--dry-run|[^-\ue000]\S*))*$/, 'reads'],
    [/^ branch(?: (?:-[aiqrv]+|--(?:all|remotes|show-current|verbose|(?:color|column|abbrev|no-\w+)(?:=\S+)?|(?:sort|format)(?:=\S+| \S+))))*$/, 'reads'],
    [/^ branch(?=.* (?:-l|--list|--(?:no-)?(?:contains|merged)|--points-at)(?:[= ]|$))(?: (?:-[ailqrv]+|--(?:list|all|remotes|verbose|(?:color|column|abbrev|sort|format|(?:no-)?contains|(?:no-)?merged|points-at)(?:=\S+)?)|[^-]\S*))*$/, 'reads'],
    [/^ tag(?:$|(?=.* (?:-l|--list|-n\d*|--(?:no-)?(?:contains|merged)|--points-at)(?:[= ]|$))(?: (?:-[il]+|-n\d*|--(?:list|(?:color|column|sort|format|(?:no-)?contains|(?:no-)?merged|points-at)(?:=\S+)?)|[^-]\S*))*$| --sort=\S+$)/, 'reads'],
    [/^ config(?: (?:--(?:global|local|system|worktree|show-\w+|bool|int|path|type=\w+|name-only|null)|-z))*(?: (?:--get|--get-all|--get-regexp|--list|-l|get|list)(?: (?:--(?:show-\w+|name-only|all|null)|-z|[^-]\S*))*| \w[\w-]*\.[\w.-]+)$/, 'reads'],
    [/^ (?:rebase|filter-repo|update-ref|replace|gc|prune|reflog|commit (?:.* )?--am|reset (?:.* )?(?:HEAD[~^@]|[\w/.-]+[~^]|[0-9a-f]{7,40}(?: |$)|--soft)|reset(?: -\S+)* (?!HEAD(?: |$)|-|\S*\.[a-zA-Z]\w*(?: |$))\S|branch (?:.* )?(?:-[a-zA-Z]*[dDMCf]|--(?:delete|force))|tag (?:.* )?(?:-[a-z]*[df]|--(?:delete|force))|stash (?:drop|clear)|checkout (?:.* )?-B|switch (?:.* )?(?:-C|--force-c)|worktree (?:remove|prune|(?:add|move) (?:.* )?(?:-[a-zA-Z]*[Bf]|--force))|notes (?:.* )?(?:remove|prune|-f|--force)|symbolic-ref (?:.* )?(?:-d|--delete)|repack .*-[a-z]*[adA]|submodule deinit|config (?:.* )?--(?:remove|rename))/, 'destroys', HISTORY],
    [/^ (?:mv (?:.* )?(?:-[a-z]*f|--force)|(?:merge|cherry-pick|revert|am) (?:.* )?--(?:ab|sk)|reset (?:.* )?--(?:hard|merge|keep)|checkout (?:.* )?(?:--(?: |$)|-[a-z]*f|--force|\.(?: |$|\/)|--ours|--theirs|-p|--pat)|switch (?:.* )?(?:-[a-z]*f|--force|--discard)|read-tree|checkout-index (?:.* )?(?:-[a-z]*f|--force))/, 'destroys', UNSAVED],
    [/^ restore(?!(?=.* (?:--staged|-S)(?: |$))(?: (?:--staged|-S|-q|-s|--source|--source=\S+|_|--|[^-]\S*))*$)/, 'destroys', UNSAVED],
    [/^ clean/, 'destroys', 'it removes files git does not keep'],
    [/^ rm (?:.* )?--cached/, 'changes', 'it changes what git keeps'],
    [/^ rm /, 'destroys', DELETES],
    [/^ checkout (?!(?:.* )?(?:-b|--orphan|-t|--track|--detach))(?!\S*\d\.\d[\w.-]*$)(?:\S*\.\w+|\S*\/|:\S*|\S*[*?\ue000]\S*|[A-Z]\w*|\S+ \S+.*)$/, 'destroys', UNSAVED],
    [/^ (?:config(?: (?:set|--(?:global|local|unset|add)))* (?:user\.|color\.|init\.defaultbranch|pull\.|push\.default|merge\.ff|rebase\.auto|commit\.verbose|branch\.|core\.(?:autocrlf|eol|filemode|ignorecase|quotepath))|(?:add|commit|checkout|switch|restore|reset|stash|branch|tag|merge|cherry-pick|revert|mv|init|apply|am|worktree (?:add|lock|unlock)|remote(?: -v| --verbose)* (?:add|remove|rm|rename|set-url|set-head)|notes|bundle create|hash-object|update-index|write-tree|commit-tree|sparse-checkout|format-patch|pack-refs|symbolic-ref|bisect|checkout-index|commit-graph|multi-pack-index|index-pack|unpack-(?:file|objects)|mktree|merge-tree|merge-file|update-server-info|repack|fsck|submodule (?:init|sync))(?: |$))/, 'changes', 'it changes what git keeps'],
    [ALL, 'unseen', STRANGE],
  ]],
]);

/** The class of a program in any use that no rule names. */
export const usualRule = (name: string): Rule => {
  if (READ_FILES.has(name) || BY_PATTERN.has(name) || READ_NOTHING.has(name)) return [ALL, 'reads'];
  const destroys = /^mkfs\./.test(name) ? DISK : DESTROYS.get(name);
  if (destroys !== undefined) return [ALL, 'destroys', destroys];
  if (CHANGE_ALL.has(name) || CHANGE_LAST.has(name)) return [ALL, 'changes', 'it makes or changes files'];
  if (LEAVES.has(name)) return [ALL, 'leaves', AWAY];
  return RUNS_CODE.test(name) ? [ALL, 'unseen', CODE] : [ALL, 'unseen', NOT_KNOWN];
};

/** Whether the words of a program that only reads are files. */
export const readsOperands = (name: string): boolean => READ_FILES.has(name) || BY_PATTERN.has(name);

const oneOf = (text: string): string => names(text).join('|');
/** Whole names of variables by which shells and programs choose what they run. */
const STEERING = oneOf(
  `PATH IFS ENV HOME SHELL SHELLOPTS PS4 CDPATH VISUAL BROWSER TMPDIR PWD OLDPWD LOCPATH NLSPATH TAPE ZDOTDIR
  GNUPGHOME CC CXX FC GOENV GOROOT GOBIN GOTOOLCHAIN GOPROXY`,
);
/** Beginnings of them. */
const STEERING_FAMILIES = oneOf(
  `XDG_ ACK GCC MAN OPENSSL RSYNC LD DYLD BASH GIT SSH LESS PYTHON PERL RUBY NODE NPM npm JAVA RIPGREP GREP TAR ZIP
  UNZIP GCONV MALLOC MAKE JQ PIP_ GEM_ BAT_ YARN_ COREPACK_ CARGO_ RUSTUP_ DOTNET_ PYENV_ RBENV_ ASDF_ DBUS_ SYSTEMD_
  DEBUGINFOD_ GETCONF_ GROFF_ GLIBC_`,
);
const STEERING_ENDS = oneOf('PATH PRELOAD PAGER EDITOR OPTIONS OPTS CONFIG RSH COMMAND FLAGS OPEN CLOSE');

/** Variables by which shells and programs choose what they run. */
export const STEERS = new RegExp(
  String.raw`^(?!GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$)(?:${STEERING}|(?:${STEERING_FAMILIES})\w*)$|(?:${STEERING_ENDS})$`,
);

/** Wrappers that are seen through, with the options that change nothing about what they start. */
export const WRAPPER_OPTIONS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    env: /^-(?:[i0]+|u\w*|-|-ignore-environment|-unset(?:=.*)?)?$/,
    sudo: /^-(?:[nEHkSb]+|[ughp]|-(?:user|group|host|prompt|non-interactive)(?:=.*)?|-)$/,
    doas: /^-(?:n|u)$/,
    nohup: /^--$/,
    setsid: /^-[cfw]+$/,
    time: /^-(?:p|v|f|-format(?:=.*)?)$/,
    nice: /^-(?:n?-?\d*|-adjustment(?:=.*)?)$/,
    ionice: /^-[cnt]\d?$/,
    timeout: /^-(?:[skv]\w*|-(?:signal|kill-after)(?:=.*)?|-(?:foreground|preserve-status|verbose))$/,
    gtimeout: /^-(?:[skv]\w*|-(?:signal|kill-after)(?:=.*)?|-(?:foreground|preserve-status|verbose))$/,
    stdbuf: /^-[ioe]\w*$/,
    command: /^-(?:[pvV]+|-)$/,
    builtin: /^--$/,
    exec: /^-[cla]+$/,
    taskset: /^-c$/,
    chrt: /^-[bfior]$/,
    caffeinate: /^-[dimsut]+$/,
    busybox: /^$/,
    toybox: /^$/,
    '!': /^$/,
    xargs:
      /^-(?:[0rtxp]+|[IinPLdEs].*|-(?:null|no-run-if-empty|max-args|max-procs|max-lines|delimiter|replace|verbose)(?:=.*)?)$/,
  }),
);
