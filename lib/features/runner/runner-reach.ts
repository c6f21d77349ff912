/** The kinds of action that an allow-file makes possible on its machine, by the defaults. Pure. */
import type { Reach } from '../../core/approvals/say-reach.ts';
import { type AllowSummary, ANY_PROGRAM } from './runners.ts';

export const runnerReach = ({ read, write, programs, hasNetwork }: Omit<AllowSummary, 'hash' | 'home'>): Reach => {
  const folders = [...read, ...write];
  // Nothing runs on a machine that names no folder.
  if (folders.length === 0) return new Map();
  const named = programs.map((name) => (name === ANY_PROGRAM ? 'any program' : `the program ${name}`));
  return new Map([
    ...folders.map((folder) => [`reading in ${folder}`, 'allow'] as const),
    ...write.map((folder) => [`changing files in ${folder}`, 'ask'] as const),
    ...named.map((name) => [`running ${name}`, 'ask'] as const),
    ...(hasNetwork ? [['reaching the network', 'ask'] as const] : []),
  ]);
};
