/** The cards that a skill's gates end: each was asked for under the rules of before (I5). */

import { sayEndedCards } from '../../../core/tools/ended-cards.ts';
import type { Mark } from '../../../core/tools/marks.ts';
import type { FormContext } from '../../../core/tools/tool.ts';
import type { SkillDefinition } from '../skill-definition.ts';
import type { SkillText } from '../skill-files.ts';

/** A skill as it is, or will be; nothing of it if there is none. */
interface GateFiles {
  readonly definition: SkillDefinition;
  readonly files: readonly SkillText[];
}

const gatesOf = ({ definition: { gates }, files }: GateFiles): string =>
  JSON.stringify(gates.map(({ name, file }) => [name, files.find(({ path }) => path === file)?.text]));

/** A skill that is off has no gate in force. */
export const sayCardsOfGates = async (
  before: GateFiles | undefined,
  after: GateFiles | undefined,
  context: Pick<FormContext, 'countOpenCards' | 'loadLookups'>,
  mark: Mark,
): Promise<readonly string[]> => {
  const [was, is] = [before, after].map((one) => (one === undefined ? '[]' : gatesOf(one)));
  if (was === is || context.countOpenCards === undefined) return [];
  const isOn = await (await context.loadLookups?.())?.isSkillOn?.((before ?? after)?.definition.name ?? '');
  return isOn === false ? [] : sayEndedCards(context, mark);
};
