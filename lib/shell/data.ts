/**
 * Rules about data outside plain files: databases, clouds, clusters, vaults, and shared git
 * history. Pure.
 */

import { outputOf, programOf, type Run } from './run.ts';

const DATABASE = 'it destroys data of a database';
const CLOUD = 'it destroys resources of a cloud or cluster';
const SECRETS = 'it reads secrets out of a vault or cluster';

const SQL_CLIENTS: ReadonlySet<string> = new Set(
  'influx psql mysql mariadb sqlite3 sqlite sqlcmd clickhouse-client clickhouse cqlsh duckdb snowsql cockroach bq pgcli mycli usql osql isql'.split(
    ' ',
  ),
);

/** The statements that the server would obey: without comments and quoted text, in capitals. */
const bareSql = (sql: string): string => {
  let text = '';
  let index = 0;
  while (index < sql.length) {
    const two = sql.slice(index, index + 2);
    let end: number;
    if (two === '/*') end = sql.indexOf('*/', index + 2) + 1;
    else if (two === '--') end = sql.indexOf('\n', index);
    else if (sql[index] === "'") end = sql.indexOf("'", index + 1);
    else {
      text += sql[index];
      index += 1;
      continue;
    }
    if (end <= 0) break;
    text += ' ';
    index = end + 1;
  }
  return text
    .toUpperCase()
    .replace(/["`[\]]/g, '')
    .replace(/\s+/g, ' ');
};

const isDestructiveStatement = (statement: string): boolean => {
  if (
    /\bDROP (?:DATABASE|TABLE|SCHEMA|KEYSPACE|USER|ROLE|TABLESPACE|OWNED|COLLECTION|MATERIALIZED VIEW)\b/.test(
      statement,
    )
  )
    return true;
  if (/(?:^|[ (])TRUNCATE\b/.test(statement)) return true;
  if (/\bALTER TABLE .*\bDROP COLUMN\b/.test(statement)) return true;
  if (!/\bDELETE FROM\b|\bUPDATE \S+ SET\b/.test(statement)) return false;
  const condition = /\bWHERE\b(.*)/.exec(statement)?.[1];
  return condition === undefined || /^ (?:(?:TRUE|1|1 ?= ?1|NOT FALSE)\b|\(1 ?= ?1\)) *$/.test(condition);
};

export const isDestructiveSql = (sql: string): boolean => bareSql(sql).split(';').some(isDestructiveStatement);

const databases = (run: Run, name: string): string | undefined => {
  const input = run.input ?? outputOf({ ...run, words: ['cat'] }) ?? '';
  const texts = [...run.words.slice(1).map((word) => word.replace(/^-(?:-?[a-z]+=|[ecQq])(?=.)/i, '')), input];
  if (SQL_CLIENTS.has(name)) return texts.some(isDestructiveSql) ? DATABASE : undefined;
  const text = texts.join(' ');
  switch (name) {
    case 'mongo':
    case 'mongosh':
      return /\bdropDatabase\s*\(|\.drop\s*\(|\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*)?\)|dropCollection/i.test(
        text,
      )
        ? DATABASE
        : undefined;
    case 'redis-cli':
    case 'valkey-cli':
      return /\bflush(?:all|db)\b/i.test(text) ? DATABASE : undefined;
    case 'dropdb':
    case 'dropuser':
      return DATABASE;
    case 'mysqladmin':
      return /\bdrop\b/i.test(text) ? DATABASE : undefined;
    case 'rails':
    case 'rake':
    case 'bundle':
      return /\bdb:(?:drop|reset|purge|truncate_all)\b|\bdb:schema:load\b/i.test(text) ? DATABASE : undefined;
    case 'prisma':
      return /\bmigrate reset\b|--force-reset/i.test(text) ? DATABASE : undefined;
    case 'php':
    case 'artisan':
      return /\b(?:migrate:(?:fresh|reset)|db:wipe)\b/i.test(text) ? DATABASE : undefined;
    case 'python':
    case 'python3':
    case 'manage.py':
    case 'django-admin':
      return /(?:^| )(?:flush|reset_db)(?: |$)/.test(text) && !/(?:^| )-c /.test(text) ? DATABASE : undefined;
    default:
      return undefined;
  }
};

/** Destructive commands of each program, over its words in lower case, joined by blanks. */
const CLOUD_RULES: ReadonlyMap<string, readonly RegExp[]> = new Map([
  [
    'aws',
    [
      /\bs3 rb\b/,
      /\bs3 rm\b.* --recursive\b/,
      /\bs3 sync\b.* --delete\b/,
      / (?:batch-)?(?:delete|terminate|purge|deregister|remove|destroy|reset|revoke|disable|schedule-key-deletion)-?[a-z-]*(?: |$)/,
      / schedule-key-deletion/,
    ],
  ],
  ['gcloud', [/ (?:delete|destroy|reset|remove-iam-policy-binding)(?: |$)/]],
  ['gsutil', [/ rb /, / rm .*-r/, / rm (?:-\w+ )*-\w*r/, / -m rm /]],
  ['az', [/ (?:delete|purge|delete-batch)(?: |$)/]],
  [
    'kubectl',
    [
      / delete (?:ns|namespaces?|all|pvc?|persistentvolume(?:claim)?s?|nodes?|crds?|customresourcedefinitions?|clusterroles?|clusterrolebindings?|storageclass(?:es)?|secrets?|deployments?|deploy|statefulsets?|sts)(?:[ /]|$)/,
      / delete .*--all\b/,
      / delete .*-a(?: |$)/,
      / replace .*--force\b/,
    ],
  ],
  ['oc', [/ delete (?:ns|namespaces?|project|all|pvc?|deployments?|dc|secrets?)(?:[ /]|$)/, / delete .*--all\b/]],
  ['bq', [/ rm .*-(?:r|f)/]],
  ['hub', [/ delete /]],
  ['vagrant', [/ destroy(?: |$)/]],
  ['virsh', [/ undefine /]],
  ['curl', [/ (?:-x ?|--request[ =])delete .*\/(?:_all|\*)(?: |$)/]],
  ['helm', [/ (?:uninstall|delete) /]],
  ['eksctl', [/ delete /]],
  ['kops', [/ delete /]],
  ['doctl', [/ (?:delete|destroy|rm)(?: |$)/]],
  ['flyctl', [/ destroy/]],
  ['fly', [/ destroy/]],
  ['heroku', [/ (?:apps:)?destroy(?: |$)/, / pg:reset/]],
  ['vercel', [/ (?:remove|rm)(?: |$)/]],
  ['firebase', [/:delete/, /firestore:delete/]],
  ['wrangler', [/ delete/]],
  ['terraform', [/ destroy(?: |$)/, / apply .*-destroy\b/, / state rm /]],
  ['tofu', [/ destroy(?: |$)/, / apply .*-destroy\b/]],
  ['terragrunt', [/ (?:run-all )?destroy(?: |$)/, / destroy-all/]],
  ['pulumi', [/ (?:destroy|stack rm)(?: |$)/]],
  ['cdk', [/ destroy(?: |$)/]],
  ['serverless', [/ remove(?: |$)/]],
  ['sls', [/ remove(?: |$)/]],
  ['sam', [/ delete(?: |$)/]],
  ['ibmcloud', [/ (?:delete|destroy)(?: |$)/, /-delete(?: |$)/]],
  ['oci', [/ (?:delete|terminate)(?: |$)/]],
  ['linode-cli', [/ (?:delete|rm)(?: |$)/]],
  ['hcloud', [/ delete(?: |$)/]],
  [
    'docker',
    [
      / system prune .*(?:-\w*a|--all|--volumes)/,
      / volume (?:prune|rm)(?: |$)/,
      / rm .*\ue000/,
      / swarm leave .*--force/,
    ],
  ],
  ['podman', [/ system (?:prune .*(?:-\w*a|--all|--volumes)|reset)/, / volume (?:prune|rm)(?: |$)/]],
  ['gh', [/ repo delete/, / secret (?:delete|remove)/]],
  ['glab', [/ repo delete/]],
  ['npm', [/ unpublish(?: |$)/]],
  ['vault', [/ (?:delete|kv (?:destroy|delete|metadata delete)|secrets disable)(?: |$)/]],
  ['consul', [/ kv delete .*-recurse/]],
  ['etcdctl', [/ del .*--(?:prefix|from-key)/]],
  ['rabbitmqctl', [/ (?:reset|force_reset|delete_vhost)(?: |$)/]],
  ['kafka-topics', [/ --delete/]],
]);

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

const isHit = (rules: ReadonlyMap<string, readonly RegExp[]>, name: string, text: string): boolean =>
  rules.get(name)?.some((rule) => rule.test(text)) === true;

/** The danger of a run for databases, clouds and vaults. */
export const dataDanger = (run: Run): string | undefined => {
  const name = programOf(run.words[0]);
  const text = ` ${run.words.slice(1).join(' ').toLowerCase()}`;
  const isHelp = / (?:--help|help|--dry-run(?:=\w+)?|--dryrun)(?: |$)/.test(text);
  if (!isHelp && isHit(CLOUD_RULES, name, text)) return CLOUD;
  // A printed token for the next program is what such a command is for.
  if (!isHelp && isHit(SECRET_RULES, name, text)) return SECRETS;
  return databases(run, name);
};

const HISTORY = 'it rewrites or removes shared history';
const SHARED =
  /^(?:\+?(?:[^:]*:)?)(?:refs\/heads\/)?(?:main|master|trunk|develop|production|prod|staging|stable|release(?:[/-].*)?|head|\*)$/i;

/** Words from the subcommand on. */
const fromSubcommand = (words: readonly string[]): readonly string[] => {
  let index = 1;
  while (index < words.length) {
    const word = words[index] ?? '';
    if (word === '-C' || word === '-c' || word === '--git-dir' || word === '--work-tree') index += 2;
    else if (word.startsWith('-')) index += 1;
    else break;
  }
  return words.slice(index);
};

const pushes = (words: readonly string[]): string | undefined => {
  const [, ...refs] = words.slice(1).filter((word) => !word.startsWith('-'));
  if (words.includes('--dry-run') || words.includes('-n')) return undefined;
  if (words.includes('--mirror') || words.includes('--prune')) return HISTORY;
  const isShared = refs.length === 0 || refs.some((ref) => SHARED.test(ref));
  const isDeleting = words.includes('--delete') || words.includes('-d');
  if (refs.some((ref) => ref.startsWith(':') && SHARED.test(ref)) || (isDeleting && isShared)) return HISTORY;
  const isForced = words.some((word) => word === '--force' || /^-[a-z]*f[a-z]*$/i.test(word));
  if (isForced && (isShared || words.includes('--all'))) return HISTORY;
  return refs.some((ref) => ref.startsWith('+') && SHARED.test(ref)) ? HISTORY : undefined;
};

const cleans = (words: readonly string[]): string | undefined => {
  const flags = words.filter((word) => /^-[a-z]+$/i.test(word)).join('');
  if (/n/.test(flags) || words.includes('--dry-run')) return undefined;
  const isForced = /f/i.test(flags) || words.includes('--force');
  const isEverything = /x/i.test(flags) || words.some((word) => word === '/' || word === '~');
  return isForced && isEverything ? 'it removes files git does not keep' : undefined;
};

export const gitDanger = (run: Run): string | undefined => {
  if (programOf(run.words[0]) !== 'git') return undefined;
  const words = fromSubcommand(run.words);
  const text = words.slice(1).join(' ');
  switch (words[0]?.toLowerCase()) {
    case 'push':
      return pushes(words);
    case 'clean':
      return cleans(words);
    case 'filter-branch':
    case 'filter-repo':
      return HISTORY;
    case 'reflog':
      return /^(?:expire|delete)\b/i.test(text) ? HISTORY : undefined;
    case 'update-ref':
      return /(?:^| )-d(?: |$)/.test(text) ? HISTORY : undefined;
    case 'branch':
      return /(?:^| )-(?:D|d|-delete)(?: |$)/i.test(text) && words.slice(1).some((word) => SHARED.test(word))
        ? HISTORY
        : undefined;
    default:
      return undefined;
  }
};
