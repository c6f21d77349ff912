/**
 * "Allow for this task": a grant for the turn that asked and all it causes, for the same tool with
 * arguments of the same shape. A number may be smaller. A short text may be other plain words only
 * if the owner declared which field of the target names its recipient, and this is another one.
 * Receivers, addresses, paths, lists and long texts stay the very same. It never covers what was
 * made from outside text, and it ends within an hour. Pure.
 */
import { isObject, type Json } from '../base/json.ts';
import type { Action } from '../signal/action.ts';
import { COMMON_NAMES } from '../store/declared-facts.ts';
import type { Approval } from './approval.ts';
import { argumentName, GRANT_LOOSENED_MAX, hasArgument, type Loosened } from './grant.ts';
import { fitsShape, PLAIN_WORDS, type Shape } from './shape.ts';
import { showPlainly } from './show-plainly.ts';
import { similarProblem } from './similar.ts';

const shapeOf = (value: Json, mayWordsDiffer: boolean): Shape | undefined => {
  if (typeof value === 'number') return { from: Math.min(0, value), to: Math.max(0, value) };
  return mayWordsDiffer && typeof value === 'string' && fitsShape(PLAIN_WORDS, value) ? PLAIN_WORDS : undefined;
};

const fieldsIn = (value: Json, path: string): readonly (readonly [path: string, value: Json])[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, one]) =>
        fieldsIn(one, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
      )
    : [[path, value]];

/** Whether the last part of an argument's path is a usual name of a receiver. */
export const hasNameOfReceiver = (path: string): boolean =>
  COMMON_NAMES.recipient.includes(path.split('/').at(-1)?.toLowerCase() ?? '');

/** The place of the declared recipient as a pointer into the arguments. */
export const recipientPath = ({ tool }: Pick<Action, 'tool'>, recipient: string): string =>
  `${tool === 'call-webhook' ? '/body' : ''}/${recipient.replaceAll('.', '/')}`;

/** The arguments that may differ, as card, page, terminal and grant have them. */
export const openForTask = ({ action, recipient }: Pick<Approval, 'action' | 'recipient'>): readonly Loosened[] => {
  const { webhook: _, ...fields } = action.args ?? {};
  const declared = recipient === undefined ? undefined : recipientPath(action, recipient);
  const mayWordsDiffer = declared !== undefined && hasArgument(fields, declared);
  const open = fieldsIn(fields, '').flatMap(([path, value]): readonly Loosened[] => {
    const stays = path === declared || hasNameOfReceiver(path);
    const shape = stays ? undefined : shapeOf(value, mayWordsDiffer);
    return shape === undefined ? [] : [{ path, kind: 'shape', template: '{{this}}', shape }];
  });
  return open.slice(0, GRANT_LOOSENED_MAX);
};

/** @returns why it cannot be allowed for the task; empty if it can */
export const taskProblem = (
  approval: Pick<Approval, 'action' | 'asks' | 'origin' | 'taintSource' | 'recipient'>,
  isExactOnly: boolean,
): string => {
  const problem = similarProblem(approval);
  if (problem !== '') return problem;
  if (approval.origin === 'outside' || approval.taintSource !== undefined)
    return 'what was made from outside text is asked each time';
  if (isExactOnly) return 'of a tool that changes files, runs programs or changes rights, each argument is asked about';
  return openForTask(approval).length === 0 ? 'none of its arguments could differ' : '';
};

const namesOf = (loosened: readonly Loosened[]): string =>
  loosened.map(({ path }) => showPlainly(argumentName(path))).join(', ');

/** Names of arguments that may be other words, and of those that may be smaller; empty for none. */
export const openNames = (loosened: readonly Loosened[]): { readonly words: string; readonly numbers: string } => {
  const isWords = (rule: Loosened): boolean => rule.kind === 'shape' && rule.shape === PLAIN_WORDS;
  return {
    words: namesOf(loosened.filter(isWords)),
    numbers: namesOf(loosened.filter((rule) => !isWords(rule))),
  };
};
