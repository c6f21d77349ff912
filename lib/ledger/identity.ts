/**
 * Who the agent is: its name, its owner's name, how it is to speak. Said by an approver (`/identity`), else by the environment
 * (`MEMEX_ASSISTANT`, `MEMEX_USER`). Every text is one bounded line, because it stands at the front of every prompt. Pure.
 */

import { IDENTITY_NAME_CHARS_MAX, IDENTITY_STYLE_CHARS_MAX } from '../base/limits.ts';
import { findSecretFormat } from '../gates/rules/secret-formats.ts';
import { type OwnerSettings, settingOf } from './owner-settings.ts';

export const IDENTITY_FIELDS = ['name', 'owner', 'style'] as const;
export type IdentityField = (typeof IDENTITY_FIELDS)[number];

export interface Identity {
  /** Empty for "Passepartout". */
  readonly assistant: string;
  /** Empty for "the owner". */
  readonly user: string;
  /** Empty for the usual style. */
  readonly style: string;
}

/** @param set undefined where the record cannot be read: then the environment counts. */
export const identityOf = (set: OwnerSettings | undefined, usual: Omit<Identity, 'style'>): Identity => ({
  assistant: (set && settingOf(set, 'identity.name')) || usual.assistant,
  user: (set && settingOf(set, 'identity.owner')) || usual.user,
  style: set === undefined ? '' : settingOf(set, 'identity.style'),
});

export const isIdentityField = (word: string): word is IdentityField => IDENTITY_FIELDS.some((field) => field === word);

const charsMaxOf = (field: IdentityField): number =>
  field === 'style' ? IDENTITY_STYLE_CHARS_MAX : IDENTITY_NAME_CHARS_MAX;

/** One line of it; or why it cannot be taken, in words for a person. */
export const parseIdentityText = (field: IdentityField, text: string): { readonly text: string } | string => {
  const line = text
    .toWellFormed()
    // With what nobody sees: a pasted text may carry more than its reader knows, and this stands in every prompt.
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\s]+/gu, ' ')
    .trim();
  if (line === '') return 'there is nothing in it';
  if (line.length > charsMaxOf(field)) return `it is longer than ${charsMaxOf(field)} characters`;
  const asAction = { author: 'owner', target: 'tool', text: line, explanation: '' } as const;
  return findSecretFormat(asAction) === undefined ? { text: line } : 'it holds what looks like a secret';
};
