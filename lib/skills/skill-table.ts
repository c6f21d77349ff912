/** The built-in skills. Every tool a model is offered belongs to exactly one of them. */
import { isMcpTool } from '../signal/mcp-name.ts';
import { defineSkills, type Skill } from './skill.ts';

const own = (...tools: readonly string[]): Pick<Skill, 'tools' | 'owns'> => ({
  tools,
  owns: (tool) => tools.includes(tool),
});

export const SKILLS: readonly Skill[] = defineSkills([
  {
    name: 'notes',
    purpose: 'keeps what should outlast a conversation, and finds it again',
    trigger: { sensors: [], words: /\b(remember|recall|note|notes|forget|merke?|erinnere?|notiz|notizen|vergiss)\b/iu },
    mandates: [
      'Before you say you do not know something about the owner, look for it with recall.',
      'Keep only what will matter in another conversation; read what you know before you keep it twice.',
    ],
    ...own('remember', 'recall', 'list-memory', 'forget'),
    tier: 'auto',
  },
  {
    name: 'calculation',
    purpose: 'works numbers and dates out exactly, instead of guessing them',
    trigger: { sensors: [], words: /\b(calculate|compute|percent|sum|average|berechne|prozent|summe|rechne)\b/iu },
    mandates: ['Work out every number with calculate; never estimate what can be computed.'],
    ...own('calculate', 'current-time'),
    tier: 'auto',
  },
  {
    name: 'programs',
    purpose: 'runs small programs in a sandbox, after the owner said yes',
    trigger: { sensors: [], words: /\b(javascript|(write|schreib) .{0,20}\b(script|program|skript|programm))\b/iu },
    mandates: ['Try a program with run-code before you say that it works.'],
    ...own('run-code'),
    tier: 'reasoning',
  },
  {
    name: 'long-outputs',
    purpose: 'reads on in outputs too long for one prompt',
    trigger: { sensors: [], words: undefined },
    mandates: ['Of a long output read on only as far as the answer needs.'],
    ...own('read-output'),
    tier: 'auto',
  },
  {
    name: 'webhooks',
    purpose: 'takes signed events of other systems, and calls the configured webhooks',
    trigger: { sensors: ['webhook'], words: /\b(webhook|webhooks|deploy)\b/iu },
    mandates: ['Call a webhook only for what was asked of you, with nothing in its body that this does not need.'],
    ...own('call-webhook'),
    tier: 'auto',
  },
  {
    name: 'servers',
    purpose: 'asks the tools of MCP servers the owner let in',
    trigger: { sensors: [], words: undefined },
    mandates: ['Give tools named mcp-… only what the question needs, and say whose answer it is.'],
    tools: ['mcp-…'],
    owns: isMcpTool,
    tier: 'auto',
  },
]);
