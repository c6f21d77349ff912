/** The findings of the local stack about its providers and its bot, and their route. */
import * as z from 'zod/mini';
import type { ProviderFault } from '../lib/core/base/errors.ts';
import { isFault } from '../lib/core/language/fault-texts.ts';

/** The route of a running local stack that answers with an inspection. */
export const INSPECT_PATH = '/api/local/inspection';

const ShownModel = z.object({
  tier: z.string(),
  model: z.string(),
  contextTokens: z.number(),
  /** US dollars for a million tokens. */
  price: z.object({ prompt: z.number(), cached: z.number(), completion: z.number() }),
});
export type ShownModel = z.infer<typeof ShownModel>;

/** A model that a provider lists, with the window and prices that it says. */
const ShownOffer = z.object({
  model: z.string(),
  contextTokens: z.exactOptional(z.number()),
  /** US dollars for a million tokens. */
  prices: z.exactOptional(
    z.object({ prompt: z.number(), cached: z.exactOptional(z.number()), completion: z.number() }),
  ),
});
export type ShownOffer = z.infer<typeof ShownOffer>;

const Endpoint = z.object({
  name: z.string(),
  address: z.string(),
  isReachable: z.boolean(),
  /** How it failed. */
  fault: z.optional(z.custom<ProviderFault>(isFault)),
  /** It answered a small question just now. */
  hasAnswered: z.optional(z.boolean()),
  /** Its key or token is refused, which only its owner can mend. */
  isRefused: z.optional(z.boolean()),
  /** No answer came: perhaps there is no network. */
  isAway: z.optional(z.boolean()),
  /** It does not list the model, and may answer all the same. */
  isUnlisted: z.optional(z.boolean()),
  /** The key has few requests or tokens left, as the provider says. */
  isNearLimit: z.optional(z.boolean()),
  /** Seconds that this machine's clock is ahead of it, if they are many; behind if negative. */
  clockAheadS: z.optional(z.int()),
  /** A phrase: `reachable`, or why it is not usable and what to do. */
  detail: z.string(),
});
export type Endpoint = z.infer<typeof Endpoint>;

/** Says that this machine's clock is wrong, by the one that an endpoint answered with. */
export const describeClock = ({ name, clockAheadS = 0 }: Pick<Endpoint, 'name' | 'clockAheadS'>): string => {
  const minutes = Math.round(Math.abs(clockAheadS) / 60);
  return `this machine's clock is ${minutes} minutes ${clockAheadS > 0 ? 'ahead of' : 'behind'} that of ${name}`;
};

export const Inspection = z.object({
  providers: z.array(
    z.extend(Endpoint, {
      features: z.array(z.string()),
      models: z.array(ShownModel),
      /** All that it lists; none of an earlier release, or of one without a list. */
      offers: z._default(z.array(ShownOffer), []),
    }),
  ),
  embeddings: z.optional(z.extend(Endpoint, { model: z.string() })),
  /** Writes recordings down; absent if no model for it is set. */
  transcription: z.optional(Endpoint),
  /** Says answers aloud; absent if no model for it is set. */
  speech: z.optional(Endpoint),
  /** By channel; `name` is that of the bot, or the channel's if it does not say it. */
  channels: z._default(z.record(z.string(), Endpoint), {}),
  /** The servers of MCP_SERVERS. One that needs no token is in no setting, and is not asked. */
  mcp: z._default(z.array(Endpoint), []),
  /** Outgoing webhooks: nothing is sent to them. */
  webhooks: z._default(z.array(Endpoint), []),
});
export type Inspection = z.infer<typeof Inspection>;
