/**
 * Tokens of a text, estimated without a tokenizer: every model counts differently, and the count only has to keep a prompt
 * inside its bounds. A third of the UTF-8 bytes is more than any tokenizer we know of needs for prose or code (English runs
 * at 3-4.5 bytes a token, Chinese at about 3), so the estimate errs on the safe side. Pure.
 */

const BYTES_PER_TOKEN = 3;
/** Roles and separators a provider adds around each message. */
export const MESSAGE_TOKENS = 5;

export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
