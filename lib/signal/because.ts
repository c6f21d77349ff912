/**
 * Why something stands as it does, as a code that later code decides by. The English sentence
 * beside it is for people alone. The release before refuses a field more in an effect, an attempt
 * and a decision: this one reads their codes and does not store them (`store/README.md`). Readers
 * ask `ledger/old-sentences.ts`, which also knows the words of records without a code. Pure.
 */
import * as z from 'zod/mini';

/** Whether codes are stored: as soon as the release before reads them, which a test says. */
export const STORES_CODES: boolean = false;

/**
 * - `kept-back`, `in-digest`: the text is done, and comes later
 * - `bot-blocked`: nobody reads what is sent there
 * - `token-refused`: its channel refuses the bot
 * - `later`: a failure that passes with time
 * - `stopped`: a stop was seen after it was claimed
 * - `denied`: a person said no
 * - `summarised`: `id` is the object of memory
 * - `empty-claim`: the answer claims what was not done
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

/** The code of something that is stored; nothing as long as codes are not stored. */
export const codeToStore = (because: Because, isStored: boolean = STORES_CODES): { readonly because?: Because } =>
  isStored ? { because } : {};
