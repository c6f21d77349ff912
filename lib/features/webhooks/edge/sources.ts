/** The senders of `WEBHOOK_SECRETS`. Pure. No sentence quotes a secret. */
import { isObject, readJson } from '../../../core/base/json.ts';
import { findTemplates } from '../../../core/text/template.ts';
import type { Scheme, Source } from './scheme.ts';
import { alertmanager } from './schemes/alertmanager.ts';
import { bitbucket } from './schemes/bitbucket.ts';
import { calcom } from './schemes/calcom.ts';
import { custom, findFormProblem } from './schemes/custom.ts';
import { discord } from './schemes/discord.ts';
import { gitea } from './schemes/gitea.ts';
import { github } from './schemes/github.ts';
import { gitlab } from './schemes/gitlab.ts';
import { grafana } from './schemes/grafana.ts';
import { linear } from './schemes/linear.ts';
import { meta } from './schemes/meta.ts';
import { pagerduty } from './schemes/pagerduty.ts';
import { sentry } from './schemes/sentry.ts';
import { shopify } from './schemes/shopify.ts';
import { slack } from './schemes/slack.ts';
import { sns } from './schemes/sns.ts';
import { standard } from './schemes/standard.ts';
import { stripe } from './schemes/stripe.ts';
import { basic, bearer, headerToken, pathToken } from './schemes/tokens.ts';
import { twilio } from './schemes/twilio.ts';
import { typeform } from './schemes/typeform.ts';
import { zoom } from './schemes/zoom.ts';

export const SCHEMES: Readonly<Record<string, Scheme>> = {
  standard,
  github,
  gitea,
  bitbucket,
  gitlab,
  stripe,
  slack,
  linear,
  shopify,
  sentry,
  pagerduty,
  grafana,
  alertmanager,
  twilio,
  discord,
  sns,
  zoom,
  typeform,
  calcom,
  meta,
  hmac: custom,
  'header-token': headerToken,
  bearer,
  basic,
  'path-token': pathToken,
};

/** Of an entry's own form. */
const FORM_CHARS_MAX = 1000;

/** A source's name becomes part of session and signal ids, which keep 30 characters of it. */
export const WEBHOOK_SOURCE = /^[A-Za-z0-9_.-]{1,30}$/;
/** Shorter ones are guessed. */
const SECRET_CHARS_MIN = 8;
/** Each request is compared with every secret of its source. */
const SECRETS_MAX = 4;
/** A day. The same body later is a new event. */
const REPEAT_MINUTES_MAX = 1440;
/** Lower case, as headers arrive. */
const HEADER_OPTIONS = ['header', 'time', 'id', 'event'];

export interface Sources {
  readonly sources: ReadonlyMap<string, Source>;
  /** One sentence for each mistake. A source with a mistake takes nothing. */
  readonly problems: readonly string[];
}

const findSecretProblem = (scheme: Scheme, secret: unknown): string | undefined => {
  if (typeof secret !== 'string' || secret === '') return 'needs a "secret"';
  if (secret.length < SECRET_CHARS_MIN) return `needs a secret of ${SECRET_CHARS_MIN} characters or more`;
  const problem = scheme.secretProblem?.(secret);
  return problem === undefined ? undefined : `has a secret that ${problem}`;
};

const findOptionProblem = (scheme: Scheme, options: Readonly<Record<string, unknown>>): string | undefined => {
  const known = scheme.options ?? {};
  const strange = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (strange !== undefined) {
    const possible = ['scheme', 'secret', 'repeatMinutes', 'form', ...Object.keys(known)];
    return `has a member that its scheme does not have; there are ${possible.join(', ')}`;
  }
  const missing = Object.keys(known).find((name) => known[name] === 'needed' && options[name] === undefined);
  if (missing !== undefined) return `needs "${missing}"`;
  const wrong = Object.keys(options).find((name) => typeof options[name] !== 'string' || options[name] === '');
  return wrong === undefined ? undefined : `needs a text as "${wrong}"`;
};

const findTemplateProblem = (form: unknown): string | undefined => {
  if (form === undefined) return undefined;
  if (typeof form !== 'string' || form === '' || form.length > FORM_CHARS_MAX)
    return `needs a text of at most ${FORM_CHARS_MAX} characters as "form"`;
  const [bad] = findTemplates(form).bad;
  return bad === undefined ? undefined : `has ${bad} in its form; write {{ and }} around a path such as alert.name`;
};

/** The source, or what is wrong with its entry. */
const parseSource = (entry: unknown): Source | string => {
  if (typeof entry === 'string') return parseSource({ scheme: 'standard', secret: entry });
  if (!isObject(entry)) return 'must be "whsec_…" or {"scheme", "secret"}';
  const { scheme: name = 'standard', secret, repeatMinutes, form, ...options } = entry;
  const scheme = typeof name === 'string' && Object.hasOwn(SCHEMES, name) ? SCHEMES[name] : undefined;
  if (scheme === undefined || typeof name !== 'string')
    return `names a scheme that does not exist; there are ${Object.keys(SCHEMES).join(', ')}`;
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length > SECRETS_MAX) return `has more than ${SECRETS_MAX} secrets`;
  const minutes = typeof repeatMinutes === 'number' && Number.isInteger(repeatMinutes) ? repeatMinutes : -1;
  if (repeatMinutes !== undefined && (minutes < 0 || minutes > REPEAT_MINUTES_MAX))
    return `needs "repeatMinutes" of 0 to ${REPEAT_MINUTES_MAX}`;
  const texts = Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key,
      HEADER_OPTIONS.includes(key) ? String(value).toLowerCase() : String(value),
    ]),
  );
  const problem =
    (secrets.length === 0 ? 'needs a "secret"' : undefined) ??
    secrets.map((one) => findSecretProblem(scheme, one)).find((one) => one !== undefined) ??
    findOptionProblem(scheme, options) ??
    (scheme === custom ? findFormProblem(texts) : undefined) ??
    findTemplateProblem(form);
  if (problem !== undefined) return problem;
  const window = repeatMinutes === undefined ? {} : { repeatMinutes: minutes };
  const own = typeof form === 'string' ? { form } : {};
  return { scheme: name, secrets: secrets.map(String), options: texts, ...window, ...own };
};

/** @param text of the setting; undefined or empty for no sources */
export const parseSources = (text: string | undefined): Sources => {
  const sources = new Map<string, Source>();
  const problems: string[] = [];
  const parsed = text === undefined || text === '' ? {} : readJson(text);
  if (!isObject(parsed)) return { sources, problems: ['must be JSON: source → "whsec_…" or {"scheme", "secret"}'] };
  for (const [name, entry] of Object.entries(parsed)) {
    const source = WEBHOOK_SOURCE.test(name) ? parseSource(entry) : 'needs another name: 1-30 of A-Z a-z 0-9 _ . -';
    if (typeof source === 'string') problems.push(`${name.slice(0, 30)} ${source}`);
    else sources.set(name, source);
  }
  return { sources, problems };
};
