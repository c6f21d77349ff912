/**
 * Punycode labels (`xn--…`) back into letters (RFC 3492), so that a host can be judged by what a person would see.
 * Pure; a label that is not punycode, or broken, is given back as it is. Bounded by the 63 characters of a label.
 */

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const BIAS_START = 72;
const CODE_START = 128;
const PREFIX = 'xn--';
const LABEL_CHARS_MAX = 63;

const digitOf = (char: string): number => (/[a-z]/.test(char) ? char.charCodeAt(0) - 97 : char.charCodeAt(0) - 22);

const adapt = (delta: number, count: number, isFirst: boolean): number => {
  let left = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  left += Math.floor(left / count);
  let k = 0;
  for (; left > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) left = Math.floor(left / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * left) / (left + SKEW));
};

const decode = (encoded: string): string | undefined => {
  const cut = encoded.lastIndexOf('-');
  const out = [...encoded.slice(0, Math.max(0, cut))];
  let at = cut + 1;
  let code = CODE_START;
  let index = 0;
  let bias = BIAS_START;
  while (at < encoded.length) {
    const before = index;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const char = encoded[at] ?? '';
      if (!/[a-z0-9]/.test(char)) return undefined;
      at += 1;
      const digit = digitOf(char);
      index += digit * weight;
      const threshold = k <= bias ? T_MIN : Math.min(k - bias, T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    bias = adapt(index - before, out.length + 1, before === 0);
    code += Math.floor(index / (out.length + 1));
    index %= out.length + 1;
    if (code > 0x10ffff) return undefined;
    out.splice(index, 0, String.fromCodePoint(code));
    index += 1;
  }
  return out.join('');
};

/** The letters of one lower-case label of a host. */
export const decodeLabel = (label: string): string => {
  if (!label.startsWith(PREFIX) || label.length > LABEL_CHARS_MAX) return label;
  return decode(label.slice(PREFIX.length)) ?? label;
};
