/**
 * The tools of the built-in skill `learning`. `look-for-habits` finds one thing that a person's own
 * words and decisions support, and changes nothing. `accept-offer` puts exactly that in force: it
 * always asks a person, on a card that shows the evidence (I14).
 */
import * as z from 'zod/mini';
import { Loosened } from '../approvals/grant.ts';
import { ProtocolError } from '../base/errors.ts';
import { Sha256, SkillName } from '../skills/skill-change.ts';
import { defineTool, type ToolContext } from './tool.ts';

/** Pieces of evidence that one offer names, the newest: a card still shows all of them. */
export const OFFER_EVIDENCE_MAX = 12;
/** A habit is at least this often the same. */
export const HABIT_TIMES_MIN = 3;
/** A rule of one statement. */
const OFFER_RULE_CHARS_MAX = 4_000;
/** The drafted skill is one sentence of the owner, twice, and a few lines about it. */
const OFFER_FILE_CHARS_MAX = 4_000;

/** `<signal>#<n>` of an action, or a signal; `at` is its time, epoch milliseconds. */
const Proof = z.strictObject({ id: z.string().check(z.maxLength(280)), at: z.int() });
export type Proof = z.infer<typeof Proof>;

const common = {
  /** Names the habit: whoever said no to it is not asked again. */
  shape: Sha256,
  evidence: z.array(Proof).check(z.minLength(HABIT_TIMES_MIN), z.maxLength(OFFER_EVIDENCE_MAX)),
};

export const Offer = z.discriminatedUnion('kind', [
  /** What was approved again and again may pass by itself, within bounds. */
  z.strictObject({
    ...common,
    kind: z.literal('grant'),
    /** The newest of the approved actions: the grant is made from it. */
    action: Proof.shape.id,
    loosen: z.array(Loosened).check(z.maxLength(1)),
    count: z.int().check(z.minimum(1), z.maximum(OFFER_EVIDENCE_MAX)),
    hours: z.int(),
  }),
  /** What was denied again and again is denied by a rule of the policy. */
  z.strictObject({ ...common, kind: z.literal('rule'), rule: z.string().check(z.maxLength(OFFER_RULE_CHARS_MAX)) }),
  /** A tool that fails again and again for one reason. Nothing changes by a yes. */
  z.strictObject({
    ...common,
    kind: z.literal('advice'),
    tool: z.string().check(z.maxLength(128)),
    reason: z.string().check(z.maxLength(300)),
    advice: z.string().check(z.maxLength(300)),
    /** The exact command that would change it, if there is one. */
    command: z.optional(z.string().check(z.maxLength(100))),
  }),
  /** What the owner says again and again becomes a skill. */
  z.strictObject({
    ...common,
    kind: z.literal('skill'),
    name: SkillName,
    files: z
      .array(z.strictObject({ path: z.string(), text: z.string().check(z.maxLength(OFFER_FILE_CHARS_MAX)) }))
      .check(z.minLength(1), z.maxLength(2)),
  }),
]);
export type Offer = z.infer<typeof Offer>;

/** Who accepts an offer, by which signal and effect, and when. */
export interface OfferSource extends Pick<ToolContext, 'signalId' | 'effectId' | 'now' | 'zone'> {
  readonly by: string;
}

/** The powers of learning that Act gives to these tools. */
export interface LearningPowers {
  /** @param signalId the signal that asks @returns an offer, or why there is none */
  readonly look: (signalId: string, now: number) => Promise<Offer | string>;
  /** The lines of an offer's card. They say so if the evidence does not support it. */
  readonly describe: (offer: Offer, now: number) => Promise<readonly string[]>;
  /** Puts it in force. @throws ProtocolError if its evidence does not support it */
  readonly accept: (offer: Offer, source: OfferSource) => Promise<readonly string[]>;
}

export const OfferArgs = z.strictObject({ offer: Offer });

const learningOrFail = (learning: LearningPowers | undefined): LearningPowers => {
  if (learning === undefined) throw new ProtocolError('nothing can be learned from here');
  return learning;
};

export const lookForHabits = defineTool({
  name: 'look-for-habits',
  description: 'Look for something to offer: what was approved, denied, said, or failed again and again.',
  args: z.strictObject({}),
  tier: 'allow',
  isMaintenance: true,
  kind: 'read',
  outputOrigin: 'clean',
  run: async (_, { learning, signalId, now }) => {
    const found = await learningOrFail(learning).look(signalId, now);
    const report = typeof found === 'string' ? { why: found } : { offer: found };
    // Nothing that outside text caused is evidence, so these are words of the owner and of code.
    return { output: JSON.stringify(report), origin: 'owner' };
  },
});

export const acceptOffer = defineTool({
  name: 'accept-offer',
  description: 'Put in force what look-for-habits offers, exactly as its card shows it.',
  args: OfferArgs,
  tier: 'ask',
  isMaintenance: true,
  isAlwaysAsked: true,
  kind: 'idempotent',
  effects: { changesAuthority: true },
  outputOrigin: 'clean',
  loadForm: async () => (await import('./offer-form.ts')).OFFER_FORM,
  run: async ({ offer }, { learning, signalId, effectId, now, zone, approvedBy, actor }) => {
    const source = { signalId, effectId, now, zone, by: approvedBy ?? actor };
    return { output: (await learningOrFail(learning).accept(offer, source)).join('\n'), origin: 'owner' };
  },
});
