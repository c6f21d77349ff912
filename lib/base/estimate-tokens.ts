/**
 * Estimates the tokens of a text as a third of its UTF-8 bytes. No known tokenizer needs more for
 * prose or code (English has 3 to 4.5 bytes a token), so a prompt stays in its bounds.
 */

const BYTES_PER_TOKEN = 3;
/** Tokens for the role and separators that a provider adds to each message. */
export const MESSAGE_TOKENS = 5;

export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
