/** The words of an answer's content, which is a text, a list of parts, or nothing. Pure. */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';

const Part = z.looseObject({ type: z.optional(z.string()), text: z.optional(z.string()) });
/** Parts without words for a person. */
const IS_SILENT = /think|thought|reason|reference|tool/;

const partText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const { data } = Part.safeParse(value);
  if (data !== undefined && IS_SILENT.test(data.type ?? '')) return '';
  if (data?.text === undefined) throw new ProtocolError('the content is not text');
  return data.text;
};

/** @throws ProtocolError for anything else */
export const contentText = (content: unknown): string => {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  return (Array.isArray(content) ? content : [content]).map(partText).join('');
};
