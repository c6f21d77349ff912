/** The built-in skills. Every tool a model is offered belongs to exactly one of them. */
import { defineSkills, type Skill } from './skill.ts';
import { SKILL_TOOLS, type SkillName, skillOf } from './skill-tools.ts';

const named = (name: SkillName): Pick<Skill, 'name' | 'tools' | 'owns'> => ({
  name,
  tools: SKILL_TOOLS[name],
  owns: (tool) => skillOf(tool) === name,
});

export const SKILLS: readonly Skill[] = defineSkills([
  {
    ...named('notes'),
    purpose: 'keeps what should outlast a conversation, and finds it again',
    trigger: { sensors: [], words: /\b(remember|recall|note|notes|forget|merke?|erinnere?|notiz|notizen|vergiss)\b/iu },
    mandates: [
      'Before you say you do not know something about the owner, look for it with recall.',
      'Keep only what will matter in another conversation; read what you know before you keep it twice.',
    ],
    tier: 'auto',
  },
  {
    ...named('calculation'),
    purpose: 'works numbers and dates out exactly, instead of guessing them',
    trigger: { sensors: [], words: /\b(calculate|compute|percent|sum|average|berechne|prozent|summe|rechne)\b/iu },
    mandates: ['Work out every number with calculate; never estimate what can be computed.'],
    tier: 'auto',
  },
  {
    ...named('programs'),
    purpose: 'runs small programs in a sandbox, after the owner said yes',
    trigger: { sensors: [], words: /\b(javascript|(write|schreib) .{0,20}\b(script|program|skript|programm))\b/iu },
    mandates: ['Try a program with run-code before you say that it works.'],
    tier: 'reasoning',
  },
  {
    ...named('long-outputs'),
    purpose: 'reads on in outputs too long for one prompt',
    trigger: { sensors: [], words: undefined },
    mandates: ['Of a long output read on only as far as the answer needs.'],
    tier: 'auto',
  },
  {
    ...named('webhooks'),
    purpose: 'takes signed events of other systems, and calls the configured webhooks',
    trigger: { sensors: ['webhook'], words: /\b(webhook|webhooks|deploy)\b/iu },
    mandates: ['Call a webhook only for what was asked of you, with nothing in its body that this does not need.'],
    tier: 'auto',
  },
  {
    ...named('servers'),
    purpose: 'asks the tools of MCP servers the owner let in',
    trigger: { sensors: [], words: undefined },
    mandates: ['Give tools named mcp-… only what the question needs, and say whose answer it is.'],
    tier: 'auto',
  },
]);
