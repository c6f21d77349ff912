/**
 * Keys that a person typed in a command that takes none: `/provider` and `/config` are about
 * providers, and a chat is no place for a key. It is left out before anything is stored.
 */

/** A run of letters and digits as long as this is of a key: names of models have shorter parts. */
const KEY_RUN = /[A-Za-z0-9]{16,}/g;
/** Beginnings of the keys of known providers. */
const KEY_BEGINS = /\b(?:sk|pk|rk|gsk|xai|hf|nvapi|tgp|fw|r8|key|AIza)[-_][\w-]{8,}|\bAIza[\w-]{20,}/;
const WORD = /[^\s"'`,;{}[\]()]+/g;

/** Stands in place of one; `looksLikeKey` knows it. */
const LEFT_OUT = '⟨key-left-out⟩';

/** A host may be any run of letters and digits; what follows it may hold a key. */
const behindHost = (word: string): string => word.replace(/^https?:\/\/[^/?#@]*(?=[/?#]|$)/, '');

const isKey = (word: string): boolean =>
  word === LEFT_OUT ||
  KEY_BEGINS.test(behindHost(word)) ||
  (behindHost(word).match(KEY_RUN) ?? []).some((run) => /\d/.test(run) && /[A-Za-z]/.test(run));

export const looksLikeKey = (text: string): boolean => text.split(/\s+/).some(isKey);

/** The same words without what looks like a key. */
export const leaveOutTypedKey = (text: string): string => text.replace(WORD, (word) => (isKey(word) ? LEFT_OUT : word));

/** Whether a command is about providers: `/provider …`, `/config set PROVIDER_KEYS …`. */
export const takesNoKey = (name: string, rest: string): boolean =>
  name === 'provider' || (name === 'config' && /key|provider/i.test(rest));
