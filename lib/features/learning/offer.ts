/** An offer: what may be put in force, and its evidence. */
import * as z from 'zod/mini';
import { Loosened } from '../../core/approvals/grant.ts';
import { Sha256, SkillName } from '../skills/skill-change.ts';

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
  /** An action that was approved again and again may pass by itself, within bounds. */
  z.strictObject({
    ...common,
    kind: z.literal('grant'),
    /** The newest of the approved actions: the grant is made from it. */
    action: Proof.shape.id,
    loosen: z.array(Loosened).check(z.maxLength(1)),
    count: z.int().check(z.minimum(1), z.maximum(OFFER_EVIDENCE_MAX)),
    hours: z.int(),
  }),
  /** An action that was denied again and again is denied by a rule of the policy. */
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
  /** A sentence that the owner says again and again becomes a skill. */
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

export const OfferArgs = z.strictObject({ offer: Offer });
