/**
 * The tools of the built-in skill `learning`. `look-for-habits` finds one thing that a person's own
 * words and decisions support, and changes nothing. `accept-offer` puts exactly that in force: it
 * always asks a person, on a card that shows the evidence (I14).
 */
import * as z from 'zod/mini';
import { JsonObject, parseWith } from '../base/json.ts';
import { rootOf } from '../signal/ids.ts';
import { argumentProblems } from './argument-problems.ts';
import { type Offer, OfferArgs } from './offer.ts';
import { defineTool, powerOf, type ToolContext, type ToolForm } from './tool.ts';

const STALE =
  /^(?:The evidence cannot be read here|Its evidence does not support this|The action it was made from is gone)/;

/** The card is written where the evidence can be read. */
export const OFFER_FORM: ToolForm = {
  complete: async (args) => args,
  findProblems: async (args) => argumentProblems({ args: OfferArgs, fields: ['offer'] }, args),
  describe: async (args, { describeOffer }) => {
    const { offer } = parseWith('the offer', args, OfferArgs);
    return describeOffer === undefined
      ? ['The evidence cannot be read here: do not approve this.']
      : describeOffer(offer);
  },
  notable: (lines) => lines.filter((line) => STALE.test(line)),
};

/** The person who accepts an offer, the signal and effect, and the time. */
export interface OfferSource extends Pick<ToolContext, 'signalId' | 'effectId' | 'now' | 'zone'> {
  readonly by: string;
}

/** The powers of learning that Act gives to these tools. */
export interface LearningPowers {
  /** @param signalId the signal that asks @returns an offer, or why there is none */
  readonly look: (signalId: string, now: number) => Promise<Offer | string>;
  /** The lines of an offer's card. They say so if the evidence does not support it. */
  readonly describe: (offer: unknown, now: number) => Promise<readonly string[]>;
  /** Puts it in force. @throws ProtocolError if its evidence does not support it */
  readonly accept: (offer: unknown, source: OfferSource) => Promise<readonly string[]>;
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
  loadForm: async () => OFFER_FORM,
  run: async ({ offer }, { powers, signalId, effectId, now, zone, approvedBy, actor }) => {
    const source = { signalId, effectId, now, zone, by: approvedBy ?? actor };
    return { output: (await powerOf(powers, 'learning').accept(offer, source)).join('\n'), origin: 'owner' };
  },
});
