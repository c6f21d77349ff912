/** A token for every three bytes of UTF-8: no known tokenizer needs more for prose or code. */

const BYTES_PER_TOKEN = 3;
/** Tokens for the role and separators that a provider adds to each message. */
export const MESSAGE_TOKENS = 5;

export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
