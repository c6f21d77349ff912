/**
 * The setting `CONSENSUS_PROVIDERS`: how many providers are asked about a proposal of high impact. Pure; read alike when
 * deploying, when starting and in Reason. Off where it is unset.
 */
import { CONSENSUS_PROVIDERS_MAX } from '../base/limits.ts';

export const CONSENSUS_PROBLEM = `must be 0, or 2 to ${CONSENSUS_PROVIDERS_MAX} providers`;

/** @returns 0 where nobody else is asked; undefined for what is no such number */
export const parseConsensus = (text: string | undefined): number | undefined => {
  if (text === undefined || text === '' || text === '0') return 0;
  const count = /^\d$/.test(text) ? Number(text) : 0;
  return count >= 2 && count <= CONSENSUS_PROVIDERS_MAX ? count : undefined;
};
