/**
 * Secrets and look-alikes, for counting: made here from prefixes and seeded random runs, so that
 * neither this file nor the repository ever holds a secret's form, and each run of the tests sees
 * the same ones. Forms follow the providers' public documentation. Every provider comes in several
 * settings: alone, in a sentence, in code, in JSON, in a shell command.
 */
import { createHash } from 'node:crypto';

const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Endless bytes from a name: the same name gives the same run. */
const bytesOf = (name: string, length: number): Buffer => {
  const blocks: Buffer[] = [];
  for (let n = 0; n * 32 < length; n += 1) blocks.push(createHash('sha256').update(`${name}/${n}`).digest());
  return Buffer.concat(blocks).subarray(0, length);
};
const from = (alphabet: string) => (name: string, length: number) =>
  [...bytesOf(name, length)].map((byte) => alphabet[byte % alphabet.length] ?? '').join('');
const mixed = (name: string, length: number): string => `a7Q${from(ALNUM)(name, length)}`.slice(0, length);
const upper = from('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
const hex = (name: string, length: number): string => bytesOf(name, length).toString('hex').slice(0, length);
const digits = from('123456789');

type Make = (name: string) => string;

/** Provider → one of its secrets. */
export const PROVIDERS: Readonly<Record<string, Make>> = {
  'AWS key id': (n) => `${'AK'}${'IA'}${upper(n, 16)}`,
  'AWS temporary key id': (n) => `${'AS'}${'IA'}${upper(n, 16)}`,
  'AWS secret key': (n) => `aws_secret_access_${'key'} = ${mixed(n, 40)}`,
  Google: (n) => `AI${'za'}${mixed(n, 35)}`,
  'Google OAuth': (n) => `GOC${'SPX-'}${mixed(n, 28)}`,
  'Azure storage': (n) => `Account${'Key='}${mixed(n, 86)}==`,
  DigitalOcean: (n) => `dop_${'v1_'}${hex(n, 64)}`,
  Alibaba: (n) => `LT${'AI'}${mixed(n, 20)}`,
  Tailscale: (n) => `ts${'key-auth-'}${mixed(n, 16)}-${mixed(`${n}b`, 20)}`,
  'Fly.io': (n) => `fo${'1_'}${mixed(n, 43)}`,
  Heroku: (n) => `HR${'KU-'}${mixed(n, 36)}`,
  Netlify: (n) => `nf${'p_'}${mixed(n, 36)}`,
  Supabase: (n) => `sb${'p_'}${hex(n, 40)}`,
  PlanetScale: (n) => `pscale_${'tkn_'}${mixed(n, 43)}`,
  Vault: (n) => `hv${'s.'}${mixed(n, 90)}`,
  Pulumi: (n) => `pu${'l-'}${hex(n, 40)}`,
  Databricks: (n) => `da${'pi'}${hex(n, 32)}`,
  Doppler: (n) => `dp.${'pt.'}${mixed(n, 43)}`,
  'GitHub classic': (n) => `gh${'p_'}${mixed(n, 36)}`,
  'GitHub app': (n) => `gh${'s_'}${mixed(n, 36)}`,
  'GitHub fine-grained': (n) => `github_${'pat_'}${mixed(n, 22)}_${mixed(`${n}b`, 59)}`,
  GitLab: (n) => `gl${'pat-'}${mixed(n, 20)}`,
  Bitbucket: (n) => `AT${'BB'}${mixed(n, 32)}`,
  npm: (n) => `np${'m_'}${mixed(n, 36)}`,
  PyPI: (n) => `py${'pi-AgEIcHlwaS5vcmc'}${mixed(n, 60)}`,
  RubyGems: (n) => `ruby${'gems_'}${hex(n, 48)}`,
  Docker: (n) => `dckr_${'pat_'}${mixed(n, 27)}`,
  Postman: (n) => `PM${'AK-'}${hex(n, 24)}-${hex(`${n}b`, 34)}`,
  Anthropic: (n) => `sk-${'ant-api03-'}${mixed(n, 93)}`,
  OpenRouter: (n) => `sk-${'or-v1-'}${hex(n, 64)}`,
  'OpenAI project': (n) => `sk-${'proj-'}${mixed(n, 48)}`,
  OpenAI: (n) => `s${'k-'}${mixed(n, 48)}`,
  Groq: (n) => `gs${'k_'}${mixed(n, 52)}`,
  'Hugging Face': (n) => `h${'f_'}${mixed(n, 34)}`,
  Replicate: (n) => `r${'8_'}${mixed(n, 37)}`,
  Telegram: (n) => `${digits(n, 9)}:A${'A'}${mixed(n, 33)}`,
  Slack: (n) => `xo${'xb-'}${digits(n, 12)}-${digits(`${n}b`, 12)}-${mixed(n, 24)}`,
  'Slack webhook': (n) =>
    `https://hooks.sl${'ack.com/services/'}T${upper(n, 10)}/B${upper(`${n}b`, 10)}/${mixed(n, 24)}`,
  'Discord webhook': (n) => `https://disc${'ord.com/api/webhooks/'}${digits(n, 18)}/${mixed(n, 68)}`,
  'Stripe live': (n) => `sk_${'live_'}${mixed(n, 24)}`,
  'Stripe restricted': (n) => `rk_${'test_'}${mixed(n, 24)}`,
  'Standard Webhooks': (n) => `wh${'sec_'}${mixed(n, 32)}`,
  Square: (n) => `sq0${'atp-'}${mixed(n, 22)}`,
  Shopify: (n) => `sh${'pat_'}${hex(n, 32)}`,
  SendGrid: (n) => `S${'G.'}${mixed(n, 22)}.${mixed(`${n}b`, 43)}`,
  Mailchimp: (n) => `${hex(n, 32)}${'-us'}12`,
  Brevo: (n) => `xkey${'sib-'}${hex(n, 64)}`,
  Twilio: (n) => `S${'K'}${hex(n, 32)}`,
  Linear: (n) => `lin_${'api_'}${mixed(n, 40)}`,
  Notion: (n) => `nt${'n_'}${mixed(n, 46)}`,
  Airtable: (n) => `pa${'t'}${mixed(n, 14)}.${hex(n, 64)}`,
  Figma: (n) => `fi${'gd_'}${mixed(n, 40)}`,
  'New Relic': (n) => `NR${'AK-'}${upper(n, 27)}`,
  Sentry: (n) => `sntr${'yu_'}${hex(n, 64)}`,
  Grafana: (n) => `gl${'sa_'}${mixed(n, 32)}_${hex(n, 8)}`,
  'private key': (n) => `-----BEGIN RSA ${'PRIVATE KEY'}-----\n${mixed(n, 64)}`,
  'private key (PKCS#8)': (n) => `-----BEGIN ${'PRIVATE KEY'}-----\n${mixed(n, 64)}`,
  'JSON web token': (n) => `e${'yJ'}${mixed(n, 20)}.e${'yJ'}${mixed(`${n}b`, 40)}.${mixed(`${n}c`, 43)}`,
  'connection string': (n) => `postgres://app:${mixed(n, 14)}@db.example.internal:5432/app`,
  'mongo connection string': (n) => `mongodb+srv://root:${mixed(n, 12)}@cluster0.example.net/?w=1`,
  'basic authentication': (n) => `Authorization: Ba${'sic '}${mixed(n, 28)}`,
  'environment file': (n) => `DB_PASS${'WORD='}${mixed(n, 20)}`,
};

const SETTINGS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `Here is what you asked for: ${secret} (keep it safe).`,
  (secret) => `curl -H "X-Key: ${secret}" https://api.example.com/v1/items`,
];

/** Spellings that hide a secret without changing what a reader or a decoder gets. */
const HIDDEN: readonly ((secret: string) => string)[] = [
  (secret) => [...secret].join('\u200b'),
  (secret) => [...secret].map((char) => `&#${char.codePointAt(0)};`).join(''),
  (secret) => [...secret].map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  (secret) => secret.replaceAll('a', 'а').replaceAll('o', 'о').replaceAll('-', '‑'),
];

export const SECRET_CORPUS: readonly { readonly provider: string; readonly text: string }[] = Object.entries(
  PROVIDERS,
).flatMap(([provider, make], index) => [
  ...SETTINGS.map((setting, at) => ({ provider, text: setting(make(`${provider} ${at}`)) })),
  { provider: `${provider}, hidden`, text: HIDDEN[index % HIDDEN.length]?.(make(`${provider} hidden`)) ?? '' },
]);

const seeded = (kind: string, count: number, make: (name: string) => string): readonly string[] =>
  Array.from({ length: count }, (_, n) => make(`${kind} ${n}`));

const uuid = (name: string): string =>
  hex(name, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');

export const HARMLESS_CORPUS: readonly string[] = [
  ...seeded('uuid', 12, (n) => `job ${uuid(n)} is done`),
  ...seeded('commit', 12, (n) => `fixed in ${hex(n, 40)}, see also ${hex(`${n}b`, 7)}`),
  ...seeded('sha256', 12, (n) => `sha256:${hex(n, 64)}`),
  ...seeded('sri', 8, (n) => `"integrity": "sha512-${bytesOf(n, 64).toString('base64')}"`),
  ...seeded('md5', 8, (n) => `${hex(n, 32)}  backup-${n.slice(-1)}.tar.gz`),
  ...seeded('png', 12, (n) => `data:image/png;base64,iVBORw0KGgo${bytesOf(n, 120).toString('base64')}`),
  ...seeded('etag', 8, (n) => `ETag: "${hex(n, 32)}"`),
  ...seeded('image', 8, (n) => `image: ghcr.example.com/app@sha256:${hex(n, 64)}`),
  ...seeded(
    'public',
    8,
    (n) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${bytesOf(n, 32).toString('base64').slice(0, 43)} ada@example`,
  ),
  ...seeded('url', 12, (n) => `https://cdn.example.com/assets/${hex(n, 16)}/main.js?v=${hex(n, 8)}&page=2#top`),
  ...seeded('youtube', 6, (n) => `https://video.example.com/watch?v=${mixed(n, 11)}&t=42s`),
  ...seeded('document', 6, (n) => `https://docs.example.com/document/d/${mixed(n, 44)}/edit`),
  ...seeded('order', 6, (n) => `Order ${digits(n, 10)}, invoice ${digits(`${n}b`, 6)}: paid.`),
  ...seeded('arn', 4, (n) => `arn:aws:lambda:eu-central-1:${digits(n, 12)}:function:reason`),
  ...seeded('trace', 6, (n) => `traceparent: 00-${hex(n, 32)}-${hex(`${n}b`, 16)}-01`),
  'The secret of good bread is time, and the password of the day is up to you.',
  'Your token count is 1024 of 4096; the key takeaway: patience.',
  'Set OPENAI_API_KEY in .env, never paste it into a chat.',
  'api_key: <your key here>',
  `token: \${GITHUB_TOKEN}`,
  'password: your-password-here',
  'git clone https://user:password@git.example.com/team/app.git',
  'postgres://user:pass@localhost:5432/app',
  'mysql://root:changeme@127.0.0.1/app',
  'redis://:your-password@cache:6379/0',
  'amqp://user:secret@rabbit.example.com/vhost',
  'https://user:token@api.example.com/ is how it would look',
  'ftp://anonymous:example@ftp.example.com',
  'mongodb://db-user:db-password@mongo.example.net/test',
  'postgres://app:$' + '{DB_PASSWORD}@db:5432/app',
  'postgres://app:<password>@db:5432/app',
  'smtp://user:********@mail.example.com:587',
  'Bearer tokens are described in RFC 6750, basic authentication in RFC 7617.',
  'The prefixes are AKIA, AIza, ghp_, glpat- and sk-ant-: look for them.',
  'sk-learn and task-manager-for-the-very-long-weekend are only words.',
  '-----BEGIN CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----',
  'Passwort: bitte im Tresor nachsehen.',
  'Le mot de passe est dans le coffre, la clé est sous le tapis.',
  '秘密のレシピは次のページにあります。',
  'const password = await prompt("Password: ");',
  'if (token === undefined) throw new Error("token is missing");',
  'secretName: app-credentials-production-eu',
  'kubectl get secret app-credentials -o yaml',
  'next_page_token=, cursor=, offset=100',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV is a ULID',
  'Flight LH 1234, seat 12A, booking QX7R2P, gate B22.',
  'DE89 3704 0044 0532 0130 00 is the example IBAN of every manual.',
];
