/** The path of an operation in the HTTP API, and the token it needs. Pure. */
import type { Operation } from '../../operations/operation.ts';
import type { Need } from './tokens.ts';

/** `/api/jobs/pause` */
export const pathOf = ({ name }: Pick<Operation, 'name'>): string => `/api/${name.split(' ').join('/')}`;

/** A script that may read sees all that a look shows; only an approver's token decides. */
export const needOf = ({ kind, needs }: Pick<Operation, 'kind' | 'needs'>): Need => {
  if (kind === 'look') return 'read';
  return needs === 'approver' ? 'approver' : 'speak-as-owner';
};
