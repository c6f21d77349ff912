/** A grant in one line for a person: what, how often, until when, for whom. Pure; nothing invisible. */
import { canonicalJson } from '../base/canonical.ts';
import { shown } from './card.ts';
import type { Grant } from './grant.ts';

const clock = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const loosenedWords = (grant: Grant): string =>
  grant.loosened
    .map((rule) => (rule.kind === 'any' ? `${rule.path} anything` : `${rule.path} starting with ${rule.prefix}`))
    .join(', ');

export const describeGrant = (grant: Grant): string =>
  [
    `${grant.id}: ${shown(grant.tool ?? 'message')} (${grant.target}${grant.to === undefined ? '' : `, ${shown(grant.to)}`})`,
    ...(grant.args === undefined ? [] : [`with ${shown(canonicalJson(grant.args))}`]),
    ...(grant.loosened.length === 0 ? [] : [`except ${shown(loosenedWords(grant))}`]),
    `used ${grant.uses} of ${grant.usesMax}`,
    `until ${clock(grant.expiresAtMs)}`,
    grant.session === undefined ? 'in any conversation' : `in ${shown(grant.session)}`,
    ...(grant.taintSource === undefined ? [] : [`also for outside text: ${shown(grant.taintSource)}`]),
    `by ${shown(grant.createdBy)}`,
  ].join(' · ');
