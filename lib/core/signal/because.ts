/**
 * Why something stands as it does, as a code that later code decides by. The English sentence
 * beside it is for people alone. Readers ask `ledger/old-sentences.ts`, which also knows the words
 * of records from before, which have no code. Pure.
 */
import * as z from 'zod/mini';

/**
 * - `kept-back`, `in-digest`: the text is done, and comes later
 * - `bot-blocked`: nobody reads what is sent there
 * - `token-refused`: its channel refuses the bot
 * - `later`: a failure that passes with time
 * - `stopped`: a stop was seen after it was claimed
 * - `denied`: a person said no
 * - `summarised`: `id` is the object of memory
 * - `empty-claim`: of a release before: the answer claimed what was not done
 * - `nothing-to-summarise`: nobody said anything
 */
type Code =
  | ('kept-back' | 'in-digest' | 'bot-blocked' | 'token-refused' | 'later' | 'stopped' | 'denied')
  | ('summarised' | 'empty-claim' | 'nothing-to-summarise');

export const Because = z.object({
  /** One of a later release is read too. */
  code: z.custom<Code>((value) => typeof value === 'string' && /^[a-z-]{1,40}$/.test(value)),
  id: z.optional(z.string().check(z.regex(/^[0-9a-f]{32}$/))),
});
export type Because = z.infer<typeof Because>;
