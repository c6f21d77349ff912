/**
 * No character leaves that a program reads and a person does not see (`hidden-text.ts`).
 * - changes: texts and argument values, without their hidden characters
 * - stops: arguments with such characters in their names
 * - lets through: emoji, Persian, Hindi, everything visible
 */

import { defined } from '../../base/defined.ts';
import { withoutHidden } from '../../base/hidden-text.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Action } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** A changed name would mean another argument. Thrown and caught in this file. */
class HiddenNameError extends Error {}

const cleanObject = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      if (withoutHidden(name) !== name) throw new HiddenNameError();
      return [name, cleanJson(value)];
    }),
  );

const cleanJson = (value: Json): Json => {
  if (typeof value === 'string') return withoutHidden(value);
  if (value === null || typeof value !== 'object') return value;
  return isList(value) ? value.map(cleanJson) : cleanObject(value);
};

const isClean = (value: Json | undefined): boolean =>
  typeof value === 'string'
    ? withoutHidden(value) === value
    : value === null ||
      typeof value !== 'object' ||
      Object.entries(value).every(([name, child]) => isClean(name) && isClean(child));

export const checkHiddenCharacters = (action: Action, _facts: Facts): Verdict => {
  const { text, args } = action;
  if (isClean(text) && isClean(args)) return PASS;
  try {
    const cleanText = text === undefined ? undefined : withoutHidden(text);
    const cleanArgs = args === undefined ? undefined : cleanObject(args);
    return {
      verdict: 'modify',
      reason: 'it holds characters that nobody sees; they are left out',
      action: {
        ...action,
        ...defined({ text: cleanText, args: cleanArgs }),
      },
    };
  } catch (error) {
    if (!(error instanceof HiddenNameError)) throw error;
    return { verdict: 'block', reason: 'the name of an argument holds characters that nobody sees' };
  }
};
