/** The answers about skills in English, the typed source. A skill's own words are quoted. Pure. */
import { describeEndedCards } from '../../core/approvals/open-cards.ts';
import { textTable } from '../../core/base/language.ts';
import { describeUse, type SkillUse } from './skill-use.ts';

export const EN = {
  builtIn: (name: string, isOn: boolean, tier: string, purpose: string, tools: string) =>
    `${name} (${isOn ? 'on' : 'off'}, tier ${tier}): ${purpose}. Tools: ${tools}.`,
  /** @param off why it is off; undefined if it is on */
  state: (off: string | undefined) => (off === undefined ? 'on' : `off: ${off}`),
  tier: (tier: string) => `tier ${tier}`,
  priority: (priority: number) => `priority ${priority}`,
  trust: (trust: 'outside' | 'owner'): string => (trust === 'owner' ? 'yours' : 'from outside'),
  version: (hash: string) => `version ${hash}`,
  settings: (values: string) => ` Settings: ${values}.`,
  webhooks: (calls: string) => ` Webhooks: ${calls}.`,
  places: (names: string) => ` Names for texts: ${names}.`,
  shownIn: (use: SkillUse) => ` Shown in ${describeUse(use)}.`,
  endedCards: (count: number): readonly string[] => describeEndedCards(count),
  noSkill: 'there is no such skill; /skill list names them',
  isMandatory: (name: string) => `the setting MANDATORY_SKILLS names ${name}`,
  noSetting: (name: string, names: string) =>
    `the skill ${name} has ${names === '' ? 'no settings' : `only these settings: ${names}`}`,
  isBuiltIn: (name: string) => `the skill ${name} is built in; /skill off ${name} switches it off`,
  noFile: 'there is no such file',
  pieceTooLarge: (bytes: number, max: number) => `it has ${bytes} bytes: send pieces of at most ${max} bytes`,
};
export type SkillTexts = typeof EN;

export const skillTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
