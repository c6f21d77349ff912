/**
 * An approver's wish which model answers a conversation (`/model`): `auto`, a tier, or one model of one configured provider.
 * Pure. Stored as text on the conversation, where neither memory nor a model's proposal reaches it (I14).
 */
import type { Tier } from './provider-table.ts';

export type ModelChoice =
  | { readonly kind: 'auto' }
  | { readonly kind: 'tier'; readonly tier: Tier }
  | { readonly kind: 'model'; readonly provider: string; readonly model: string };

/** What may be written after `/model`. */
export const MODEL_CHOICE_USAGE = '/model [auto | cognition | reasoning | <provider>/<model>]';

const MODEL = /^([a-z][a-z0-9-]{0,31})\/([\w.:/@-]{1,128})$/;

/** @returns undefined for what is no choice */
export const parseModelChoice = (text: string): ModelChoice | undefined => {
  if (text === 'auto') return { kind: 'auto' };
  if (text === 'cognition' || text === 'reasoning') return { kind: 'tier', tier: text };
  const [, provider, model] = MODEL.exec(text) ?? [];
  return provider === undefined || model === undefined ? undefined : { kind: 'model', provider, model };
};

/** What a stored choice says; one of a later release counts as none. */
export const storedModelChoice = (text: string | undefined): ModelChoice =>
  (text === undefined ? undefined : parseModelChoice(text)) ?? { kind: 'auto' };
