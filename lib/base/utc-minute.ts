/**
 * A moment as code writes it for people: `2026-11-27 16:51 UTC`. It has its day, so that each place
 * that shows it can put it on the reader's clock (`channels/moments.ts`). Pure.
 * @param at epoch milliseconds
 */
export const utcMinute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
