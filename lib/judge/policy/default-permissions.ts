/**
 * Permissions if the owner's policy does not speak, as plain data: which calls pass by themselves,
 * are asked about, or are denied. A row with argument values beats the bare row of its tool; of
 * rows that fit equally well the strictest counts. A tool without a row has its own tier. Pure.
 */

import type { JsonObject } from '../../base/json.ts';
import type { Facts } from '../../signal/facts.ts';
import { findTool } from '../../tools/catalogue.ts';
import { findDeclaredTool } from '../../tools/declared.ts';

export type Tier = Facts['tier'];

export interface Permission {
  readonly effect: Tier;
  readonly tool: string;
  /** The row fits only if each argument has one of these values. */
  readonly args?: Readonly<Record<string, readonly string[]>>;
}

// biome-ignore format: one row per permission, so that effects can be read down the column
export const DEFAULT_PERMISSIONS: readonly Permission[] = [
  { effect: 'allow', tool: 'remember' },
  { effect: 'allow', tool: 'recall' },
  { effect: 'allow', tool: 'list-memory' },
  { effect: 'allow', tool: 'current-time' },
  { effect: 'allow', tool: 'calculate' },
  { effect: 'allow', tool: 'read-output' },
  { effect: 'ask',   tool: 'run-code' },
  { effect: 'ask',   tool: 'forget' },
  { effect: 'ask',   tool: 'call-webhook' },
];

/** Strictest last. */
const TIERS: readonly Tier[] = ['allow', 'ask', 'deny'];

export const strictest = (tiers: readonly Tier[]): Tier | undefined => TIERS.findLast((tier) => tiers.includes(tier));

const hasValues = (permission: Permission, args: JsonObject): boolean =>
  Object.entries(permission.args ?? {}).every(([name, values]) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    return typeof value === 'string' && values.includes(value);
  });

/** The default tier of a call. A tool that does not exist is denied, unless a row names it. */
export const defaultTier = (
  tool: string,
  args: JsonObject,
  permissions: readonly Permission[] = DEFAULT_PERMISSIONS,
): Tier => {
  const rows = permissions.filter((row) => row.tool === tool && hasValues(row, args));
  const exact = rows.filter((row) => row.args !== undefined);
  const fitting = exact.length > 0 ? exact : rows;
  return strictest(fitting.map((row) => row.effect)) ?? findTool(tool)?.tier ?? findDeclaredTool(tool)?.tier ?? 'deny';
};

/** Whether no call of the tool can ever pass. The model is not shown such a tool. */
export const isAlwaysDenied = (tool: string, permissions: readonly Permission[] = DEFAULT_PERMISSIONS): boolean => {
  const rows = permissions.filter((row) => row.tool === tool);
  if (rows.length === 0) return findTool(tool)?.tier === 'deny';
  return rows.every((row) => row.effect === 'deny') && rows.some((row) => row.args === undefined);
};
