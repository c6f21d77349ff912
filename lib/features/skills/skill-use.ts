/**
 * Counts the uses of added skills: the turns that were shown a skill's text, since it was first
 * shown. One item of the space beside its spending. A crash may count a turn twice or not at all:
 * nothing is decided by these numbers.
 */

import { showUsd } from '../../core/base/money.ts';
import { type Finding, finding } from '../../core/language/finding.ts';
import type { Key } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import type { Item, Table } from '../../core/store/table.ts';

export const skillUseKey = (space: string): Key => ({ pk: `spend#${space}#skills`, sk: 'use' });

export interface SkillUse {
  /** Turns that were shown it. */
  readonly runs: number;
  /** Of those steps, the ones refused and the ones that had to do with a failed action. */
  readonly failures: number;
  /** Milliseconds of all its questions to a model. */
  readonly ms: number;
  readonly tokens: number;
  /** Micro-dollars. */
  readonly usd: number;
}

const COUNTED = ['runs', 'failures', 'ms', 'tokens', 'usd'] as const;

/** A skill's name has no `_`, and an attribute no `-`. */
const attribute = (what: keyof SkillUse, name: string): string => `${what}_${name.replaceAll('-', '_')}`;
const RUNS = attribute('runs', '');

/** Counts one step of a turn. */
export const countSkillUse = async (
  table: Pick<Table, 'update'>,
  space: string,
  name: string,
  use: SkillUse,
): Promise<void> => {
  const add = Object.fromEntries(COUNTED.map((what) => [attribute(what, name), Math.round(use[what])]));
  await table.update(skillUseKey(space), { set: { schemaVersion: 1 }, add });
};

const useOf = (item: Item | undefined, name: string): SkillUse => {
  const value = (what: keyof SkillUse): number => {
    const stored: unknown = item?.[attribute(what, name)];
    return typeof stored === 'number' ? stored : 0;
  };
  return {
    runs: value('runs'),
    failures: value('failures'),
    ms: value('ms'),
    tokens: value('tokens'),
    usd: value('usd'),
  };
};

/** By name; only skills that were shown at all. */
export const loadSkillUse = async (
  table: Pick<Table, 'load'>,
  space: string,
): Promise<ReadonlyMap<string, SkillUse>> => {
  const item = await loadItem(table, skillUseKey(space));
  const names = Object.keys(item ?? {}).flatMap((key) =>
    key.startsWith(RUNS) ? [key.slice(RUNS.length).replaceAll('_', '-')] : [],
  );
  return new Map(names.toSorted().map((name) => [name, useOf(item, name)]));
};

/** `3 turns, 1 failed, 2.1 s, 1234 tokens, $0.01` */
export const describeUse = ({ runs, failures, ms, tokens, usd }: SkillUse): string =>
  [
    `${runs} ${runs === 1 ? 'turn' : 'turns'}`,
    ...(failures === 0 ? [] : [`${failures} failed`]),
    `${(ms / 1000).toFixed(1)} s`,
    `${tokens} tokens`,
    showUsd(usd),
  ].join(', ');

/** With fewer turns one failure says nothing. */
const FAILING_RUNS_MIN = 4;

/** Skills in force that failed in half of their turns or more. @param names of those in force */
export const findFailingSkills = (item: Item | undefined, names: readonly string[]): readonly Finding[] =>
  names.flatMap((name) => {
    const { runs, failures } = useOf(item, name);
    return runs < FAILING_RUNS_MIN || failures * 2 < runs ? [] : [finding('skill', name, failures, runs)];
  });
