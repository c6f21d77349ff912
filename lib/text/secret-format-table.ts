/**
 * Forms of secrets, from the providers' documentation. `hints` are lower-case words without which a
 * pattern cannot match, so a text without any hint costs one pass. Patterns are linear: each takes
 * a bounded number of characters and nests no repetition. They are anchored at their start, which
 * keeps hashes and prose out; the gate is `secret-formats.ts`.
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
const isMixed = (value: string): boolean => hasDigit(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);

/** Shannon entropy in bits per character. Prose and names stay below 3.2. */
const entropyOf = (value: string): number => {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
};
const isRandom = (value: string): boolean => hasDigit(value) && /[A-Za-z]/.test(value) && entropyOf(value) >= 3.2;

/** Stand-ins for a secret in documentation: `${DB_PASSWORD}`, `<password>`, `***`, `changeme`. */
const PLACEHOLDER =
  /^(?:[$%]?\{.*\}?|\$[A-Z_]+|%s|<.*>?|\[.*\]?|[*.\u2022\u2026]+|[xX]+|(?:(?:your|my|the|some|db|user|api)[-_]?){0,3}(?:pass|password|passwd|passphrase|pwd|pw|secret|token|key|change-?_?me|example|placeholder|dummy|redacted|hidden|masked|sample)(?:[-_]?(?:here|goes[-_]?here|value))?)$/i;
const isNoPlaceholder = (value: string): boolean => !PLACEHOLDER.test(value);

const form = (name: string, hints: readonly string[], pattern: RegExp): SecretFormat => ({ name, hints, pattern });
const guess = (
  name: string,
  hints: readonly string[],
  pattern: RegExp,
  isSecret: (match: string) => boolean,
): SecretFormat => ({ name, hints, pattern, isSecret });

const CLOUDS: readonly SecretFormat[] = [
  form('AWS access key id', ['akia', 'asia', 'abia', 'acca'], /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/),
  form(
    'AWS secret access key',
    ['secret'],
    /secret_?-?(?:access_?-?)?key["']?\s{0,3}(?:[:=]|=>)\s{0,3}["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/i,
  ),
  form('Google API key', ['aiza'], /\bAIza[A-Za-z0-9_-]{35}/),
  form('Google OAuth client secret', ['gocspx-'], /\bGOCSPX-[A-Za-z0-9_-]{28}/),
  form('Google OAuth token', ['ya29.'], /\bya29\.[A-Za-z0-9_-]{20}/),
  form('Azure storage key', ['accountkey='], /\bAccountKey=[A-Za-z0-9+/]{60}/i),
  form('Azure shared access key', ['sharedaccesskey='], /\bSharedAccessKey=[A-Za-z0-9+/]{40}/i),
  form('Azure client secret', ['q~'], /\b[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31}/),
  form('DigitalOcean token', ['_v1_'], /\bdo[opr]_v1_[0-9a-f]{64}/),
  form('Alibaba access key', ['ltai'], /\bLTAI[A-Za-z0-9]{17,20}(?![A-Za-z0-9])/),
  form('Tailscale key', ['tskey-'], /\btskey-[a-z]{2,12}-[A-Za-z0-9-]{16}/),
  form('Fly.io token', ['fo1_', 'fm2_'], /\b(?:fo1_[A-Za-z0-9_-]{40}|fm2_[A-Za-z0-9+/]{40})/),
  form('Heroku key', ['hrku-'], /\bHRKU-[A-Za-z0-9_-]{30}/),
  form('Netlify token', ['nfp_'], /\bnfp_[A-Za-z0-9]{36}/),
  form('Supabase key', ['sbp_', 'sb_secret_'], /\b(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20})/),
  form('PlanetScale token', ['pscale_'], /\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32}/),
  form('HashiCorp Vault token', ['hvs.', 'hvb.', 'hvr.'], /\bhv[sbr]\.[A-Za-z0-9_-]{24}/),
  form('Terraform Cloud token', ['.atlasv1.'], /\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60}/),
  form('Pulumi token', ['pul-'], /\bpul-[0-9a-f]{40}/),
  form('Databricks token', ['dapi'], /\bdapi[0-9a-f]{32}/),
  form('Doppler token', ['dp.'], /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40}/),
];

const CODE_HOSTS: readonly SecretFormat[] = [
  form('GitHub token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /\bgh[pousr]_[A-Za-z0-9_]{36}/),
  form('GitHub fine-grained token', ['github_pat_'], /\bgithub_pat_[A-Za-z0-9_]{22}/),
  form(
    'GitLab token',
    ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glimt-', 'glagent-', 'gloas-', 'glsoat-', 'glffct-'],
    /\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{20}/,
  ),
  form('Bitbucket token', ['atbb'], /\bATBB[A-Za-z0-9]{32}/),
  form('Atlassian token', ['atatt3'], /\bATATT3[A-Za-z0-9_=-]{60}/),
  form('npm token', ['npm_'], /\bnpm_[A-Za-z0-9]{36}/),
  form('PyPI token', ['pypi-age'], /\bpypi-AgE[A-Za-z0-9_-]{30}/),
  form('RubyGems token', ['rubygems_'], /\brubygems_[0-9a-f]{48}/),
  form('Docker token', ['dckr_'], /\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27}/),
  form('Postman key', ['pmak-'], /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}/),
];

const MODELS: readonly SecretFormat[] = [
  form('Anthropic key', ['sk-ant-'], /\bsk-ant-[A-Za-z0-9_-]{20}/),
  form('OpenRouter key', ['sk-or-'], /\bsk-or-(?:v\d-)?[A-Za-z0-9_-]{32}/),
  form('OpenAI key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], /\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20}/),
  guess('OpenAI key', ['sk-'], /\bsk-([A-Za-z0-9]{20,64})/, (match) => hasDigit(match) && /[A-Za-z]/.test(match)),
  form('Groq key', ['gsk_'], /\bgsk_[A-Za-z0-9]{40}/),
  form('Hugging Face token', ['hf_'], /\bhf_[A-Za-z0-9]{34}/),
  form('Replicate token', ['r8_'], /\br8_[A-Za-z0-9]{37}/),
  form('Perplexity key', ['pplx-'], /\bpplx-[A-Za-z0-9]{40}/),
  form('xAI key', ['xai-'], /\bxai-[A-Za-z0-9]{60}/),
];

const SERVICES: readonly SecretFormat[] = [
  guess('Telegram bot token', [], /(?<!\d)\d{6,12}:([A-Za-z0-9_-]{33,46})(?![A-Za-z0-9_-])/, isMixed),
  guess('Slack token', ['xox'], /\bxox[abeoprs](?:\.xox[bp])?-([A-Za-z0-9-]{20,80})/, hasDigit),
  form('Slack app token', ['xapp-'], /\bxapp-\d-[A-Za-z0-9-]{20}/),
  form('Slack webhook', ['hooks.slack.com'], /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9_/-]{30}/i),
  form('Discord webhook', ['/api/webhooks/'], /discord(?:app)?\.com\/api\/webhooks\/\d{15,20}\/[A-Za-z0-9_-]{50}/i),
  guess('Discord bot token', [], /\b([MNO][A-Za-z0-9_-]{23,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27})/, isMixed),
  form('Stripe key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16}/),
  form('webhook signing secret', ['whsec_'], /\bwhsec_[A-Za-z0-9+/=_-]{24}/),
  form('Square token', ['sq0'], /\bsq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22}/),
  form('Shopify token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/),
  form('SendGrid key', ['sg.'], /\bSG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}/),
  form('Mailgun key', ['key-'], /\bkey-[0-9a-f]{32}(?![0-9a-f])/),
  form('Mailchimp key', ['-us'], /\b[0-9a-f]{32}-us\d{1,2}\b/),
  form('Brevo key', ['xkeysib-'], /\bxkeysib-[0-9a-f]{64}/),
  form('Twilio key', [], /\bSK[0-9a-f]{32}(?![0-9a-f])/),
  form('Linear key', ['lin_api_'], /\blin_api_[A-Za-z0-9]{32}/),
  form('Notion token', ['ntn_', 'secret_'], /\b(?:ntn_[A-Za-z0-9]{40}|secret_[A-Za-z0-9]{43})/),
  form('Airtable token', [], /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}/),
  form('Figma token', ['figd_'], /\bfigd_[A-Za-z0-9_-]{36}/),
  form('New Relic key', ['nrak-'], /\bNRAK-[A-Z0-9]{27}/),
  form('Sentry token', ['sntrys_', 'sntryu_'], /\bsntry(?:s_eyJ[A-Za-z0-9_=+/-]{40}|u_[0-9a-f]{64})/),
  form('Grafana token', ['glsa_', 'glc_'], /\bgl(?:sa_[A-Za-z0-9]{32}_[0-9a-f]{8}|c_eyJ[A-Za-z0-9+/=]{32})/),
  form('Dynatrace token', ['dt0'], /\bdt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}/),
  form('1Password token', ['ops_eyj'], /\bops_eyJ[A-Za-z0-9_=-]{100}/),
];

const GENERAL: readonly SecretFormat[] = [
  form('private key', ['private key'], /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/),
  form('PuTTY private key', ['putty-user-key-file-'], /\bPuTTY-User-Key-File-\d:/),
  form('age secret key', ['age-secret-key-1'], /\bAGE-SECRET-KEY-1[A-Z0-9]{58}/i),
  form('JSON web token', ['.eyj'], /\beyJ[A-Za-z0-9_-]{8,512}\.eyJ[A-Za-z0-9_-]{8}/),
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
    /(?:\b|_)(?:api_?-?key|secret|token|passw(?:or)?d|pwd|(?:access|auth|private|secret)_?-?(?:key|token)|client_?-?secret)["']?(?:\s{0,3}(?:=>|:=|[:=])\s{0,3}(?:[|>][+-]?\s{1,12})?|>)["']?([A-Za-z0-9_+/=.~!@#$%^&*-]{16,256})/i,
    (match) => isRandom(match) && isNoPlaceholder(match),
  ),
  guess(
    'secret of an option',
    ['--'],
    /--(?:\w{1,20}-){0,2}(?:key|secret|token|passw(?:or)?d)[ =]["']?([A-Za-z0-9_+/=.~!@#$%^&*-]{16,256})/i,
    (match) => isRandom(match) && isNoPlaceholder(match) && !/^[\w./-]*\/[\w.-]+$/.test(match),
  ),
];

export const SECRET_FORMATS: readonly SecretFormat[] = [...CLOUDS, ...CODE_HOSTS, ...MODELS, ...SERVICES, ...GENERAL];
