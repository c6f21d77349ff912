/**
 * The texts of an action in which a link counts (I13): what a person is shown, and what a note keeps, because a note is read
 * again later and its links then count as read. Pure.
 */
import type { Action } from '../signal/action.ts';
import { isText } from '../signal/action.ts';
import type { Json, JsonObject } from '../signal/json.ts';

/** Tools that keep what they are given for later turns. */
const KEEPING_TOOLS: ReadonlySet<string> = new Set(['remember']);

/** Whether a call keeps its arguments for later turns. */
export const isKeeping = (action: Action): boolean => action.target === 'tool' && KEEPING_TOOLS.has(action.tool ?? '');

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const mapJson = (value: Json, change: (text: string) => string): Json => {
  if (typeof value === 'string') return change(value);
  if (value === null || typeof value !== 'object') return value;
  return isList(value) ? value.map((item) => mapJson(item, change)) : mapObject(value, change);
};

const mapObject = (object: JsonObject, change: (text: string) => string): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, mapJson(value, change)]));

/** The action with each of its link texts replaced; names of arguments stay. */
export const mapLinkTexts = (action: Action, change: (text: string) => string): Action => {
  if (isText(action)) return action.text === undefined ? action : { ...action, text: change(action.text) };
  if (!isKeeping(action) || action.args === undefined) return action;
  return { ...action, args: mapObject(action.args, change) };
};
