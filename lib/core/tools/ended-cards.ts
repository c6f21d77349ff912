/**
 * Cards that a change of the rules ends: each was asked for under the rules of before (I5). The
 * card of the change says how many wait. They are counted only where a card is written.
 */
import type { SkillDefinition } from '../skills/skill-definition.ts';
import type { SkillText } from '../skills/skill-files.ts';
import { countWords } from '../text/quoted.ts';
import type { Mark } from './marks.ts';
import type { FormContext } from './tool.ts';

type Counting = Pick<FormContext, 'countOpenCards'>;

/** A skill as it is, or will be; nothing of it if there is none. */
interface GateFiles {
  readonly definition: SkillDefinition;
  readonly files: readonly SkillText[];
}

const gatesOf = ({ definition: { gates }, files }: GateFiles): string =>
  JSON.stringify(gates.map(({ name, file }) => [name, files.find(({ path }) => path === file)?.text]));

/** @param skill whose gates the change adds or takes away; one that is off has none in force */
export const sayEndedCards = async (
  { countOpenCards }: Counting,
  mark: Mark,
  skill?: string,
): Promise<readonly string[]> => {
  const count = (await countOpenCards?.(skill)) ?? 0;
  return count === 0
    ? []
    : [mark(`CHANGED rules: a yes ends ${countWords(count, 'other waiting card')}, to be asked for again`)];
};

export const sayCardsOfGates = async (
  before: GateFiles | undefined,
  after: GateFiles | undefined,
  context: Counting,
  mark: Mark,
): Promise<readonly string[]> => {
  const [was, is] = [before, after].map((one) => (one === undefined ? '[]' : gatesOf(one)));
  return was === is ? [] : sayEndedCards(context, mark, (before ?? after)?.definition.name);
};
