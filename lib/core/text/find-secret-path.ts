/**
 * Whether a path, or a shell pattern, could name a place of secrets: its kind. Paths are compared
 * without case, part by part: `tokenizer.ts` is no secret. Names are those of manuals. Pure.
 */

import { canonicalPath } from './path-canonical.ts';

/** Public even beside secrets: public keys, templates, lists of hosts. */
export const PUBLIC_NAMES: readonly RegExp[] = [
  /\.pub$/,
  /^(?:[\w-]+\.|\.)?env\.(?:example|sample|template|dist|schema)$/,
  /^known_hosts(?:\.old)?$/,
  /^pubring\.(?:kbx|gpg)$/,
  /^wp-config-sample\.php$/,
];

/** Nothing below these directories is read or written. */
export const SECRET_DIRECTORIES: readonly string[] = [
  '.ssh',
  '.aws',
  '.azure',
  '.gnupg',
  '.kube',
  '.password-store',
  '.passepartout',
  '.oci',
  '.config/gcloud',
  '.config/gh',
  '.config/op',
  '.config/sops',
  '.config/rclone',
  '.config/age',
  '.local/share/keyrings',
  'library/keychains',
  'private-keys-v1.d',
  '.mozilla/firefox',
  '.config/google-chrome',
  '.config/chromium',
  '.config/bravesoftware',
  '.config/microsoft-edge',
  'library/application support/google/chrome',
  'library/application support/firefox',
  'appdata/local/google/chrome/user data',
  'appdata/roaming/mozilla/firefox',
  '.thunderbird',
  '.electrum',
  '.bitcoin',
  '.ethereum/keystore',
  '.vault.d',
  '.talos',
  '.tsh',
  '.step/secrets',
  '.scw',
  '.cloudflared',
  '.acme.sh',
  '.lego',
  '.ngrok2',
  '.near-credentials',
  '.foundry/keystores',
  '.brownie/accounts',
  '.lnd',
  '.1password',
  '.lpass',
  '.putty',
  '.gsutil',
  '.kaggle',
  '.snowflake',
  '.subversion/auth',
  '.envs',
  '.config/1password',
  '.config/bitwarden',
  '.config/doctl',
  '.config/filezilla',
  '.config/github-copilot',
  '.config/glab-cli',
  '.config/gopass',
  '.config/hcloud',
  '.config/ngrok',
  '.config/opera',
  '.config/scw',
  '.config/signal',
  '.config/solana',
  '.config/vivaldi',
  '.config/yubico',
  '.local/share/gopass',
  '.local/share/kwalletd',
  '.local/share/telegramdesktop',
];

/** Whole paths from the root. `*` is one part. */
export const SECRET_PATHS: readonly string[] = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/master.passwd',
  '/etc/sudoers',
  '/etc/sudoers.d/*',
  '/etc/krb5.keytab',
  '/etc/security/opasswd',
  '/etc/wireguard/*',
  '/etc/networkmanager/system-connections/*',
  '/var/backups/shadow',
  '/var/backups/gshadow',
  '/etc/ssl/private/*',
  '/etc/letsencrypt/live/*/*',
  '/etc/letsencrypt/archive/*/*',
  '/etc/kubernetes/admin.conf',
  '/etc/rancher/k3s/k3s.yaml',
  '/proc/*/environ',
  '/proc/*/mem',
  '/proc/*/cmdline',
  '/proc/*/task/*/environ',
  '/proc/*/root/*',
  '/proc/kcore',
  '/dev/mem',
  '/dev/kmem',
  '/run/secrets/*',
  '/run/credentials/*',
  '/run/user/*/keyring/*',
  '/var/run/secrets/*/*/*',
  '/run/secrets/*/*/*',
  '/var/lib/docker/*',
];

/** The last parts of a path, wherever it starts. */
export const SECRET_ENDS: readonly string[] = [
  '.docker/config.json',
  '.dockerconfigjson',
  '.gem/credentials',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.terraform.d/credentials.tfrc.json',
  '.config/git/credentials',
  '.config/hub',
  '.config/heroku/credentials.json',
  '.composer/auth.json',
  '.config/configstore/firebase-tools.json',
  '.config/netlify/config.json',
  '.fly/config.yml',
  '.netlify/config.json',
  '.wrangler/config/default.toml',
];

/** Names of files in any directory. */
export const SECRET_NAMES: readonly RegExp[] = [
  /^\.env(?:[._-].*)?$/,
  /^\.envrc$/,
  /\.env$/,
  /^\.dev\.vars(?:\..*)?$/,
  /^\.(?:flask|quart|expo|sentry)env$|^\.?vault(?:[._-][\w-]+)?\.ya?ml$|^\.?rclone\.conf$|(?:^|[._-])sops\.(?:ya?ml|json|ini|env)$/,
  /^(?:age[._-]?)?(?:keys?|identit(?:y|ies))\.txt$|^appsettings\.[\w-]+\.json$|^(?:application|bootstrap)-[\w-]+\.(?:properties|ya?ml)$/,
  /^local\.settings\.json$/,
  /^\.?netrc$/,
  /^_netrc$/,
  /^\.git-credentials$/,
  /^\.npmrc$/,
  /^\.yarnrc(?:\.yml)?$/,
  /^\.dockercfg$/,
  /^\.pypirc$/,
  /^\.pgpass$/,
  /^\.my\.cnf$/,
  /^\.mylogin\.cnf$/,
  /^\.vault-token$/,
  /^\.boto$/,
  /^\.s3cfg$/,
  /^\.rhosts$/,
  /^\.terraformrc$/,
  /^\.(?:bash|zsh|k?sh|ash|psql|mysql|python|node_repl|sqlite|rediscli|irb|pry|mongo|php|influx)_history$|^\.histfile$|^(?:fish|mongosh_repl)_history$/,
  /^\.(?:msmtp|fetchmail|mbsync|offlineimap|esmtp|mail|sentrycli)rc$|^\.(?:authinfo|pg_service\.conf|gitcookies|databrickscfg|erlang\.cookie|google_authenticator|xauthority|iceauthority|claude\.json|ftpconfig|ftppass|remote-sync\.json|passwd-s3fs)$/,
  /^pgpass\.conf$|^\.?smb(?:credentials|passwd)$|^\.?ht(?:passwd|digest)$|^vncpasswd$|^debian\.cnf$|^passwd\.client$|^krb5cc_\w+$|^u2f_keys$|^adbkey$/,
  /^(?:kaggle|acme|sftp(?:-config)?|access_?tokens|msal_token_cache|oauth_creds)\.json$|^(?:sitemanager|recentservers|confcons)\.xml$|^winscp\.ini$|^wpa_supplicant\.conf$|^wg\d+\.conf$/,
  /^(?:bitwarden|lastpass|1password|keepass|dashlane|enpass|nordpass)[\w .-]*\.(?:json|csv|xml|zip)$|^initialadminpassword$|^utc--[\w.:-]+--[0-9a-f]+$/,
  /^(?:key|keystore|signing)\.properties$|^env\.(?:local|prod(?:uction)?|dev(?:elopment)?|staging)$|^cookies\.txt$|^cookie-?jar$|^talosconfig$|^tailscaled\.state$/,
  /^ssh_host_\w+_key$|(?:^|[._-])deploy[_-]?key$|[._-](?:rsa|ecdsa|ed25519)$/,
  /^auth\.json$/,
  /^\.?kubeconfig(?:[._-].*)?$/,
  /(?:^|[._-])id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-].*)?$/,
  /(?:^|[._-])(?:credentials?|creds|secrets?|passwords?|passwd|passphrases?|(?:db|sasl|vault)[_-]?pass(?:words?|wd)?|tokens?|(?:api|private|access|secret|master|root|encryption|unseal|vault)[_-]?keys?(?:[_-]base)?|(?:recovery|backup)[_-]codes?|seed[_-]phrase|mnemonic)(?:[_-](?:prod|production|dev|staging|local|backup|old|file|db))?(?:\.(?:json|ya?ml|txt|ini|conf|cfg|toml|xml|csv|env|properties|enc|gpg|bak|old|key|db|kdbx|dat|xlsx?|log|swp|pickle|plist|bin))*$/,
  /^passwd-$/,
  /^(?:client_secret|service[_-]?account)[\w.-]*\.json$/,
  /(?:^|[._-])key\.json$|[._-]adminsdk(?:-[\w-]+)?\.json$/,
  /\.(?:pem|key|p12|pfx|p8|ppk|jks|keystore|kdbx?|psafe3|agilekeychain|opvault|1pif|1pux|keychain(?:-db)?|keyring|kwallet|keytab|macaroon|nmconnection|pkcs(?:8|12)|pk8|pvk|snk|rdg|ovpn|tfstate|tfvars(?:\.json)?|asc|gpg|pgp|cert|crt|csr)$/,
  /^secring\..+$/,
  /^wallet\.dat$/,
  /^(?:login data(?: for account)?|cookies|cookies\.sqlite|logins\.json|key[34]\.db|web data)(?:-(?:journal|wal|shm))?$/,
  /^(?:sam|ntds\.dit)$/,
  /^wp-config(?:[._-]\w+)?\.(?:php|bak|old|txt|save)$/,
  /^database\.yml$/,
  /^master\.key$/,
  /^terraform\.tfstate(?:\.backup)?$/,
];

/** `*` in the pattern matches one whole part. */
const partsMatch = (parts: readonly string[], pattern: readonly string[]): boolean =>
  parts.length >= pattern.length && pattern.every((part, index) => part === '*' || part === parts[index]);

const SPLIT_PATHS = SECRET_PATHS.map((path) => path.slice(1).split('/'));

/** Looks anywhere in the path, so that a relative path counts too. */
const hasDirectory = (path: string): boolean => {
  const framed = `/${path}/`;
  return SECRET_DIRECTORIES.some((directory) => framed.includes(`/${directory}/`));
};

/** The ending of a file's name for an older or open copy: `.env-old`, `a-key (1).json`. */
const COPY =
  /(?:~|[.,_ -](?:bak\d*|bkp|backup|old|orig|original|save?|sw[op]|kate-swp|copy|te?mp|rej|new|prev|part|un|v|txt|gz|tgz|tar|zip|xz|bz2|zst|7z|~?\d+|\(\d+\)))+(?=$|\.[a-z]+$)/;
const OPEN_IN_EDITOR = /^(?:\.(?=.+\.sw[a-z]$)|\.?#(?=.))|#$/g;

/** A copy of a secret is one: `.env~`, `#.env#`, `..env.swp` and `.env-old.txt` are `.env`. */
const withoutCopy = (path: string): string => {
  const at = path.lastIndexOf('/') + 1;
  const name = path.slice(at);
  const plain = name.replaceAll(OPEN_IN_EDITOR, '').replace(COPY, '');
  return plain === '' ? path : `${path.slice(0, at)}${plain}`;
};

/** @param path in canonical form, of a file or of what it is a copy of */
const kindOf = (path: string): string | undefined => {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  if (PUBLIC_NAMES.some((pattern) => pattern.test(name))) return undefined;
  if (hasDirectory(lower)) return 'a directory of credentials';
  const parts = lower.startsWith('/') ? lower.slice(1).split('/') : [];
  if (SPLIT_PATHS.some((pattern) => partsMatch(parts, pattern))) {
    return 'a file of the system that holds secrets';
  }
  if (SECRET_ENDS.some((end) => lower === end || lower.endsWith(`/${end}`))) return 'a file of credentials';
  return SECRET_NAMES.some((pattern) => pattern.test(name)) ? 'a file of credentials' : undefined;
};

/** @param path in canonical form */
const placeOf = (path: string): string | undefined => kindOf(path) ?? kindOf(withoutCopy(path.toLowerCase()));

/** Matches a part against a shell pattern, in at most the product of their lengths in steps. */
const globMatches = (pattern: string, name: string): boolean => {
  let p = 0;
  let n = 0;
  let star = -1;
  let mark = 0;
  while (n < name.length) {
    const end = pattern[p] === '[' ? pattern.indexOf(']', p + 2) : -1;
    if (end > 0) {
      p = end + 1;
      n += 1;
    } else if (pattern[p] === '*') {
      star = p;
      mark = n;
      p += 1;
    } else if (pattern[p] === '?' || pattern[p] === name[n]) {
      p += 1;
      n += 1;
    } else if (star >= 0) {
      p = star + 1;
      mark += 1;
      n = mark;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
};

const GLOB = /[*?[]/;
/** One sample of each kind is enough: the rest is found by name. */
const SAMPLES: readonly (readonly string[])[] = [
  'etc/shadow',
  'etc/gshadow',
  'etc/sudoers',
  'etc/passwd',
  '.ssh/id_rsa',
  '.ssh/id_ed25519',
  '.ssh/authorized_keys',
  '.aws/credentials',
  '.kube/config',
  '.docker/config.json',
  '.env',
  '.netrc',
  '.npmrc',
  '.yarnrc',
  '.dockercfg',
  '.dev.vars',
  '.pgpass',
  '.git-credentials',
  'proc/self/environ',
].map((path) => path.split('/'));

/** Compares the last parts. A pattern of `*` alone names nothing in particular. */
const couldName = (parts: readonly string[], sample: readonly string[]): boolean => {
  const tail = parts.slice(-sample.length);
  if (tail.length < sample.length || tail.every((part) => part === '*')) return false;
  return tail.every((part, index) => {
    const name = sample[index] ?? '';
    // As in the shell, a hidden name needs its dot in the pattern.
    return (name[0] !== '.' || part[0] === '.') && globMatches(part, name);
  });
};

/** The kind of secret place; undefined for an ordinary path. */
export const findSecretPath = (path: string): string | undefined => {
  const canonical = canonicalPath(path);
  if (canonical === undefined) return undefined;
  const place = placeOf(canonical);
  if (place !== undefined || !GLOB.test(canonical)) return place;
  const parts = canonical.toLowerCase().split('/');
  return SAMPLES.some((sample) => couldName(parts, sample)) ? 'a pattern that names credentials' : undefined;
};
