/**
 * Definitions of the built-in skills, read from their folders. Written by
 * `npm run skills`; do not change it by hand.
 */
import { BUILT_IN_CUES } from './built-in-cues.ts';
import { BUILT_IN_TOOLS } from './built-in-tools.ts';
import type { SkillDefinition } from './skill-definition.ts';
import type { BuiltInSkill } from './skills.ts';

// biome-ignore format: written by a program
const BARE = {"requires":[],"jobs":[],"settings":{},"gates":[],"handlers":[]};

// biome-ignore format: written by a program
const REST: Readonly<Record<string, Pick<SkillDefinition, 'description'> & Partial<SkillDefinition>>> = {
  'auto-save': {"description":"keeps snapshots of memory by itself, so that you can go back to any of the last days","jobs":[{"name":"snapshot","every":"5m","condition":"facts.unsavedMinutes % (2 * facts.autoSaveMinutes) >= facts.autoSaveMinutes","steps":[{"tool":"auto-save","args":{}}],"to":[]}]},
  'calculation': {"description":"works numbers and dates out exactly, instead of guessing them"},
  'files': {"description":"reads and changes files on your own machine, in the folders that the machine allows"},
  'gardener': {"description":"looks memory through once a day without a model, reports what is untidy, and offers to mend it","jobs":[{"name":"daily","cron":"0 7 * * *","runbook":"gardener"}],"runbooks":[{"name":"gardener","description":"Looks memory through, reports what is untidy, and offers to mend it.","file":"runbook.yaml"}]},
  'jobs': {"description":"makes reminders and work that runs later, again and again, at an event or on a condition"},
  'learning': {"description":"offers what the owner's own decisions and words support, one thing a day, and edits added skills","jobs":[{"name":"daily","cron":"0 9 * * *","runbook":"learning"}],"runbooks":[{"name":"learning","description":"Offers one thing that the owner's own decisions and words support.","file":"runbook.yaml"}]},
  'long-outputs': {"description":"reads on in outputs too long for one prompt"},
  'messages': {"description":"sends a text or a file to a chat by the name you gave it, after you said yes"},
  'notes': {"description":"keeps what should outlast a conversation, and finds it again"},
  'operations': {"description":"runs checked runbooks for deployments, expiring certificates and weekly reports","runbooks":[{"name":"deploy-gate","description":"Asks before a deployment, starts it by a signed webhook, confirms it, and rolls it back if it failed.","file":"runbooks/deploy-gate.yaml"},{"name":"certificate-expires","description":"Tells you when a certificate or a domain expires soon. Your monitor sends the date; this works out the days.","file":"runbooks/certificate-expires.yaml"},{"name":"weekly-report","description":"Collects the answers of up to two webhooks and your notes on a subject, and sends a summary of them.","file":"runbooks/weekly-report.yaml"},{"name":"tell","description":"Tells you what an event says, in one line. No model is asked.","file":"runbooks/tell.yaml"}]},
  'outlines': {"description":"orders, sums up and links the notes below one, after you said yes"},
  'plans': {"description":"writes a plan down as notes, and performs it exactly as you approve it"},
  'programs': {"description":"runs small programs in a sandbox, after the owner said yes"},
  'reflection': {"description":"looks for a thought that connects a few of your notes, and keeps it if you say so","isOff":true,"jobs":[{"name":"regular","every":"4h","runbook":"reflection","pauseAfter":1}],"runbooks":[{"name":"reflection","description":"Looks for a thought that connects a few notes, and asks whether to keep it.","file":"runbook.yaml"}]},
  'scribe': {"description":"makes short notes of what you talked about, at most once an hour","isOff":true,"jobs":[{"name":"hourly","every":"1h","runbook":"scribe"}],"runbooks":[{"name":"scribe","description":"Makes short notes of the conversations since the last time.","file":"runbook.yaml"}]},
  'servers': {"description":"asks the tools of MCP servers the owner let in"},
  'shell': {"description":"runs commands on your own machine, in its sandbox, after you said yes to what changes anything"},
  'web': {"description":"searches the web and opens pages, after you said yes to the words or the address"},
  'webhooks': {"description":"takes signed events of other systems, and calls the configured webhooks"},
};

// biome-ignore format: written by a program
export const BUILT_IN: readonly BuiltInSkill[] = BUILT_IN_CUES.map((cues) => ({ definition: { ...BARE, description: '', ...REST[cues.name], ...cues, tools: [...(BUILT_IN_TOOLS[cues.name] ?? [])] } }));
