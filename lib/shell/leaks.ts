/**
 * Rules about secrets and the network: reading credentials, sending data out, running downloads.
 * Pure.
 */

import { findSecretPath } from '../text/find-secret-path.ts';
import { isDecoder, nameOf, operandsOf, outputOf, PROCESS_FILE, programOf, type Run, UNKNOWN } from './program-run.ts';
import { FORK_BOMB } from './read.ts';
import { isShell } from './unwrap.ts';

const READS = 'it reads credentials';
const SENDS = 'it sends data out';
const DOWNLOAD = 'it runs what was downloaded, decoded or is otherwise unknown';

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const READERS = set(
  'sqlite3 cat tac nl head tail less more most bat batcat vi vim nvim nano emacs ed view code grep egrep fgrep rg ag ack zgrep sed awk gawk mawk cut sort uniq strings xxd hexdump od base64 base32 gbase64 cp mv scp rsync sftp tar zip gzip bzip2 xz zstd 7z diff cmp comm paste jq yq dd tee rev fold column split install ln pbcopy xclip xsel perl python python2 python3 ruby node php curl wget nc ncat netcat socat openssl-enc look readarray mapfile pv cpio rclone s3cmd gist bzcat zcat xzcat iconv expand unexpand csplit shuf aws gsutil gcloud http https xh age ftp lftp wc md5sum',
);
/** Their first operand is a pattern or a program, not a file. */
const PATTERN_FIRST = set('grep egrep fgrep rg ag ack zgrep sed awk gawk mawk jq yq');
/** They print what a service answers, not a file of this machine. */
const CLIENTS = set('aws gsutil gcloud');
const DOWNLOADERS = set('curl wget aria2c http https xh lynx links w3m fetch axel nc ncat netcat socat ftp lftp');
const INTERPRETER =
  /^(?:python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|rscript|osascript|pwsh|powershell|tclsh|awk|gawk)[\d.]*$/;

const filesNamed = (run: Run): readonly string[] => {
  const name = nameOf(run);
  const operands = operandsOf(run.words);
  const hasPattern = PATTERN_FIRST.has(name) && !run.words.some((word) => /^-(?:e|f|-regexp|-file)/.test(word));
  const files = hasPattern ? operands.slice(1) : operands;
  // A copy of an example into the place of credentials reads nothing secret.
  const read = (name === 'cp' || name === 'install' || name === 'ln') && files.length > 1 ? files.slice(0, -1) : files;
  if (name === 'curl' || name === 'wget' || name === 'http') return [];
  return read.flatMap((word) => [word, word.replace(/^[\w-]+=/, '')]);
};

/** Files that curl and wget would send: `@file`, `name=@file`, `-T file`, `--post-file=file`. */
const uploads = (run: Run): readonly string[] => {
  const found: string[] = [];
  run.words.forEach((word, index) => {
    const before = run.words[index - 1] ?? '';
    if (/^(?:-[a-zA-Z]*T|--upload-file|--post-file|--body-file)$/.test(before)) found.push(word);
    const attached = /^(?:-T|--upload-file=|--post-file=|--body-file=)(.+)/.exec(word)?.[1];
    if (attached !== undefined) found.push(attached);
    const isData = /^(?:-[a-zA-Z]*[dF]|--data(?:-[a-z]+)?|--form(?:-string)?|--json)$/.test(before);
    const data = isData ? word : /^(?:-[dF]|--(?:data(?:-[a-z]+)?|form|json)=)(.+)/.exec(word)?.[1];
    const file = /^(?:[\w.[\]-]*=)?[@<](.+)/.exec(data ?? '')?.[1];
    if (file !== undefined) found.push(file);
  });
  return found;
};

const isLocal = (run: Run): boolean => {
  const urls = run.words.filter((word) => /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/i.test(word));
  const all = run.words.filter((word) => /:\/\//.test(word) || /^(?:localhost|127\.0\.0\.1)/.test(word));
  return urls.length > 0 && urls.length === all.length;
};

/**
 * Subcommands of git that print what files hold, of the folder and of any commit: `git show
 * HEAD:.env`.
 */
const GIT_READERS = set('show blame annotate cat-file diff grep archive');

const gitReads = (run: Run): boolean => {
  const at = run.words.findIndex((word) => GIT_READERS.has(word));
  const isPatch = run.words.includes('log') && run.words.some((word) => /^-(?:p|u|-patch)$/.test(word));
  if (at < 0 && !isPatch) return false;
  const named = filesNamed({ ...run, words: run.words.slice(Math.max(at, 0)) });
  return named.some((word) => findSecretPath(word.replace(/^[^:/]*:/, '')) !== undefined);
};

/** Whether a run shows, copies or sends a file of credentials. */
export const readsCredentials = (run: Run): boolean => {
  if (run.redirects.some(({ operator, target }) => operator === '<' && findSecretPath(target) !== undefined))
    return true;
  const name = nameOf(run);
  if (
    name === 'printenv' &&
    operandsOf(run.words).some((word) => /SECRET|TOKEN|PASSW|API_?KEY|PRIVATE|CREDENTIAL/i.test(word))
  )
    return true;
  if (run.words.some((word) => /^file:\/\//i.test(word) && findSecretPath(word) !== undefined)) return true;
  if (name === 'openssl' && /^(?:enc|base64|dgst|aes|des)/.test(run.words[1] ?? '')) {
    const at = run.words.indexOf('-in');
    return at > 0 && findSecretPath(run.words[at + 1] ?? '') !== undefined;
  }
  if (name === 'git') return gitReads(run);
  if (!READERS.has(name) && !INTERPRETER.test(name)) return false;
  if (uploads(run).some((file) => findSecretPath(file) !== undefined)) return true;
  // Subcommands of these programs are words, not files.
  const isFile = (word: string): boolean => !CLIENTS.has(name) || /[/.]/.test(word);
  return filesNamed(run).some((word) => isFile(word) && findSecretPath(word) !== undefined);
};

/** `find … -name id_rsa` */
const namesCredentials = (run: Run): boolean => {
  if (nameOf(run) !== 'find') return false;
  const at = run.words.findIndex((word) => /^-i?(?:name|path|wholename)$/.test(word));
  const pattern = (run.words[at + 1] ?? '').replace(/^\*+|\*+$/g, '');
  return findSecretPath(`/etc/${pattern}`) !== undefined;
};

/** Such a search whose results are shown or passed on. */
const usesFoundCredentials = (run: Run): boolean => {
  const name = nameOf(run);
  if (name === 'xargs') {
    return run.upstream.some(namesCredentials) && run.words.some((word) => READERS.has(programOf(word)));
  }
  if (name === 'find') {
    return namesCredentials(run) && run.words.some((word) => /^-(?:exec|execdir|ok|okdir)$/.test(word));
  }
  return READERS.has(name) && run.substituted.some(namesCredentials);
};

const isEnvironmentDump = (run: Run): boolean => {
  const name = nameOf(run);
  if (name === 'printenv' || name === 'env' || name === 'set') return run.words.length === 1;
  return (name === 'export' || name === 'declare') && run.words[1] === '-p';
};

const carriesData = (run: Run): boolean =>
  run.substituted.some(
    (one) =>
      (READERS.has(nameOf(one)) &&
        !DOWNLOADERS.has(nameOf(one)) &&
        !PATTERN_FIRST.has(nameOf(one)) &&
        !CLIENTS.has(nameOf(one))) ||
      isEnvironmentDump(one) ||
      readsCredentials(one) ||
      /^(?:whoami|hostname|id|uname|ifconfig|ls|find)$/.test(nameOf(one)),
  );

const hasUnknownInput = (run: Run): boolean => {
  const last = run.upstream.at(-1);
  return last !== undefined && outputOf(last) === undefined;
};

const web = (run: Run): boolean => {
  if (isLocal(run)) return false;
  const files = uploads(run);
  if (files.some((file) => file !== '-' && file !== '/dev/stdin')) return true;
  return (
    (files.length > 0 && (hasUnknownInput(run) || run.redirects.some(({ operator }) => operator === '<'))) ||
    carriesData(run)
  );
};

const isRemote = (word: string): boolean =>
  /^(?:[\w.-]+@)?[\w.-]{2,}:(?!\\)/.test(word) || /^(?:rsync|sftp|scp):\/\//.test(word);

const sends = (run: Run): boolean => {
  const { words } = run;
  const operands = operandsOf(words);
  switch (nameOf(run)) {
    case 'curl':
    case 'wget':
    case 'http':
    case 'https':
    case 'xh':
      return web(run);
    case 'nc':
    case 'ncat':
    case 'netcat':
      return !words.some((word) => /^-[a-z]*z/i.test(word)) || words.some((word) => /^-[a-z]*[ec]$/.test(word));
    case 'socat':
      return true;
    case 'telnet':
    case 'ftp':
    case 'lftp':
    case 'tftp':
    case 'sftp':
      return run.upstream.length > 0 || run.input !== undefined;
    case 'scp':
    case 'rsync':
      return isRemote(operands.at(-1) ?? '');
    case 'ssh':
      return hasUnknownInput(run) || words.some((word) => /^-[a-zA-Z]*R/.test(word));
    case 'mail':
    case 'mailx':
    case 'mutt':
    case 'sendmail':
      return (
        hasUnknownInput(run) ||
        words.some((word) => /^-[aA]/.test(word)) ||
        run.redirects.some(({ operator }) => operator === '<')
      );
    case 'openssl':
      return words[1] === 's_client' && run.upstream.length > 0;
    case 'dig':
    case 'nslookup':
    case 'host':
    case 'ping':
      return run.substituted.length > 0;
    case 'gist':
    case 'wormhole':
    case 'croc':
    case 'transfer':
      return true;
    case 'gh':
      return words[1] === 'gist' && words[2] === 'create';
    default:
      return false;
  }
};

const isDownload = (run: Run): boolean => DOWNLOADERS.has(nameOf(run));

/** Options with a value, which is no script: `bash -o pipefail`, `python -W x`. */
const TAKES_NEXT = /^(?:[-+][a-z]*o|-[WXI]|--(?:rcfile|init-file|require|import))$/;

const scriptFile = (run: Run): string | undefined =>
  run.words.find((word, index) => index > 0 && !/^[-+]./.test(word) && !TAKES_NEXT.test(run.words[index - 1] ?? ''));

/** Code attached to its option: `perl -pes/a/b/`, `python -mjson.tool`. */
const hasAttachedCode = (run: Run): boolean => {
  const pattern = /^(?:python|pypy)/.test(nameOf(run)) ? /^-[cm]./ : /^-[npl]*e./;
  return !isShell(nameOf(run)) && run.words.some((word) => pattern.test(word));
};

/** An interpreter that gets code which cannot be read here. */
const runsUnknown = (run: Run): boolean => {
  const name = nameOf(run);
  const isInterpreter = isShell(name) || INTERPRETER.test(name);
  const isReading = name === 'source' || name === '.' || name === 'eval';
  if (!isInterpreter && !isReading) return false;
  const hasSubstitutedCode =
    run.words.includes(PROCESS_FILE) || name === 'eval' || run.words.some((word) => /^-[a-z]*[ce]$/.test(word));
  const isFetched = (one: Run): boolean =>
    isDownload(one) || (isDecoder(one) && outputOf(one) === undefined && nameOf(one) !== 'tr');
  if (hasSubstitutedCode && run.substituted.some(isFetched)) return true;
  if (run.redirects.some(({ target }) => target === PROCESS_FILE) && run.substituted.some(isFetched)) return true;
  if (/pwsh|powershell/.test(name) && run.words.some((word) => /^-e(?:nc\w*)?$/i.test(word))) return true;
  if (hasAttachedCode(run)) return false;
  const file = scriptFile(run);
  if (file !== undefined && file !== '-' && file !== '/dev/stdin' && !run.words.includes('-s')) return false;
  if (outputOf({ ...run, words: ['cat'] }) !== undefined) return false;
  return !run.upstream.every(
    (one) => nameOf(one) === 'cat' && operandsOf(one.words).length > 0 && !one.words.includes(UNKNOWN),
  );
};

/** Paths where a run says that it leaves its download. */
const outputPaths = (run: Run): readonly string[] => {
  if (!isDownload(run)) return [];
  const files = run.redirects.filter(({ operator }) => operator.startsWith('>')).map(({ target }) => target);
  run.words.forEach((word, index) => {
    if (/^(?:-[a-zA-Z]*[oO]|--output(?:-document)?)$/.test(word)) files.push(run.words[index + 1] ?? '');
    const attached = /^(?:-[oO]|--output(?:-document)?=)(.+)/.exec(word)?.[1];
    if (attached !== undefined) files.push(attached);
  });
  return files;
};

/** Names under which a run leaves its download. */
export const downloadedFiles = (run: Run): readonly string[] => {
  if (!isDownload(run)) return [];
  const named = operandsOf(run.words).map((word) => word.replace(/[?#].*/, ''));
  return [...outputPaths(run), ...named].map(programOf).filter((file) => file !== '');
};

/** The file that a run starts, itself or through an interpreter; empty if none. */
export const startedFile = (run: Run): string => {
  const name = nameOf(run);
  const isReading = isShell(name) || INTERPRETER.test(name) || name === 'source' || name === '.';
  return isReading ? programOf(scriptFile(run)) : run.words[0]?.includes('/') === true ? name : '';
};

export const RUNS_DOWNLOAD = DOWNLOAD;

const SECRET_WORDS = /secret|token|passw|key|aws|cred|auth/i;

/** `env | grep -i secret` */
const filtersEnvironment = (run: Run): boolean =>
  /^(?:grep|egrep|rg|awk|sed)$/.test(nameOf(run)) &&
  run.upstream.some(isEnvironmentDump) &&
  run.words.slice(1).some((word) => SECRET_WORDS.test(word));

/** Uses that print secrets, over the words in lower case, joined by blanks. */
const SECRET_RULES: ReadonlyMap<string, readonly RegExp[]> = new Map([
  [
    'aws',
    [
      / secretsmanager get-secret-value/,
      / ssm get-parameters?(?:-by-path)? .*--with-decryption/,
      / configure (?:get|export-credentials)/,
      / sts get-session-token/,
      / iam create-access-key/,
    ],
  ],
  [
    'kubectl',
    [
      / get secrets? .*(?:-o ?(?:=)?(?:ya?ml|json|jsonpath|go-template)|--output|-oyaml|-ojson)/,
      / config view .*--raw/,
    ],
  ],
  ['gcloud', [/ secrets versions access/]],
  ['az', [/ keyvault secret show/, / account get-access-token/]],
  ['vault', [/ (?:kv get|read) /, / token lookup/]],
  ['op', [/ (?:read|item get) /]],
  ['pass', [/ show /, / -c /]],
  ['gh', [/ auth token/]],
  ['security', [/ (?:find-generic-password|find-internet-password|dump-keychain|export)/]],
  ['gpg', [/ --export-secret-(?:sub)?keys/]],
  ['gpg2', [/ --export-secret-(?:sub)?keys/]],
  ['secret-tool', [/ lookup /]],
  ['heroku', [/ config(?: |:get|$)/]],
]);

const printsSecrets = (run: Run): boolean => {
  const text = ` ${run.words.slice(1).join(' ').toLowerCase()}`;
  if (/ (?:--help|help|--dry-run(?:=\w+)?|--dryrun)(?: |$)/.test(text)) return false;
  return SECRET_RULES.get(nameOf(run))?.some((rule) => rule.test(text)) === true;
};

const redirects = ({ redirects: all }: Run): string | undefined => {
  if (all.some(({ target }) => /^\/dev\/(?:tcp|udp)\//i.test(target)))
    return 'it opens a network connection of the shell itself';
  const isOver = all.some(({ operator, target }) => !operator.startsWith('<') && findSecretPath(target) !== undefined);
  return isOver ? 'it overwrites credentials' : undefined;
};

/** The danger of a run for secrets and data. */
export const leakDanger = (run: Run): string | undefined => {
  if (run.words[0] === FORK_BOMB) return 'it starts itself without end';
  if (printsSecrets(run)) return 'it reads secrets out of a vault or cluster';
  const sender = sends(run);
  if (sender && (run.upstream.some(isEnvironmentDump) || run.upstream.some(readsCredentials)))
    return 'it sends secrets out';
  if (readsCredentials(run) || usesFoundCredentials(run) || filtersEnvironment(run)) return READS;
  if (sender) return SENDS;
  return runsUnknown(run) ? DOWNLOAD : redirects(run);
};
