/**
 * The tools of the built-in skill `learning`. `look-for-habits` finds one thing that a person's own
 * words and decisions support, and changes nothing. `accept-offer` puts exactly that in force: it
 * always asks a person, on a card that shows the evidence (I14).
 */
import * as z from 'zod/mini';
import { JsonObject } from '../../core/base/json.ts';
import { rootOf } from '../../core/signal/ids.ts';
import type { Mark } from '../../core/tools/marks.ts';
import { defineTool, powerOf, type ToolContext } from '../../core/tools/tool.ts';
import type { Offer } from './offer.ts';

/** The person who accepts an offer, the signal and effect, and the time. */
export interface OfferSource extends Pick<ToolContext, 'signalId' | 'effectId' | 'now' | 'zone'> {
  readonly by: string;
}

/** The powers of learning that Act gives to these tools. */
export interface LearningPowers {
  /** @param signalId the signal that asks @returns an offer, or why there is none */
  readonly look: (signalId: string, now: number) => Promise<Offer | string>;
  /** The lines of an offer's card. They say so if the evidence does not support it. */
  readonly describe: (offer: unknown, now: number, mark?: Mark) => Promise<readonly string[]>;
  /** Puts it in force. @throws ProtocolError if its evidence does not support it */
  readonly accept: (offer: unknown, source: OfferSource) => Promise<readonly string[]>;
}

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly learning?: LearningPowers;
  }
}

/** The turns whose words an offer may hold: it is forgotten with each of them. */
const turnsOf = ({ evidence }: Offer): readonly string[] => [...new Set(evidence.map(({ id }) => rootOf(id)))];

export const lookForHabits = defineTool({
  name: 'look-for-habits',
  sentence: () => 'Look for something to offer',
  args: z.strictObject({}),
  tier: 'allow',
  isMaintenance: true,
  kind: 'read',
  outputOrigin: 'clean',
  run: async (_, { powers, signalId, now }) => {
    const found = await powerOf(powers, 'learning').look(signalId, now);
    const report = typeof found === 'string' ? { why: found } : { offer: found, turns: turnsOf(found) };
    // Nothing that outside text caused is evidence, so these are words of the owner and of code.
    return { output: JSON.stringify(report), origin: 'owner' };
  },
});

/** By the offer's kind. */
const OFFERS: Readonly<Record<string, string>> = {
  grant: 'Let what you approved again and again pass without asking, within bounds',
  rule: 'Add a rule to your policy that denies what you denied again and again',
  advice: 'Note that you know what fails again and again; nothing else changes',
  skill: 'Make a skill of what you say again and again',
};

export const acceptOffer = defineTool({
  name: 'accept-offer',
  sentence: ({ offer }) => OFFERS[String(offer.kind)] ?? 'Accept what was learned',
  args: z.strictObject({ offer: JsonObject }),
  tier: 'ask',
  isMaintenance: true,
  isAlwaysAsked: true,
  kind: 'idempotent',
  effects: { changesAuthority: true },
  outputOrigin: 'clean',
  loadForm: async () => (await import('./offer-form.ts')).OFFER_FORM,
  run: async ({ offer }, { powers, signalId, effectId, now, zone, approvedBy, actor }) => {
    const source = { signalId, effectId, now, zone, by: approvedBy ?? actor };
    return { output: (await powerOf(powers, 'learning').accept(offer, source)).join('\n'), origin: 'owner' };
  },
});

export const LEARNING_TOOLS = [lookForHabits, acceptOffer] as const;
