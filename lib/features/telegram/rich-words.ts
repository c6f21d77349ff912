/**
 * The words of a rich message (Bot API 10.1 to 10.4): blocks of texts, lists, tables, buttons and
 * media, nested in one another. Formats are left out, and where a tap leads stays. Unknown members
 * are passed over. Pure.
 */
import * as z from 'zod/mini';

/** Deeper blocks are left out: no editor makes them, and recursion needs an end. */
const DEPTH_MAX = 16;

const any = z.optional(z.unknown());
const list = z.catch(z.optional(z.array(z.unknown())), undefined);
const words = z.catch(z.optional(z.string()), undefined);
const withAddress = z.catch(z.optional(z.looseObject({ url: words })), undefined);

/** Members of a button, of a rich message or below a text, that say where it leads. */
export const ButtonTarget = { url: words, login_url: withAddress, web_app: withAddress };
const Rich = z.looseObject({
  type: words,
  text: any,
  summary: any,
  expression: any,
  alternative_text: any,
  caption: any,
  credit: any,
  /** Of a text that is one, or of a block that holds some. */
  button: any,
  buttons: list,
  ...ButtonTarget,
  email_address: words,
  phone_number: words,
  user: z.catch(z.optional(z.looseObject({ id: z.int() })), undefined),
  blocks: list,
  items: list,
  has_checkbox: any,
  is_checked: any,
  cells: list,
  document: z.catch(z.optional(z.looseObject({ file_name: words })), undefined),
});
type Rich = z.infer<typeof Rich>;

export const targetOfButton = ({ url, login_url, web_app }: Pick<Rich, keyof typeof ButtonTarget>) =>
  url ?? login_url?.url ?? web_app?.url;

/** The address or member that a tap opens, which no reader sees before. */
const targetOf = (rich: Rich): string | undefined =>
  targetOfButton(rich) ?? rich.email_address ?? rich.phone_number ?? (rich.user && `telegram:${rich.user.id}`);

/** A power of ten is no other number. */
const isPower = ({ type }: Rich, shown: string): boolean => type === 'superscript' && /^[\d+\u2212-]/.test(shown);

/** A text, a list of texts, or a text with a format. */
const inline = (value: unknown, depth = 0): string => {
  if (typeof value === 'string') return value;
  if (depth > DEPTH_MAX) return '';
  if (Array.isArray(value)) return value.map((part) => inline(part, depth + 1)).join('');
  const { data } = Rich.safeParse(value);
  if (data === undefined) return '';
  const text = inline(data.text ?? data.alternative_text ?? data.expression ?? data.button, depth + 1);
  const shown = isPower(data, text) ? `^${text}` : text;
  const target = targetOf(data);
  return target === undefined || target === shown ? shown : `${shown} (${target})`;
};

const lines = (values: readonly unknown[] = [], depth: number): readonly string[] =>
  values.flatMap((value) => blockLines(value, depth));

const boxOf = ({ has_checkbox, is_checked }: Rich): string => {
  if (has_checkbox !== true) return '';
  return is_checked === true ? '☑ ' : '☐ ';
};

const blockLines = (value: unknown, depth: number): readonly string[] => {
  const { data } = Rich.safeParse(value);
  if (data === undefined || depth > DEPTH_MAX) return [];
  const rows = (data.cells ?? []).map((row) => (Array.isArray(row) ? row : []).map((cell) => inline(cell)).join(' | '));
  return [
    inline(data.summary),
    inline(data),
    ...lines(data.items, depth + 1).map((line) => `- ${line}`),
    ...lines(data.blocks, depth + 1).map((line, n) => (n === 0 ? `${boxOf(data)}${line}` : line)),
    ...rows,
    ...(data.buttons ?? []).map((button) => inline(button)),
    data.document?.file_name ?? '',
    inline(data.caption),
    inline(Rich.safeParse(data.caption).data?.credit),
    inline(data.credit),
  ].filter((line) => line.trim() !== '');
};

export const richWords = (message: unknown): string => blockLines(message, 0).join('\n');
