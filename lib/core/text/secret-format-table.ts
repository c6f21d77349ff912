/**
 * Forms of secrets, from the providers' documentation. `hints` are lower-case words, of three
 * characters or more, without which a pattern cannot match: a text without any costs one pass.
 * Patterns are linear: each takes a bounded number of characters and nests no repetition. They are
 * anchored at their start, which keeps hashes and prose out; the gate is `secret-formats.ts`.
 */

export interface SecretFormat {
  /** Stands in the reason of a verdict. */
  readonly name: string;
  readonly hints: readonly string[];
  readonly pattern: RegExp;
  /** Whether the match (its first group, if any) is a secret and no word or placeholder. */
  readonly isSecret?: (match: string) => boolean;
}

const hasDigit = (value: string): boolean => /\d/.test(value);
const isWord = (value: string): boolean => hasDigit(value) && /[A-Za-z]/.test(value);
const isMixed = (value: string): boolean => hasDigit(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);

/** Shannon entropy in bits per character. Prose and names stay below 3.2. */
const entropyOf = (value: string): number => {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
};
const isRandom = (value: string): boolean => isWord(value) && entropyOf(value) >= 3.2;

/** Stand-ins for a secret in documentation: `${DB_PASSWORD}`, `<password>`, `***`, `changeme`. */
const PLACEHOLDER =
  /^(?:[$%]?\{.*\}?|\$[A-Z_]+|%s|<.*>?|\[.*\]?|[*.\u2022\u2026]+|[xX]+|(?:(?:your|my|the|some|db|user|api)[-_]?){0,3}(?:pass|password|passwd|passphrase|pwd|pw|secret|token|key|change-?_?me|example|placeholder|dummy|redacted|hidden|masked|sample)(?:[-_]?(?:here|goes[-_]?here|value))?)$/i;
const isNoPlaceholder = (value: string): boolean =>
  !PLACEHOLDER.test(value) && !/[.]{2}|redacted|your[_-]|([x*#])\1{3}|^AKIA.*EXAMPLE|EXAMPLEKEY$/i.test(value);

/** Runs of one character, and the alphabet or the digits in their order. */
const FILLING = /(.)\1{3,}|example|abcdefgh[a-z]*|\d*123456789\d*/gi;
/** The keys that Google's own pages and samples show to everybody, by their first characters. */
const SHOWN_BY_GOOGLE =
  /^AIza(?:Sy(?:abc|AnLA7N|CkEhVj|DMAScl|D3asb-|AdOS2z|ASWm6H|ANUvH9|A5_iVa|A4Urc|DSb51J|BF2RrA|BcE-OO|B8qGxt|A8vmAp)|yDNSXI|Tesb6T)/;
/** A key as documents show it: `AKIAIOSFODNN7EXAMPLE`, `ghp_xxxx…`. */
const isMostlyFilling = (key: string): boolean => key.replace(FILLING, '').length * 2 <= key.length;
const isStandIn = (key: string): boolean =>
  /EXAMPLE(?:KEY)?$|abc123|your[_-]|here$/i.test(key) || SHOWN_BY_GOOGLE.test(key) || isMostlyFilling(key);

const CLASSES: Readonly<Record<string, string>> = { w: 'A-Za-z0-9_-', m: 'A-Za-z0-9', h: '0-9a-f', b: 'A-Za-z0-9+/' };

/**
 * A key of a fixed form, which begins a word. Short names stand for classes: `[w]` letters, digits,
 * `_` and `-`, `[m]` letters and digits, `[h]` hexadecimal digits, `[b]` those of base64.
 * @param hints if absent: its literal beginning, with each word of a group behind it
 */
const form = (name: string, short: string, hints?: readonly string[]): SecretFormat => {
  const [, begin = '', words = '', end = ''] = /^([\w.-]*)(?:\(([\w.|-]+)\)([\w-]*))?/.exec(short.toLowerCase()) ?? [];
  return {
    name,
    hints: hints ?? words.split('|').map((word) => begin + word + end),
    pattern: new RegExp(
      `\\b${short.replace(/\[([wmhb])\]/g, (_, letter: string) => `[${CLASSES[letter]}]`).replace(/\((?!\?)/g, '(?:')}`,
    ),
    isSecret: (match) => !isStandIn(match),
  };
};
const sure = (name: string, hints: readonly string[], pattern: RegExp): SecretFormat => ({ name, hints, pattern });
const guess = (
  name: string,
  hints: readonly string[],
  pattern: RegExp,
  isSecret: (match: string) => boolean,
): SecretFormat => ({ name, hints, pattern, isSecret });

/** Hints for what stands behind a digit. */
const afterDigit = (end: string): readonly string[] => Array.from({ length: 10 }, (_, digit) => `${digit}${end}`);

const CLOUDS: readonly SecretFormat[] = [
  form('AWS access key id', '(AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![m])'),
  guess(
    'AWS secret access key',
    ['secret'],
    /secret_?-?(?:access_?-?)?key["']?\s{0,3}(?:[:=]|=>)\s{0,3}["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/i,
    (match) => !isStandIn(match),
  ),
  form('Google API key', 'AIza[w]{35}'),
  form('Google OAuth client secret', 'GOCSPX-[w]{28}'),
  form('Google OAuth token', 'ya29[.][w]{20}'),
  sure('Azure storage key', ['accountkey='], /\bAccountKey=[A-Za-z0-9+/]{60}/i),
  sure('Azure shared access key', ['sharedaccesskey='], /\bSharedAccessKey=[A-Za-z0-9+/]{40}/i),
  form('Azure client secret', '[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])', afterDigit('q~')),
  form('DigitalOcean token', 'do[opr]_v1_[h]{64}', ['_v1_']),
  form('Alibaba access key', 'LTAI[m]{17,20}(?![m])'),
  form('Tailscale key', 'tskey-[a-z]{2,12}-[A-Za-z0-9-]{16}'),
  form('Fly.io token', '(fo1_[w]{40}|fm(1a|1r|2)_[b]{40})', ['fo1_', 'fm1', 'fm2']),
  form('Heroku key', 'HRKU-[w]{30}'),
  form('Netlify token', 'nfp_[m]{36}'),
  form('Supabase key', '(sbp_[h]{40}|sb_secret_[w]{20})', ['sbp_', 'sb_secret_']),
  form('PlanetScale token', 'pscale_(tkn|pw|oauth)_[A-Za-z0-9_.=-]{32}'),
  form('HashiCorp Vault token', 'hv(s|b|r)[.][w]{24}'),
  form('Terraform Cloud token', '[m]{14}[.]atlasv1[.][A-Za-z0-9_=-]{60}', ['.atlasv1.']),
  form('Pulumi token', 'pul-[h]{40}'),
  form('Databricks token', 'dapi[h]{32}'),
  form('Doppler token', 'dp.(pt|st|ct|sa|scim|audit).[A-Za-z0-9_.-]{40}'),
];

const CODE_HOSTS: readonly SecretFormat[] = [
  form('GitHub token', 'gh(p|o|u|s|r)_[A-Za-z0-9_]{36}'),
  form('GitHub fine-grained token', 'github_pat_[A-Za-z0-9_]{22}'),
  form('GitLab token', 'gl(pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{20}'),
  form('Bitbucket token', 'ATBB[m]{32}'),
  form('Atlassian token', 'ATATT3[A-Za-z0-9_=-]{60}'),
  form('npm token', 'npm_[m]{36}'),
  form('PyPI token', 'pypi-AgE[w]{30}'),
  form('RubyGems token', 'rubygems_[h]{48}'),
  form('Docker token', 'dckr_(pat|oat)_[w]{27}'),
  form('Postman key', 'PMAK-[h]{24}-[h]{34}'),
];

const MODELS: readonly SecretFormat[] = [
  form('Anthropic key', 'sk-ant-[w]{20}'),
  form('OpenRouter key', 'sk-or-(v[0-9]-)?[w]{32}'),
  form('OpenAI key', 'sk-(proj|svcacct|admin)-[w]{20}'),
  guess('OpenAI key', ['sk-'], /\bsk-([A-Za-z0-9]{20,64})/, isWord),
  form('Groq key', 'gsk_[m]{40}'),
  form('Hugging Face token', '(hf_[m]{34}|api_org_[m]{34})(?![m])', ['hf_', 'api_org_']),
  form('Replicate token', 'r8_[m]{37}'),
  form('Perplexity key', 'pplx-[m]{40}'),
  form('xAI key', 'xai-[m]{60}'),
];

const SERVICES: readonly SecretFormat[] = [
  guess('Telegram bot token', afterDigit(':a'), /(?<!\d)\d{5,16}:(A[A-Za-z0-9_-]{34})(?![A-Za-z0-9_-])/, isMixed),
  guess(
    'Slack token',
    ['xox'],
    /\bxox[abeoprs](?:\.xox[bp])?-([A-Za-z0-9-]{20,80})/,
    (match) => isWord(match) && !/here$/i.test(match),
  ),
  form('Slack app token', 'xapp-[0-9]-[A-Za-z0-9-]{20}'),
  sure('Slack webhook', ['hooks.slack.com'], /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9_/-]{30}/i),
  sure('Discord webhook', ['/api/webhooks/'], /discord(?:app)?\.com\/api\/webhooks\/\d{15,20}\/[A-Za-z0-9_-]{50}/i),
  guess('Discord bot token', [], /\b([MNO][A-Za-z0-9_-]{23,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27})/, isMixed),
  form('Stripe key', '[sr]k_(live|test|prod)_[m]{16}', ['k_live_', 'k_test_', 'k_prod_']),
  form('webhook signing secret', 'whsec_[A-Za-z0-9+/=_-]{24}'),
  form('Square token', 'sq0(atp|csp|idp)-[w]{22}'),
  form('Shopify token', 'shp(at|ca|pa|ss)_[0-9a-fA-F]{32}'),
  form('SendGrid key', 'SG[.][w]{20,24}[.][w]{39,50}', ['sg.']),
  form('Mailgun key', 'key-[h]{32}(?![h])'),
  sure('Mailchimp key', ['-us'], /\b[0-9a-f]{32}-us\d{1,2}\b/),
  form('EasyPost key', '(?<![+/])EZ[AT]K[m]{54}(?![m+/])', ['ezak', 'eztk']),
  form('Sourcegraph token', 'sgp_([m]{16}_|local_)?[0-9a-fA-F]{40}'),
  form('Facebook token', 'EAA[MC][m]{100}', ['eaam', 'eaac']),
  sure('Sidekiq key', ['contribsys'], /contribsys[\s\S]{1,40}?[0-9a-f]{8}:[0-9a-f]{8}(?![0-9a-f])/i),
  form('OpenShift token', 'sha256~[w]{43}'),
  form('Cloudflare key', 'v1.0-[h]{24}-[h]{146}'),
  form('Amazon Bedrock key', 'ABSK[b]{109}'),
  form('1Password secret key', 'A3-[A-Z0-9]{6}-[A-Z0-9]{5,11}-[A-Z0-9]{5}-[A-Z0-9]{5}'),
  form('Brevo key', 'xkeysib-[h]{64}'),
  form('Twilio key', 'SK[h]{32}(?![h])', []),
  form('Linear key', 'lin_api_[m]{32}'),
  form('Notion token', '(ntn_[m]{40}|secret_[m]{43})', ['ntn_', 'secret_']),
  form('Airtable token', 'pat[m]{14}[.][h]{64}', []),
  form('Figma token', 'figd_[w]{36}'),
  form('New Relic key', 'NRAK-[A-Z0-9]{27}'),
  form('Sentry token', 'sntry(s_eyJ[b]{40,300}={0,2}_[b]{43}(?![b])|u_[h]{64}(?![h]))', ['sntry']),
  form('Grafana token', 'gl(sa_[m]{32}_[h]{8}|c_eyJ[A-Za-z0-9+/=]{32})', ['glsa_', 'glc_']),
  form('Dynatrace token', 'dt0[a-z][0-9]{2}[.][A-Z0-9]{24}[.][A-Z0-9]{64}'),
  form('1Password token', 'ops_eyJ[A-Za-z0-9_=-]{100}'),
];

const GENERAL: readonly SecretFormat[] = [
  sure('private key', ['private key'], /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/),
  form('PuTTY private key', 'PuTTY-User-Key-File-[0-9]:'),
  sure('age secret key', ['age-secret-key-1'], /\bAGE-SECRET-KEY-1[A-Z0-9]{58}/i),
  form('JSON web token', 'eyJ[w]{8,512}[.]eyJ[w]{8}', ['.eyj']),
  guess('password in a URL', ['://'], /:\/\/[^\s:@/?#]{0,64}:([^\s@/]{3,128})@[^\s@/]/, isNoPlaceholder),
  guess(
    'password in a connection string',
    ['password=', 'pwd='],
    /(?:;|^|["'\s])(?:password|pwd)=([^;\s"']{4,128});/i,
    isNoPlaceholder,
  ),
  guess(
    'authorization header',
    ['bearer ', 'basic '],
    /\b(?:bearer|basic) {1,3}([A-Za-z0-9_.~+/=-]{20,512})/i,
    isRandom,
  ),
  guess(
    'secret value',
    ['key', 'secret', 'token', 'passw', 'pwd'],
    /(?<!csrf[-_]?|public_?|next_?|page_?|jsonweb)(?:api_?-?key|secret|token|passw(?:or)?d|pwd|(?:access|auth|private|secret)_?-?(?:key|token)|client_?-?secret)["']?(?:\s{1,3}string)?(?:\s{0,3}(?::{0,3}=>?|[?.+]=|:|,(?=\s{0,3}["'`]))\s{0,3}(?:[|>][+-]?\s{1,12})?|>\s{0,12})["'`]?([A-Za-z0-9_+/=.~!@#$%^&*-]{15,256})/i,
    (match) => isRandom(match) && isNoPlaceholder(match) && !isMostlyFilling(match),
  ),
  guess(
    'secret of an option',
    ['key', 'secret', 'token', 'passw'],
    /--(?:\w{1,20}-){0,2}(?:key|secret|token|passw(?:or)?d)[ =]["']?([A-Za-z0-9_+/=.~!@#$%^&*-]{16,256})/i,
    (match) => isRandom(match) && isNoPlaceholder(match) && !/^[\w./-]*\/[\w.-]+$/.test(match),
  ),
];

export const SECRET_FORMATS: readonly SecretFormat[] = [...CLOUDS, ...CODE_HOSTS, ...MODELS, ...SERVICES, ...GENERAL];
