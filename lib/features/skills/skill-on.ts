/**
 * Whether a built-in skill is on, and why a tool may not be used. Reason asks this, and Act again
 * before it performs, so it knows no more of the skills than their tools. Settings that cannot be
 * read allow no skill's tool (I3). Pure.
 */
import { type OwnerSettings, settingOf } from '../../core/ledger/owner-settings.ts';
import { listsTool } from '../../core/signal/narrow-tools.ts';
import { BUILT_IN_TOOLS, OFF_AT_FIRST } from './built-in-tools.ts';

/** The built-in skill a tool belongs to; undefined if none has it. */
export const skillOf = (tool: string): string | undefined =>
  Object.entries(BUILT_IN_TOOLS).find(([, tools]) => listsTool(tools, tool))?.[0];

export const isSkillOn = (name: string, settings: OwnerSettings): boolean => {
  const said = settingOf(settings, `skill.${name}.is`);
  return said === '' ? !OFF_AT_FIRST.has(name) : said !== 'off';
};

const UNREADABLE = 'which skills are on cannot be read';

/**
 * Why no model may use this tool, as a gate's reason; undefined if the skills allow it.
 * @param settings undefined if the record cannot be read
 */
export const whyOff = (tool: string, settings: OwnerSettings | undefined): string | undefined => {
  const name = skillOf(tool);
  if (name === undefined) return undefined;
  if (settings === undefined) return UNREADABLE;
  return isSkillOn(name, settings) ? undefined : `the skill ${name} is off`;
};
