import { describe, expect, it } from 'vitest';
import { leavesTool } from '../../../lib/core/signal/narrow-tools.ts';
import type { Payload } from '../../../lib/core/signal/signal.ts';
import { chooseSkill, listsOf } from '../../../lib/features/skills/choose-skill.ts';
import { activeSkill } from './skill-world.ts';

const SAID: Payload = { sensor: 'chat-message', text: [] };
const EVENT: Payload = { sensor: 'webhook', source: 'ci', event: 'push', body: {}, text: [] };
const due = (job: string): Payload => ({ sensor: 'job-due', job, slot: 1, text: [] });
const trigger = (change: object) => ({ trigger: { sensors: [], words: [], ...change } });

const SKILLS = [
  activeSkill('release-notes', trigger({ words: ['changelog'] })),
  activeSkill('invoice-check', { priority: 20, ...trigger({ words: ['invoice'], schedule: { cron: '0 9 * * *' } }) }),
  activeSkill('incident', trigger({ sensors: ['webhook'] })),
  activeSkill('audit', { jobs: [{ name: 'weekly', cron: '0 8 * * 1', prompt: 'Audit.' }] }),
];

describe('chooseSkill', () => {
  it.each<[string, Payload, string, string | undefined]>([
    ['no skill', SAID, 'hello', undefined],
    ['by a word', SAID, 'write the Changelog', 'release-notes'],
    ['by its name', SAID, 'please do release notes', 'release-notes'],
    ['by its name with dashes', SAID, 'use release-notes', 'release-notes'],
    ['the highest priority', SAID, 'an invoice in the changelog', 'invoice-check'],
    ['by a sensor', EVENT, '', 'incident'],
    ['by its schedule', due('invoice-check'), '', 'invoice-check'],
    ['by its job', due('audit-weekly'), '', 'audit'],
    ['not by the job of another', due('other'), '', undefined],
  ])('chooses %s', (_, payload, text, name) => {
    expect(chooseSkill(SKILLS, { payload, text })?.name).toBe(name);
  });
});

describe('leavesTool', () => {
  it.each<[string, { allowedTools?: string[]; tools?: string[] }, readonly string[]]>([
    ['all without a list', {}, ['recall', 'remember', 'mcp-github-find', 'read-skill', 'read-output']],
    [
      'those of the list',
      { tools: ['recall', 'mcp-github-*'] },
      ['recall', 'mcp-github-find', 'read-skill', 'read-output'],
    ],
    ['none of names it does not have', { allowedTools: ['Bash(git:*)'] }, ['read-skill', 'read-output']],
    [
      'only what both lists have',
      { allowedTools: ['recall', 'remember'], tools: ['recall'] },
      ['recall', 'read-skill', 'read-output'],
    ],
  ])('leaves %s', (_, change, left) => {
    const tools = ['recall', 'remember', 'mcp-github-find', 'read-skill', 'read-output'];
    expect(tools.filter((tool) => leavesTool(listsOf(activeSkill('a', change).definition), tool))).toStrictEqual(left);
  });
});
