/**
 * Secrets are composed here from a prefix and a fixed mixed run, so that this file itself holds
 * nothing a scanner reports.
 */

import { describe, expect, it } from 'vitest';
import { checkSecretFormats } from '../../../../lib/core/gates/rules/secret-formats.ts';
import type { Action } from '../../../../lib/core/signal/action.ts';
import { SECRET_FORMATS } from '../../../../lib/core/text/secret-format-table.ts';
import { fc } from '../../../support/fast-check.ts';
import { missesOf } from '../../../support/misses.ts';
import { factsFor, reply, toolCall, webhookCall } from '../samples.ts';
import { HARMLESS_CORPUS, PROVIDERS, SECRET_CORPUS } from '../secret-corpus.ts';

const MIXED = 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6iJ9lM2oP5rS8uV1wX4yZ7bC0eF3hI6kL9nO2qR5tU8';
const UPPER = 'A7C2E9G4I1K8M3O6Q5S0U7W2Y9B4D1F8H3J6L5N0P7R2T9V4X1Z8';
const HEX = 'a3f0c19be7d2546881f03c7ad9e4b2506f1c8d37e09a4b52c6d1f8073be5a94210fedcba9876543211223344556677';
const mixed = (length: number): string => MIXED.repeat(3).slice(0, length);
const upper = (length: number): string => UPPER.repeat(3).slice(0, length);
const hex = (length: number): string => HEX.repeat(3).slice(0, length);
const jwt = `eyJ${mixed(20)}.eyJ${mixed(40)}.${mixed(43)}`;
const begin = (kind: string): string => `-----BEGIN ${kind}-----`;

const SECRETS: readonly (readonly [name: string, text: string])[] = [
  ['AWS access key id', `AKIA${upper(16)}`],
  ['AWS access key id', `the id is ASIA${upper(16)}, use it`],
  ['AWS secret access key', `aws_secret_access_key = ${mixed(40)}`],
  ['AWS secret access key', `"SecretAccessKey": "${mixed(40)}"`],
  ['Google API key', `AIza${mixed(35)}`],
  ['Google OAuth client secret', `GOCSPX-${mixed(28)}`],
  ['Google OAuth token', `ya29.${mixed(60)}`],
  ['Azure storage key', `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${mixed(86)}==`],
  ['Azure shared access key', `SharedAccessKeyName=Root;SharedAccessKey=${mixed(43)}=`],
  ['Azure client secret', `abc8Q~${mixed(34)}`],
  ['DigitalOcean token', `dop_v1_${hex(64)}`],
  ['Alibaba access key', `LTAI${mixed(20)}`],
  ['Tailscale key', `tskey-auth-${mixed(16)}-${mixed(20)}`],
  ['Fly.io token', `fo1_${mixed(43)}`],
  ['Heroku key', `HRKU-${mixed(36)}`],
  ['Netlify token', `nfp_${mixed(36)}`],
  ['Supabase key', `sbp_${hex(40)}`],
  ['PlanetScale token', `pscale_tkn_${mixed(43)}`],
  ['HashiCorp Vault token', `hvs.${mixed(90)}`],
  ['Terraform Cloud token', `${mixed(14)}.atlasv1.${mixed(67)}`],
  ['Pulumi token', `pul-${hex(40)}`],
  ['Databricks token', `dapi${hex(32)}`],
  ['Doppler token', `dp.pt.${mixed(43)}`],
  ['GitHub token', `ghp_${mixed(36)}`],
  ['GitHub token', `gho_${mixed(36)}`],
  ['GitHub token', `ghs_${mixed(40)}`],
  ['GitHub fine-grained token', `github_pat_${mixed(22)}_${mixed(59)}`],
  ['GitLab token', `glpat-${mixed(20)}`],
  ['GitLab token', `glrt-${mixed(20)}`],
  ['Bitbucket token', `ATBB${mixed(32)}`],
  ['Atlassian token', `ATATT3${mixed(80)}=AB12CD34`],
  ['npm token', `//registry.example.com/:_authToken=npm_${mixed(36)}`],
  ['PyPI token', `pypi-AgEIcHlwaS5vcmc${mixed(60)}`],
  ['RubyGems token', `rubygems_${hex(48)}`],
  ['Docker token', `dckr_pat_${mixed(27)}`],
  ['Postman key', `PMAK-${hex(24)}-${hex(34)}`],
  ['Anthropic key', `sk-ant-api03-${mixed(93)}`],
  ['OpenRouter key', `sk-or-v1-${hex(64)}`],
  ['OpenAI key', `sk-proj-${mixed(48)}`],
  ['OpenAI key', `sk-${mixed(48)}`],
  ['Groq key', `gsk_${mixed(52)}`],
  ['Hugging Face token', `hf_${mixed(34)}`],
  ['Replicate token', `r8_${mixed(37)}`],
  ['Perplexity key', `pplx-${mixed(48)}`],
  ['xAI key', `xai-${mixed(80)}`],
  ['Telegram bot token', `123456789:AA${mixed(33)}`],
  ['Telegram bot token', `https://api.telegram.org/bot123456789:AA${mixed(33)}/getMe`],
  ['Slack token', `xoxb-123456789012-1234567890123-${mixed(24)}`],
  ['Slack app token', `xapp-1-A0123456789-1234567890123-${hex(64)}`],
  ['Slack webhook', `https://hooks.slack.com/services/T${upper(10)}/B${upper(10)}/${mixed(24)}`],
  ['Discord webhook', `https://discord.com/api/webhooks/123456789012345678/${mixed(68)}`],
  ['Discord bot token', `M${mixed(25)}.${mixed(6)}.${mixed(38)}`],
  ['Stripe key', `sk_live_${mixed(24)}`],
  ['Stripe key', `rk_test_${mixed(24)}`],
  ['webhook signing secret', `whsec_${mixed(32)}`],
  ['Square token', `sq0atp-${mixed(22)}`],
  ['Shopify token', `shpat_${hex(32)}`],
  ['SendGrid key', `SG.${mixed(22)}.${mixed(43)}`],
  ['Mailgun key', `key-${hex(32)}`],
  ['Mailchimp key', `${hex(32)}-us12`],
  ['EasyPost key', `EZAK${mixed(54)}`],
  ['Sourcegraph token', `sgp_${hex(40)}`],
  ['Facebook token', `EAAM${mixed(120)}`],
  ['Sidekiq key', `BUNDLE_ENTERPRISE__CONTRIBSYS__COM = "${hex(8)}:${hex(8)}"`],
  ['OpenShift token', `sha256~${mixed(43)}`],
  ['Cloudflare key', `v1.0-${hex(24)}-${hex(146)}`],
  ['Amazon Bedrock key', `ABSK${mixed(120)}`],
  ['1Password secret key', `A3-${upper(6)}-${upper(11)}-${upper(5)}-${upper(5)}-${upper(5)}`],
  ['secret value', `var mailToken string = "${mixed(20)}"`],
  ['secret value', `MAIL_TOKEN ?= "${mixed(20)}"`],
  ['secret value', `setProperty("MAIL_TOKEN", "${mixed(20)}")`],
  ['Brevo key', `xkeysib-${hex(64)}-${mixed(16)}`],
  ['Twilio key', `SK${hex(32)}`],
  ['Linear key', `lin_api_${mixed(40)}`],
  ['Notion token', `ntn_${mixed(46)}`],
  ['Airtable token', `pat${mixed(14)}.${hex(64)}`],
  ['Figma token', `figd_${mixed(40)}`],
  ['New Relic key', `NRAK-${upper(27)}`],
  ['Sentry token', `sntryu_${hex(64)}`],
  ['Grafana token', `glsa_${mixed(32)}_${hex(8)}`],
  ['Dynatrace token', `dt0c01.${upper(24)}.${upper(64)}`],
  ['1Password token', `ops_eyJ${mixed(120)}`],
  ['private key', begin('PRIVATE KEY')],
  ['private key', begin('ENCRYPTED PRIVATE KEY')],
  ['private key', begin('RSA PRIVATE KEY')],
  ['private key', begin('OPENSSH PRIVATE KEY')],
  ['private key', begin('PGP PRIVATE KEY BLOCK')],
  ['PuTTY private key', 'PuTTY-User-Key-File-3: ssh-ed25519'],
  ['age secret key', `AGE-SECRET-KEY-1${upper(58)}`],
  ['JSON web token', jwt],
  ['JSON web token', `Authorization: Bearer ${jwt}`],
  ['password in a URL', 'postgres://app:correct-horse9@db.internal:5432/app'],
  ['password in a URL', 'mongodb+srv://root:s3cr3t!@cluster0.example.net/?retryWrites=true'],
  ['password in a URL', 'redis://:hunter2hunter2@cache:6379'],
  ['password in a connection string', 'Server=db;User Id=sa;Password=Tr0ub4dor&3;Encrypt=true'],
  ['authorization header', `Authorization: Basic ${mixed(28)}`],
  ['secret of an option', `mysql --password ${mixed(24)}`],
  ['secret value', `api_key=${mixed(24)}`],
  ['secret value', `Password: ${mixed(18)}`],
  ['secret value', `{"client_secret": "${mixed(32)}"}`],
  ['secret value', `DB_PASSWORD=${mixed(20)}`],
];

const HARMLESS: readonly string[] = [
  'AWS shows AKIAIOSFODNN7EXAMPLE and wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY to everybody.',
  'aws_access_key_id = AKIAIOSFODNN7EXAMPLE',
  `aws_secret_access_key = ${'wJalrXUtnFEMI/K7MDENG/bPxRfiCY'}EXAMPLEKEY`,
  `ghp_${'x'.repeat(36)}, glpat-${'X'.repeat(20)}, sk-ant-${'x'.repeat(40)}, AIza${'a'.repeat(35)}, AKIA${'X'.repeat(16)}`,
  'OPENAI_API_KEY=sk-proj-YOUR_API_KEY_GOES_HERE_1',
  `api_key = "${'sk_abcdefghijklmnopqrstuvwxyz123'}"`,
  'hf_requiredCharacteristicTypesForDisplayMetadata, publicToken = "9Cnzj4p4WGeKLs1Pt8QuKUpRKf"',
  'The backup ran at four this morning, and the secret of good bread is time.',
  'Please set the token in .env, and never paste the api key into a chat.',
  'sk-learn, sk-ant colonies and task-manager-for-the-long-weekend-of-2024 are only words.',
  'Your password must be at least 16 characters long: use a password manager.',
  'password: correct horse battery staple (from the comic)',
  'api_key: <your key here>',
  `api_key=\${OPENAI_API_KEY}`,
  'postgres://app:$' + '{DB_PASSWORD}@db:5432/app',
  'postgres://app:<password>@db:5432/app',
  'https://example.com/a:b@c is a path with a colon',
  'https://example.com:8443/path?email=someone@example.com',
  'mailto:someone@example.com, ratio 12:30, at 2026-03-04T05:06:07.089Z',
  'commit 2f0320a, full id 2f0320ad3b4c5d6e7f8091a2b3c4d5e6f7081920',
  `sha256:${hex(64)}`,
  `sha512-${mixed(86)}==`,
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'd41d8cd98f00b204e9800998ecf8427e',
  'id 550e8400-e29b-41d4-a716-446655440000 and 018f3c1e-7b1a-7c3d-9e2f-0a1b2c3d4e5f',
  'ULID 01ARZ3NDEKTSV4RRFFQ69G5FAV, order 4711-0815, ISBN 978-3-16-148410-0',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl someone@example',
  '-----BEGIN PUBLIC KEY-----',
  '-----BEGIN CERTIFICATE-----',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
  'eyJ is how base64 of {" begins; eyJhbGciOiJub25lIn0 alone is a header',
  `bytes in base64: 9f/hvs7${mixed(24)}+ya29x${mixed(20)} with ya29.`,
  'AKIA is the prefix of AWS access key ids, AIza that of Google keys, ghp_ that of GitHub tokens.',
  'node_modules/.package-lock.json, next_page_token=, pathology, patterns and patience',
  'The monkey-island key-value store has key-0001 to key-9999.',
  'Telegram message 1234567890: delivered to the chat',
  '1790000000:heartbeat-of-the-default-space-was-ok-all-day',
  'Bearer tokens are described in RFC 6750; basic authentication in RFC 7617.',
  'token count: 1024, secret santa: tomorrow, key: value',
  'The tokenizer reads token: identifier_with_a_long_name',
  '世界の秘密はパスワードではありません。',
];

const check = (action: Action) => checkSecretFormats(action, factsFor(action));

describe('checkSecretFormats', () => {
  it('stops every text with a secret', () => {
    const misses = missesOf(SECRETS, ([name, text]) => {
      const verdict = { verdict: 'block', reason: `text holds what looks like a secret: ${name}` };
      expect(check(reply({ text }))).toStrictEqual(verdict);
      expect(check(reply({ text: `See here:\n${text}\nand tell nobody.` }))).toStrictEqual(verdict);
    });
    expect(misses).toEqual([]);
  });

  it('lets harmless texts through', () => {
    const misses = missesOf(HARMLESS, (text) => {
      expect(check(reply({ text }))).toStrictEqual({ verdict: 'pass', reason: '' });
      expect(check(toolCall({ args: { deep: [{ [text]: text }] } }))).toStrictEqual({ verdict: 'pass', reason: '' });
    });
    expect(misses).toEqual([]);
  });

  it('covers every form of the table', () => {
    const covered = new Set(SECRETS.map(([name]) => name));
    expect(SECRET_FORMATS.map(({ name }) => name).filter((name) => !covered.has(name))).toStrictEqual([]);
    expect(new Set(SECRET_FORMATS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60);
  });

  const token = `ghp_${mixed(36)}`;
  it.each<readonly [string, Action]>([
    ['text', reply({ text: token })],
    ['to', reply({ to: token })],
    ['explanation', reply({ explanation: `to post ${token}` })],
    ['url', webhookCall({ url: `https://example.com/${token}` })],
    ['args', toolCall({ args: { a: [{ b: { c: token } }] } })],
    ['args (key)', toolCall({ args: { a: { [token]: true } } })],
    ['tool', toolCall({ tool: token })],
    ['template', reply({ template: token })],
    ['card', reply({ card: token })],
  ])('looks into %s', (field, action) => {
    expect(check(action)).toStrictEqual({
      verdict: 'block',
      reason: `${field} holds what looks like a secret: GitHub token`,
    });
  });

  it.each([
    ['percent-encoded', [...token].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')],
    ['percent-encoded twice', token.replace('_', '%255f')],
    ['full-width', token.replace('ghp', 'ｇｈｐ')],
    ['with invisible characters', [...token].join('\u200b')],
  ])('sees a secret %s', (_, text) => {
    expect(check(reply({ text }))).toStrictEqual({
      verdict: 'block',
      reason: 'text holds what looks like a secret: GitHub token',
    });
  });

  it('does not join one field with the next into a secret', () => {
    const half = token.slice(0, 20);
    expect(check(toolCall({ args: { a: half, b: token.slice(20) } })).verdict).toBe('pass');
  });

  it('never quotes what it found', () => {
    for (const [, text] of SECRETS) {
      const { reason } = check(reply({ text }));
      expect(text).not.toContain(reason.split(': ')[1]);
      expect(reason).not.toContain(text.slice(-12));
    }
  });

  it('finds a secret wherever prose stands around it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SECRETS), fc.lorem(), fc.lorem(), ([, text], before, after) => {
        expect(check(reply({ text: `${before} ${text} ${after}` })).verdict).toBe('block');
      }),
    );
  });
});

describe('checkSecretFormats over the corpus', () => {
  const isStopped = (text: string): boolean => check(reply({ text })).verdict === 'block';

  it('finds what is secret and nothing else', () => {
    const missed = SECRET_CORPUS.filter(({ text }) => !isStopped(text)).map(({ provider }) => provider);
    const wronged = HARMLESS_CORPUS.filter(isStopped);
    const found = SECRET_CORPUS.length - missed.length;
    const precision = found / (found + wronged.length);
    const recall = found / SECRET_CORPUS.length;
    const line = `secrets: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} (${SECRET_CORPUS.length} secrets of ${Object.keys(PROVIDERS).length} providers, ${HARMLESS_CORPUS.length} harmless)`;
    process.stdout.write(`${line}\n`);
    expect({ missed, wronged }, line).toStrictEqual({ missed: [], wronged: [] });
    expect(precision).toBeGreaterThanOrEqual(0.98);
    expect(recall).toBeGreaterThanOrEqual(0.98);
  });

  it('is large enough to mean something', () => {
    expect(SECRET_CORPUS.length).toBeGreaterThanOrEqual(150);
    expect(HARMLESS_CORPUS.length).toBeGreaterThanOrEqual(150);
    expect(Object.keys(PROVIDERS).length).toBeGreaterThanOrEqual(40);
    expect(new Set(SECRET_CORPUS.map(({ text }) => text)).size).toBe(SECRET_CORPUS.length);
    expect(new Set(HARMLESS_CORPUS).size).toBe(HARMLESS_CORPUS.length);
  });
});

/**
 * A pattern that backtracks takes seconds on these, a linear one milliseconds. The bound of this
 * file's own time limit is far from both: what is judged is that they end at all, with the right
 * verdict.
 */
describe('SECRET_FORMATS', () => {
  const SIZE = 48 * 1024;
  const hints = [...new Set(SECRET_FORMATS.flatMap((format) => [...format.hints, format.name]))];
  const fragments = [
    ...hints,
    'eyJ',
    '-eyJaaaaaaaa',
    '://a:',
    'a:b@',
    '-----BEGIN AAAA ',
    'password=',
    '0123456789:',
    'SG.a',
  ];

  it('stays linear on 48 KB of each fragment', () => {
    const misses = missesOf(fragments, (fragment) => {
      const text = fragment.repeat(Math.ceil(SIZE / fragment.length)).slice(0, SIZE);
      expect(['pass', 'block']).toContain(check(reply({ text })).verdict);
      expect(['pass', 'block']).toContain(check(reply({ text: text.toUpperCase() })).verdict);
    });
    expect(misses).toEqual([]);
  });

  it('has no pattern with a repetition inside an unbounded repetition, and no unbounded one before a fixed part', () => {
    for (const { name, pattern } of SECRET_FORMATS) {
      const source = pattern.source.replace(/\[[^\]]*\]/g, 'C').replace(/\\./g, 'E');
      expect(source, `${name}: bound every repetition`).not.toMatch(/[*+]|\{\d+,\}/);
    }
  });

  it('names for each pattern hints it cannot match without', () => {
    for (const { name, hints: own } of SECRET_FORMATS) {
      for (const hint of own) expect(hint, name).toBe(hint.toLowerCase());
      const samples = SECRETS.filter(([sample]) => sample === name).map(([, text]) => text.toLowerCase());
      for (const sample of samples) {
        const isHinted = SECRET_FORMATS.some(
          (format) =>
            format.name === name && (format.hints.length === 0 || format.hints.some((h) => sample.includes(h))),
        );
        expect(isHinted, `${name}: ${sample}`).toBe(true);
      }
    }
  });
});
