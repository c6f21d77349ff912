// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are written so
/**
 * Each form of a secret at its shortest: found, and not found with one character less, after a
 * letter, or spoiled in the middle. `{m20}` stands for 20 mixed characters, `{u…}` for capitals and
 * digits, `{h…}` for hexadecimal, `{d…}` for digits, so that this file holds nothing a scanner
 * reports.
 */

import { describe, expect, it } from 'vitest';
import { checkSecretFormats, findSecretFormat } from '../../../lib/core/gates/rules/secret-formats.ts';
import { SECRET_FORMATS } from '../../../lib/core/text/secret-format-table.ts';
import { missesOf } from '../../support/misses.ts';
import { factsFor, reply, toolCall } from '../gates/samples.ts';

const RUNS: Readonly<Record<string, string>> = {
  m: 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6iJ9lM2oP5rS8uV1wX4yZ7bC0eF3hI6kL9nO2qR5tU8',
  u: 'A7C2E9G4I1K8M3O6Q5S0U7W2Y9B4D1F8H3J6L5N0P7R2T9V4X1Z8',
  h: 'a3f0c19be7d2546881f03c7ad9e4b2506f1c8d37e09a4b52c6d1f8073be5a94210fedcba9876543211223344556677',
  d: '12345678901234567890',
};
const build = (form: string): string =>
  form.replace(/\{([muhd])(\d+)\}/g, (_, kind: string, length: string) =>
    (RUNS[kind] ?? '').repeat(3).slice(0, Number(length)),
  );
const nameOf = (text: string): string | undefined => findSecretFormat(reply({ text }))?.name;

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
/** Ended by its own length: one character less is none. */
const EXACT: Readonly<Record<string, readonly string[]>> = {
  'AWS access key id': words('AKIA{u16} ASIA{u16} ABIA{u16} ACCA{u16}'),
  'AWS secret access key': words(
    'secret_access_key={m40} secretkey:{m40} secret-key="{m40} SecretAccessKey={m40} secret_accesskey=>{m40}',
  ),
  'Google API key': ['AIza{m35}'],
  'Google OAuth client secret': ['GOCSPX-{m28}'],
  'Google OAuth token': ['ya29.{m20}'],
  'Azure storage key': ['AccountKey={m60}'],
  'Azure shared access key': ['SharedAccessKey={m40}'],
  'Azure client secret': ['abc8Q~{m31}'],
  'DigitalOcean token': words('dop_v1_{h64} doo_v1_{h64} dor_v1_{h64}'),
  'Alibaba access key': ['LTAI{m17}'],
  'Tailscale key': ['tskey-ab-{m16}'],
  'Fly.io token': words('fo1_{m40} fm2_{m40} fm1a_{m40} fm1r_{m40}'),
  'Heroku key': ['HRKU-{m30}'],
  'Netlify token': ['nfp_{m36}'],
  'Supabase key': words('sbp_{h40} sb_secret_{m20}'),
  'PlanetScale token': words('pscale_tkn_{m32} pscale_pw_{m32} pscale_oauth_{m32}'),
  'HashiCorp Vault token': words('hvs.{m24} hvb.{m24} hvr.{m24}'),
  'Terraform Cloud token': ['{m14}.atlasv1.{m60}'],
  'Pulumi token': ['pul-{h40}'],
  'Databricks token': ['dapi{h32}'],
  'Doppler token': words('dp.pt.{m40} dp.st.{m40} dp.ct.{m40} dp.sa.{m40} dp.scim.{m40} dp.audit.{m40}'),
  'GitHub token': words('ghp_{m36} gho_{m36} ghu_{m36} ghs_{m36} ghr_{m36}'),
  'GitHub fine-grained token': ['github_pat_{m22}'],
  'GitLab token': words(
    'glpat-{m20} gldt-{m20} glrt-{m20} glcbt-{m20} glptt-{m20} glft-{m20} glimt-{m20} glagent-{m20} gloas-{m20} glsoat-{m20} glffct-{m20}',
  ),
  'Bitbucket token': ['ATBB{m32}'],
  'Atlassian token': ['ATATT3{m60}'],
  'npm token': ['npm_{m36}'],
  'PyPI token': ['pypi-AgE{m30}'],
  'RubyGems token': ['rubygems_{h48}'],
  'Docker token': words('dckr_pat_{m27} dckr_oat_{m27}'),
  'Postman key': ['PMAK-{h24}-{h34}'],
  'Anthropic key': ['sk-ant-{m20}'],
  'OpenRouter key': ['sk-or-{m32}'],
  'OpenAI key': words('sk-proj-{m20} sk-svcacct-{m20} sk-admin-{m20} sk-{m20}'),
  'Groq key': ['gsk_{m40}'],
  'Hugging Face token': words('hf_{m34} api_org_{m34}'),
  'Replicate token': ['r8_{m37}'],
  'Perplexity key': ['pplx-{m40}'],
  'xAI key': ['xai-{m60}'],
  'Telegram bot token': ['12345:A{m34}'],
  'Slack token': words('xoxa-{m20} xoxb-{m20} xoxe-{m20} xoxo-{m20} xoxp-{m20} xoxr-{m20} xoxs-{m20} xoxe.xoxp-{m20}'),
  'Slack app token': ['xapp-1-{m20}'],
  'Slack webhook': words(
    'hooks.slack.com/services/{m30} hooks.slack.com/workflows/{m30} hooks.slack.com/triggers/{m30}',
  ),
  'Discord webhook': words('discord.com/api/webhooks/{d15}/{m50} discordapp.com/api/webhooks/{d15}/{m50}'),
  'Discord bot token': words('M{m23}.{m6}.{m27} N{m23}.{m6}.{m27} O{m26}.{m6}.{m27}'),
  'Stripe key': words('sk_live_{m16} sk_test_{m16} rk_live_{m16} rk_test_{m16} sk_prod_{m16}'),
  'webhook signing secret': ['whsec_{m24}'],
  'Square token': words('sq0atp-{m22} sq0csp-{m22} sq0idp-{m22}'),
  'Shopify token': words('shpat_{h32} shpca_{h32} shppa_{h32} shpss_{h32}'),
  'SendGrid key': ['SG.{m20}.{m39}'],
  'Mailgun key': ['key-{h32}'],
  'Mailchimp key': ['{h32}-us1'],
  'EasyPost key': words('EZAK{m54} EZTK{m54}'),
  'Sourcegraph token': words('sgp_{h40} sgp_local_{h40} sgp_{m16}_{h40}'),
  'Facebook token': words('EAAM{m100} EAAC{m100}'),
  'Sidekiq key': ['contribsys="a3f0c19b:e7d25468'],
  'OpenShift token': ['sha256~{m43}'],
  'Cloudflare key': ['v1.0-{h24}-{h146}'],
  'Amazon Bedrock key': ['ABSK{m109}'],
  '1Password secret key': ['A3-{u6}-{u5}-{u5}-{u5}'],
  'Brevo key': ['xkeysib-{h64}'],
  'Twilio key': ['SK{h32}'],
  'Linear key': ['lin_api_{m32}'],
  'Notion token': words('ntn_{m40} secret_{m43}'),
  'Airtable token': ['pat{m14}.{h64}'],
  'Figma token': ['figd_{m36}'],
  'New Relic key': ['NRAK-{u27}'],
  'Sentry token': words('sntryu_{h64} sntrys_eyJ{m40}_{m43}'),
  'Grafana token': words('glsa_{m32}_{h8} glc_eyJ{m32}'),
  'Dynatrace token': ['dt0c01.{u24}.{u64}'],
  '1Password token': ['ops_eyJ{m100}'],
  'age secret key': ['AGE-SECRET-KEY-1{u58}'],
  'JSON web token': ['eyJ{m8}.eyJ{m8}'],
  'authorization header': ['x bearer {m20}', 'Basic {m20}'],
  'secret value': words(
    'api_key={m15} apikey={m15} api-key={m15} secret={m15} token={m15} password={m15} passwd={m15} pwd={m15} access_key={m15} auth-token={m15} private_token={m15} secret-token={m15} client_secret={m15} clientsecret={m15} DB_PASSWORD={m15}',
  ).concat(
    'token": "{m15}',
    "token' : '{m15}",
    'token:   {m15}',
    'token => {m15}',
    'token := {m15}',
    'token: >-\n      {m15}',
    '<token>{m15}',
  ),
  'secret of an option': ['--token {m16}', '--db-password {m16}'],
};

/** May stand behind a letter: their beginning is no word of its own. */
const ANYWHERE = new Set([
  'Azure shared access key',
  'Sidekiq key',
  'AWS secret access key',
  'secret value',
  'secret of an option',
  'Slack token',
  'Slack webhook',
  'Discord webhook',
  'Telegram bot token',
  'authorization header',
]);

describe('SECRET_FORMATS', () => {
  it('are tried only where a word of theirs stands, but for three', () => {
    const always = SECRET_FORMATS.filter(({ hints }) => hints.length === 0).map(({ name }) => name);
    expect(always).toStrictEqual(['Discord bot token', 'Twilio key', 'Airtable token']);
    const hints = SECRET_FORMATS.flatMap((format) => format.hints);
    expect(hints.filter((hint) => hint.length < 3 || hint !== hint.toLowerCase())).toStrictEqual([]);
  });

  it('are all looked at here, but for those that end at a word', () => {
    const ends = ['private key', 'PuTTY private key', 'password in a URL', 'password in a connection string'];
    const names = new Set(SECRET_FORMATS.map(({ name }) => name));
    expect([...Object.keys(EXACT), ...ends].sort()).toStrictEqual([...names].sort());
  });

  const forms = Object.entries(EXACT).flatMap(([name, list]) => list.map((form) => [name, form] as const));
  it('finds each form at its shortest, and not a character sooner', () => {
    const misses = missesOf(forms, ([name, form]) => {
      const text = build(form);
      expect(nameOf(text)).toBe(name);
      expect(nameOf(`say (${text}) now`)).toBe(name);
      expect(nameOf(text.slice(0, -1))).not.toBe(name);
    });
    expect(misses).toEqual([]);
  });

  it('finds no form after a letter', () => {
    const misses = missesOf(
      forms.filter(([name]) => !ANYWHERE.has(name)),
      ([_name, form]) => {
        expect(nameOf(`z${build(form)}`)).toBeUndefined();
      },
    );
    expect(misses).toEqual([]);
  });

  it.each([
    ['private key', '-----BEGIN PRIVATE KEY-----'],
    ['private key', '-----BEGIN A B C PRIVATE KEY BLOCK-----'],
    ['PuTTY private key', 'PuTTY-User-Key-File-2:'],
    ['password in a URL', 'x://a:bcd@e'],
    ['password in a URL', 'x://:bcd@e'],
    ['password in a connection string', 'password=abcd;'],
    ['password in a connection string', 'a;PWD=abcd;'],
  ])('finds the %s in %s', (name, text) => {
    expect(nameOf(text)).toBe(name);
  });

  it('finds nothing in what only looks like a form', () => {
    const misses = missesOf(
      [
        '-----BEGIN A B C D PRIVATE KEY-----',
        '-----BEGIN PUBLIC KEY-----',
        'PuTTY-User-Key-File-x:',
        'x://a:bc@e',
        'x://a:bcd@/',
        'x://a b:bcd@e',
        'x://a/b:bcd@e',
        'x:/a:bcd@e',
        'password=abc;',
        'password=abcd',
        'xpassword=abcd;',
        ...[
          '${PASSWORD}',
          '$PASSWORD',
          '%{x}',
          '{x}',
          '%s%s'.slice(0, 2).padEnd(3, ' ').trim(),
          '<password>',
          '<pw',
          '[password]',
          '[pw',
          '****',
          '....',
          '••••',
          '…………',
          'xxxx',
          'XXXX',
          'password',
          'your-password',
          'my_pass',
          'the-secret',
          'some-token',
          'db_password',
          'user-pwd',
          'api-key',
          'yourpassword',
          'changeme',
          'change-me',
          'change_me',
          'example',
          'placeholder',
          'dummy',
          'redacted',
          'hidden',
          'masked',
          'sample',
          'passphrase',
          'passwd',
          'password-here',
          'password_goes_here',
          'token-goeshere',
          'secret-value',
          'my-db-user-password',
        ].flatMap((placeholder) => [`x://a:${placeholder}@e`, `password=${placeholder};`]),
        'token=aaaaaaaaaaaaaaaa1',
        'token=abcdefghijklmnop',
        'token=1234567890123456',
        'bearer abcdefghijklmnopqrst',
        'sk-abcdefghijklmnopqrstu',
        'sk-1234567890123456789012',
        `123456:${'a1'.repeat(17)}`,
        `123456:${'A1'.repeat(17)}`,
        `123456:${'Aa'.repeat(17)}`,
        `xoxb-${'abcde'.repeat(5)}`,
        `1${build('1234567890123456:A{m34}')}`,
        `SK${build('{h32}')}a`,
        `key-${build('{h32}')}a`,
        `${build('AKIA{u16}')}a`,
        `${build('{h32}-us123')}`,
      ],
      (text) => {
        expect(nameOf(text)).toBeUndefined();
      },
    );
    expect(misses).toEqual([]);
  });

  it.each(['my-db-user-passwords', 'xxxy', 'changeme2', 'password1', '%ss'])(
    'takes %s for a password and no placeholder',
    (password) => {
      expect(nameOf(`x://a:${password}@e`)).toBe('password in a URL');
    },
  );
});

describe('checkSecretFormats', () => {
  it('names form and field, and never the match', () => {
    const text = build('ghp_{m36}');
    for (const [action, field] of [
      [reply({ text }), 'text'],
      [reply({ to: text }), 'to'],
      [toolCall({ explanation: text }), 'explanation'],
      [toolCall({ args: { a: [{ b: text }] } }), 'args'],
      [toolCall({ args: { [text]: 1 } }), 'args (key)'],
    ] as const)
      expect(checkSecretFormats(action, factsFor(action))).toStrictEqual({
        verdict: 'block',
        reason: `${field} holds what looks like a secret: GitHub token`,
      });
  });

  it('finds nothing that begins in one field and ends in the next', () => {
    const text = build('ghp_{m36}');
    const action = toolCall({ args: { list: [text.slice(0, 20), text.slice(20)] } });
    expect(checkSecretFormats(action, factsFor(action))).toStrictEqual({ verdict: 'pass', reason: '' });
  });
});
