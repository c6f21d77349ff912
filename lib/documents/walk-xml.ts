/** Walks XML without a tree. Entities that a file declares itself are never expanded. Pure. */
import { Parser } from 'htmlparser2';

export interface XmlWalk {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);

export const walkXml = (xml: string, { open, close, text }: XmlWalk): void => {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open?.(withoutPrefix(name), attributes),
      onclosetag: (name) => close?.(withoutPrefix(name)),
      ontext: (one) => text?.(one),
    },
    { xmlMode: true },
  );
  parser.end(xml);
};
