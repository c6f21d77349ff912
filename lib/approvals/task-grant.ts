/**
 * "Allow for this task": a grant for the turn that asked and all it causes, for the same tool with
 * arguments of the same shape. A short text may be other plain words, a number may be smaller;
 * receivers, addresses, paths, lists and long texts stay the very same. It never covers what was
 * made from outside text, and it ends within an hour. Pure.
 */
import { isObject, type Json } from '../base/json.ts';
import type { Action } from '../signal/action.ts';
import { COMMON_NAMES, type DeclaredFacts } from '../store/declared-facts.ts';
import type { Approval } from './approval.ts';
import { GRANT_LOOSENED_MAX, type Loosened } from './grant.ts';
import { fitsShape, PLAIN_WORDS, type Shape } from './shape.ts';
import { similarProblem } from './similar.ts';

const shapeOf = (value: Json): Shape | undefined => {
  if (typeof value === 'number') return { from: Math.min(0, value), to: Math.max(0, value) };
  return typeof value === 'string' && fitsShape(PLAIN_WORDS, value) ? PLAIN_WORDS : undefined;
};

const fieldsIn = (value: Json, path: string): readonly (readonly [path: string, value: Json])[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, one]) =>
        fieldsIn(one, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
      )
    : [[path, value]];

/** @param declared by the target's owner: its recipient stays the very same */
export const taskLoosening = ({ args = {} }: Action, declared: DeclaredFacts = {}): readonly Loosened[] => {
  const { webhook: _, ...fields } = args;
  const recipient = declared.recipient === undefined ? undefined : `/${declared.recipient.replaceAll('.', '/')}`;
  const stays = (path: string): boolean =>
    (recipient !== undefined && path.endsWith(recipient)) ||
    COMMON_NAMES.recipient.includes(path.split('/').at(-1)?.toLowerCase() ?? '');
  const open = fieldsIn(fields, '').flatMap(([path, value]): readonly Loosened[] => {
    const shape = stays(path) ? undefined : shapeOf(value);
    return shape === undefined ? [] : [{ path, kind: 'shape', template: '{{this}}', shape }];
  });
  return open.slice(0, GRANT_LOOSENED_MAX);
};

/** @returns why it cannot be allowed for the task; empty if it can */
export const taskProblem = (
  approval: Pick<Approval, 'action' | 'asks' | 'origin' | 'taintSource'>,
  isExactOnly: boolean,
): string => {
  const problem = similarProblem(approval);
  if (problem !== '') return problem;
  if (approval.origin === 'outside' || approval.taintSource !== undefined)
    return 'what was made from outside text is asked each time';
  if (isExactOnly) return 'of a tool that changes files, runs programs or changes rights, each argument is asked about';
  return taskLoosening(approval.action).length === 0 ? 'none of its arguments could differ' : '';
};
