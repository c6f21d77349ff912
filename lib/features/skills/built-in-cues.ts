/**
 * Cues of the built-in skills, read from their folders. Written by
 * `npm run skills`; do not change it by hand.
 */
import type { SkillCues } from './skills.ts';

// biome-ignore format: written by a program
const USUAL: Omit<SkillCues, 'name' | 'priority'> = {"trigger":{"sensors":[],"words":[]},"tier":"auto","mandates":[]};

// biome-ignore format: written by a program
const OWN: readonly (Pick<SkillCues, 'name' | 'priority'> & Partial<SkillCues>)[] = [
  {"name":"auto-save","priority":5},
  {"name":"calculation","priority":50,"trigger":{"sensors":[],"words":["calculate","compute","percent","sum","average","berechne","prozent","summe","rechne"]},"mandates":["Work out every number with calculate; never estimate what can be computed."]},
  {"name":"files","priority":28,"trigger":{"sensors":[],"words":["file","files","folder","datei","dateien","ordner"]},"mandates":["Read a file before you change it; prefer edit-file to writing it whole."]},
  {"name":"gardener","priority":4},
  {"name":"jobs","priority":15,"trigger":{"sensors":[],"words":["remind","reminder","schedule","every day","every week","jeden tag"]},"mandates":["For anything that shall happen later or again, propose schedule-job; look at list-jobs before you change a job.","To pause, resume, run or remove a job, name the command to the owner, such as /jobs pause tea."]},
  {"name":"learning","priority":12,"mandates":["To change an added skill, propose edit-skill with its text as read-skill showed it."]},
  {"name":"long-outputs","priority":30,"mandates":["Of a long output read on only as far as the answer needs."]},
  {"name":"messages","priority":12,"mandates":["Write to another chat only if you were asked to."]},
  {"name":"notes","priority":60,"trigger":{"sensors":[],"words":["remember","recall","note","notes","forget","merk","merke","erinner","erinnere","notiz","notizen","vergiss"]},"mandates":["Before you say you do not know something about the owner, look for it with recall.","Keep only what will matter in another conversation; read what you know before you keep it twice."]},
  {"name":"operations","priority":12,"trigger":{"sensors":[],"words":["runbook","runbooks"]}},
  {"name":"outlines","priority":18},
  {"name":"plans","priority":16},
  {"name":"polling","priority":17},
  {"name":"programs","priority":40,"trigger":{"sensors":[],"words":["javascript","write … script","write … program","write … skript","write … programm","schreib … script","schreib … program","schreib … skript","schreib … programm"]},"tier":"reasoning","mandates":["Try a program with run-code before you say that it works."]},
  {"name":"reflection","priority":2},
  {"name":"scribe","priority":3},
  {"name":"servers","priority":10,"mandates":["Give tools named mcp-… only what the question needs, and say whose answer it is."]},
  {"name":"shell","priority":26,"trigger":{"sensors":[],"words":["shell","terminal","run … command"]},"mandates":["Give one plain command a call, without tricks; use the file tools for files."]},
  {"name":"web","priority":24,"trigger":{"sensors":[],"words":["website","web page","webseite","search the web"]},"mandates":["Open only addresses the owner gave, or a page or search they want names; put nothing of theirs in one. Name sources."]},
  {"name":"webhooks","priority":20,"trigger":{"sensors":["webhook"],"words":["webhook","webhooks","deploy"]},"mandates":["Call a webhook only for what was asked of you, with nothing in its body that this does not need."]},
];

export const BUILT_IN_CUES: readonly SkillCues[] = OWN.map((own) => ({ ...USUAL, ...own }));
