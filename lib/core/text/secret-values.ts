/**
 * Every configured secret value by itself, by name: inside the JSON of a setting, a value that
 * leaves would not be found. A signing secret counts without its prefix `whsec_`, and so do the
 * bytes that it stands for.
 */
import * as z from 'zod/mini';
import { isObject, readJson } from '../base/json.ts';
import { SECRET_PRINTS } from './secret-prints.ts';

/** Name → key (`PROVIDER_KEYS`) or an object with its secrets (`WEBHOOK_TARGETS`). */
const Entries = z.record(z.string(), z.unknown());

const SIGNING_PREFIX = /^whsec_/u;
const BASE64 = /^[A-Za-z0-9+/_-]{16,}={0,2}$/;

/** A value that a webhook always sends is a secret only under such a name. */
const SECRET_MEMBER = /key|token|secret|password/i;

type Named = readonly [name: string, value: string];

const signingValues = (name: string, secret: string): readonly Named[] => {
  const key = secret.replace(SIGNING_PREFIX, '');
  if (!BASE64.test(key)) return [[name, key]];
  const bytes = Buffer.from(key, 'base64');
  return [
    [name, key],
    [`${name} decoded`, bytes.toString('hex')],
    [`${name} as numbers`, [...bytes].join(' ')],
    [`${name} as text`, bytes.toString('latin1')],
  ];
};

const valuesOf = (name: string, entry: unknown): readonly Named[] => {
  if (typeof entry === 'string')
    return SIGNING_PREFIX.test(entry) ? signingValues(name, entry.trim()) : [[name, entry.trim()]];
  if (!isObject(entry)) return [];
  const { secret, token, verifyToken, bearer, basic, headers, fixed, hmac, oauth } = entry;
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  const signing = secrets.filter((one) => typeof one === 'string');
  const password = typeof basic === 'string' ? basic.slice(basic.indexOf(':') + 1) : undefined;
  const keys = Object.entries(isObject(fixed) ? fixed : {}).filter(([member]) => SECRET_MEMBER.test(member));
  const others = [
    ...Object.entries({ verifyToken, bearer, basic: password, ...(isObject(headers) ? headers : {}) }),
    ...keys,
    ...Object.entries({ hmac, oauth }),
  ];
  return [
    ...signing.flatMap((one, n) => signingValues(n === 0 ? name : `${name} ${n + 1}`, one.trim())),
    ...valuesOf(name, token),
    ...others.flatMap(([member, value]) => valuesOf(`${name} ${member}`, value)),
  ];
};

/** @param secrets settings by name, as a function holds them; the prints stay as they are */
export const secretValuesOf = (secrets: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(
    [...secrets].flatMap(([name, value]) => {
      const parsed = value.startsWith('{') && name !== SECRET_PRINTS ? Entries.safeParse(readJson(value)) : undefined;
      if (parsed?.success !== true) return valuesOf(name, value);
      return Object.entries(parsed.data).flatMap(([key, entry]) => valuesOf(`${name}.${key}`, entry));
    }),
  );
