/**
 * The words of a rich message (Bot API 10.1): blocks of texts, lists, tables and media, nested in
 * one another. Formats are left out, addresses stay. Unknown members are passed over. Pure.
 */
import * as z from 'zod/mini';

/** Deeper blocks are left out: no editor makes them, and recursion needs an end. */
const DEPTH_MAX = 16;

const any = z.optional(z.unknown());
const list = z.catch(z.optional(z.array(z.unknown())), undefined);
const Rich = z.looseObject({
  text: any,
  summary: any,
  expression: any,
  alternative_text: any,
  caption: any,
  credit: any,
  url: z.catch(z.optional(z.string()), undefined),
  blocks: list,
  items: list,
  cells: list,
});

/** A text, a list of texts, or a text with a format. */
const inline = (value: unknown, depth = 0): string => {
  if (typeof value === 'string') return value;
  if (depth > DEPTH_MAX) return '';
  if (Array.isArray(value)) return value.map((part) => inline(part, depth + 1)).join('');
  const { data } = Rich.safeParse(value);
  if (data === undefined) return '';
  const words = inline(data.text ?? data.alternative_text ?? data.expression, depth + 1);
  return data.url === undefined || data.url === words ? words : `${words} (${data.url})`;
};

const lines = (values: readonly unknown[] = [], depth: number): readonly string[] =>
  values.flatMap((value) => blockLines(value, depth));

const blockLines = (value: unknown, depth: number): readonly string[] => {
  const { data } = Rich.safeParse(value);
  if (data === undefined || depth > DEPTH_MAX) return [];
  const rows = (data.cells ?? []).map((row) => (Array.isArray(row) ? row : []).map((cell) => inline(cell)).join(' | '));
  return [
    inline(data.summary),
    inline(data),
    ...lines(data.items, depth + 1).map((line) => `- ${line}`),
    ...lines(data.blocks, depth + 1),
    ...rows,
    inline(data.caption),
    inline(data.credit),
  ].filter((line) => line.trim() !== '');
};

export const richWords = (message: unknown): string => blockLines(message, 0).join('\n');
