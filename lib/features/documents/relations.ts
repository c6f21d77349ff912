/**
 * The parts of an Office file and how they refer to each other (ISO 29500-2): names are a habit,
 * relations are the rule. Their types end alike in the transitional and the strict form.
 */
import { posix } from 'node:path';
import { ProtocolError } from '../../core/base/errors.ts';
import type { TextReading } from './collect-text.ts';
import { walkXml } from './walk-xml.ts';
import { DAMAGED, type Zip } from './zip.ts';

export interface Relation {
  /** The last word of its type, such as `footnotes`. */
  readonly type: string;
  /** A part of the file, or an address outside of it. */
  readonly target: string;
  readonly isOutside: boolean;
}

/** By their ids. @param part undefined for those of the file itself */
export const relationsOf = (zip: Zip, part = ''): ReadonlyMap<string, Relation> => {
  const relations = new Map<string, Relation>();
  const folder = posix.dirname(part);
  walkXml(zip.read(posix.join(folder, '_rels', `${posix.basename(part)}.rels`)) ?? '', {
    open: (name, { Id = '', Type = '', Target = '', TargetMode = '' }) => {
      const isOutside = TargetMode === 'External';
      const target = isOutside
        ? Target
        : posix.join('/', folder, Target.startsWith('/') ? posix.relative(`/${folder}`, Target) : Target).slice(1);
      if (name === 'Relationship') relations.set(Id, { type: posix.basename(Type), target, isOutside });
    },
  });
  return relations;
};

export const partsOf = (relations: ReadonlyMap<string, Relation>, type: string): readonly string[] =>
  [...relations.values()].flatMap((one) => (one.type === type && !one.isOutside ? [one.target] : []));

/** The text of a part; a damaged one is said in its place, and costs nothing else. */
export const readPart = (zip: Zip, name: string, { add }: Pick<TextReading, 'add'>): string | undefined => {
  try {
    return zip.read(name);
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.problem !== DAMAGED) throw error;
    add(`[${posix.basename(name)} in the file is damaged and cannot be read]\n`);
    return undefined;
  }
};

export const tellBroken = (isWhole: boolean, name: string, { add }: Pick<TextReading, 'add'>): void => {
  if (!isWhole) add(`[the end of ${posix.basename(name)} in the file is missing]\n`);
};

/** Parts by relations, then others with the usual names, `slide2` before `slide10`. */
export const findParts = (
  { names }: Zip,
  relations: ReadonlyMap<string, Relation>,
  type: string,
  usual: RegExp,
): readonly string[] => {
  const numberIn = (name: string): number => Number(/\d+(?=\.xml$)/.exec(name)?.[0] ?? 0);
  const named = names.filter((name) => usual.test(name)).sort((a, b) => numberIn(a) - numberIn(b));
  return [...new Set([...partsOf(relations, type), ...named])];
};
