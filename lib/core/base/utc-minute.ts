/** Moments as code writes them for people. Pure. */

/** `2026-11-27 16:51`, UTC. @param at epoch milliseconds */
export const isoMinute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

/**
 * `2026-11-27 16:51 UTC`: it has its day, so that each place that shows it can put it on the
 * reader's clock (`channels/moments.ts`). @param at epoch milliseconds
 */
export const utcMinute = (at: number): string => `${isoMinute(at)} UTC`;
