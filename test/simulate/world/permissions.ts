/**
 * What the role of a function may do with the table (`infra/constructs/state-table.ts`): a function
 * of the simulated stack is refused what AWS would refuse.
 */
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { FUNCTIONS } from '../../../infra/functions.ts';

const SPECS = new Map<string, FunctionSpec>(Object.entries(FUNCTIONS));
const READS: ReadonlySet<string> = new Set(['GetItem', 'BatchGetItem', 'Query']);
const KIND = /":?pk":\{"S":"([a-z-]+)#/g;

const granted = ({ reads, writes, indexes }: FunctionSpec, action: string, body: string): readonly string[] => {
  if (!READS.has(action)) return writes;
  return body.includes('"IndexName"') ? indexes : ['data', ...reads];
};

/** @returns the kinds of item that the request needs and the role does not have */
export const findDenied = (environment: string, action: string, body: string): readonly string[] => {
  const spec = SPECS.get(environment.replace(/-\d+$/, ''));
  if (spec === undefined) return [];
  const kinds = new Set([...body.matchAll(KIND)].map(([, kind = '']) => kind));
  return [...kinds].filter((kind) => !granted(spec, action, body).includes(kind));
};
