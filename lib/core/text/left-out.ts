/**
 * The words in the place of a secret that was left out. In a proposal they name the secret, and the
 * gates block them like the secret itself, so that a replay of the stored words decides the same.
 */

export const markConfigured = (name: string): string => `[a secret was left out here: ${name}]`;
export const markForm = (name: string): string => `[what looks like a secret was left out here: ${name}]`;

/** Their first group is the name. */
export const CONFIGURED_LEFT_OUT = /\[a secret was left out here: ([^\]\n]{1,100})\]/;
export const FORM_LEFT_OUT = /\[what looks like a secret was left out here: ([^\]\n]{1,100})\]/;

/** In an output, which the model may quote. */
export const LINE_LEFT_OUT = '[a secret was left out here]';
