/** Habits that a person's own words and decisions support; one offer a day, none twice. Pure. */
import { DAY_MS, HOUR_MS } from '../../core/base/limits.ts';
import { findDecided } from './find-decided.ts';
import { findFailed } from './find-failed.ts';
import { findSaid } from './find-said.ts';
import type { EarlierOffer, Evidence } from './habit-evidence.ts';
import type { Offer } from './offer.ts';

/** One offer a day; a daily job may start some minutes earlier than the day before. */
const OFFER_EVERY_MS = 20 * HOUR_MS;
/** An offer that nobody answered comes back after so long. */
const OFFER_AGAIN_MS = 7 * DAY_MS;

/** Every habit, in no order. @param privacyTags of the space, beside `personal` */
export const findHabits = (evidence: Evidence, privacyTags: readonly string[] = []): readonly Offer[] => [
  ...findDecided(evidence.asked),
  ...findFailed(evidence.failed),
  ...findSaid(evidence.said, privacyTags),
];

/** Rules first: they only make things stricter. */
const ORDER: readonly Offer['kind'][] = ['rule', 'grant', 'advice', 'skill'];

const byWeight = (a: Offer, b: Offer): number =>
  ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
  b.evidence.length - a.evidence.length ||
  (a.shape < b.shape ? -1 : 1);

const mayOffer = (offer: Offer, earlier: readonly EarlierOffer[], now: number): boolean =>
  earlier
    .filter(({ shape }) => shape === offer.shape)
    .every(({ ending, at }) => {
      switch (ending) {
        case 'denied':
        case 'open':
          return false;
        case 'accepted':
          // A grant ends; what was approved since may be offered again.
          return offer.kind === 'grant' && offer.evidence.every((proof) => proof.at > at);
        case 'expired':
          return now - at >= OFFER_AGAIN_MS;
        default:
          ending satisfies never;
          return false;
      }
    });

/** @returns the offer to make now; undefined if one was made today, or no habit is left */
export const chooseOffer = (
  offers: readonly Offer[],
  earlier: readonly EarlierOffer[],
  now: number,
): Offer | undefined =>
  earlier.some(({ at }) => now - at < OFFER_EVERY_MS)
    ? undefined
    : offers.filter((offer) => mayOffer(offer, earlier, now)).sort(byWeight)[0];
