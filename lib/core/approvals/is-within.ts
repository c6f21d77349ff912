/** Whether a grant is for an action: compares its fixed parts, and the bounds of the rest. Pure. */
import { canonicalJson } from '../base/canonical.ts';
import { jobOf } from '../money/day-spend.ts';
import type { Action } from '../signal/action.ts';
import { GRANT_WORDS_MAX, type Grant, isPlainObject, type Loosened, turnScope } from './grant.ts';
import { fitsShape, type Shape } from './shape.ts';

type Json = unknown;

const pointer = (path: string, key: string | number): string =>
  `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The rest after a prefix may not climb out of it, nor read otherwise than it is written. */
const CLIMBS = /\.\.|[%\\\p{Cc}\p{Cf}]/u;

/** A name, number or version: no option, path, address or sentence can be written with it. */
const WORD = String.raw`[A-Za-z0-9](?:(?:[A-Za-z0-9_+-]|\.(?!\.)){0,62}[A-Za-z0-9])?`;

const fitsWords = (template: string, value: Json): boolean => {
  const literals = template.split(/\{\{[^{}]*\}\}/);
  const isWhole = literals.length === 2 && literals.every((one) => one === '');
  if (typeof value === 'boolean' || typeof value === 'number') return isWhole;
  if (typeof value !== 'string' || literals.length > GRANT_WORDS_MAX + 1) return false;
  return new RegExp(`^${literals.map((one) => one.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join(WORD)}$`).test(value);
};

const fitsTemplate = (template: string, shape: Shape, value: Json): boolean => {
  const [before = '', after = '', ...more] = template.split(/\{\{[^{}]*\}\}/);
  if (more.length > 0) return false;
  if (before === '' && after === '') return fitsShape(shape, value);
  if (typeof value !== 'string' || value.length < before.length + after.length) return false;
  const words = value.slice(before.length, value.length - after.length);
  return value.startsWith(before) && value.endsWith(after) && fitsShape(shape, words);
};

const fits = (rule: Loosened, value: Json): boolean => {
  switch (rule.kind) {
    case 'any':
      return true;
    case 'words':
      return fitsWords(rule.template, value);
    case 'shape':
      return fitsTemplate(rule.template, rule.shape, value);
    case 'prefix':
      return (
        typeof value === 'string' &&
        value.startsWith(rule.prefix) &&
        value.normalize('NFKC') === value &&
        !CLIMBS.test(value.slice(rule.prefix.length))
      );
    default:
      rule satisfies never;
      return false;
  }
};

const isCovered = (wanted: Json, value: Json, path: string, rules: ReadonlyMap<string, Loosened>): boolean => {
  const rule = rules.get(path);
  if (rule !== undefined) return fits(rule, value);
  if (isPlainObject(wanted) && isPlainObject(value)) {
    const names = Object.keys(wanted);
    return (
      names.length === Object.keys(value).length &&
      names.every(
        (name) => Object.hasOwn(value, name) && isCovered(wanted[name], value[name], pointer(path, name), rules),
      )
    );
  }
  if (Array.isArray(wanted) && Array.isArray(value)) {
    const list: readonly Json[] = value;
    return (
      wanted.length === list.length &&
      wanted.every((one: Json, index) => isCovered(one, list[index], pointer(path, index), rules))
    );
  }
  return (
    canonicalJson(wanted ?? null) === canonicalJson(value ?? null) && (wanted === undefined) === (value === undefined)
  );
};

/** Fields compared whole, always: only arguments can be loosened. */
const FIXED = ['target', 'tool', 'to', 'url', 'text'] as const;

/** Whether the grant is for this action here. Time, count, gates and rules are judged elsewhere. */
export const isWithin = (grant: Grant, action: Action, session: string, root?: string): boolean =>
  action.author === 'model' &&
  // A job is covered only by a grant that names it.
  (grant.session === session ||
    (root !== undefined && grant.session === turnScope(root)) ||
    (grant.session === undefined && jobOf(session) === undefined)) &&
  FIXED.every((field) => grant[field] === action[field]) &&
  isCovered(grant.args, action.args, '', new Map(grant.loosened.map((rule) => [rule.path, rule])));
