/** Walks XML without a tree. Entities that a file declares itself are never expanded. Pure. */
import { Parser } from 'htmlparser2';

/** Of an element, by their names as written. */
export type Attributes = Readonly<Record<string, string>>;

export interface XmlWalk {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The value of an attribute, whatever prefix its file has for the namespace. */
export const attributeOf = (attributes: Attributes, name: string): string | undefined =>
  attributes[name] ?? Object.entries(attributes).find(([written]) => withoutPrefix(written) === name)?.[1];

/** The id of a relationship: it has a prefix, where an `id` without one numbers the element. */
export const relationOf = (attributes: Attributes): string =>
  Object.entries(attributes).find(([written]) => /^[^:]+:(?:id|embed|pict)$/.test(written))?.[1] ?? '';

/** A property that is there is on unless it says otherwise. */
export const isOn = (attributes: Attributes): boolean =>
  !['0', 'false', 'off', 'none'].includes(attributeOf(attributes, 'val') ?? '');

/** @param open gets names without a prefix. @returns false if the end is missing */
export const walkXml = (xml: string, { open, close, text }: XmlWalk): boolean => {
  let [isAtEnd, isWhole] = [false, true];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open?.(withoutPrefix(name), attributes),
      onclosetag: (name) => {
        if (isAtEnd) isWhole = false;
        close?.(withoutPrefix(name));
      },
      ontext: (one) => text?.(one),
    },
    { xmlMode: true },
  );
  parser.write(xml);
  isAtEnd = true;
  parser.end();
  return isWhole;
};
