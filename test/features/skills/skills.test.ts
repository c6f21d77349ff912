/** Skills through the stages over the real table: added, shown in turns, switched, removed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { parseDecision, parseEffect } from '../../../lib/core/ledger/ledger.ts';
import type { Prompt } from '../../../lib/core/prompt/build-prompt.ts';
import { indexPartitions, signalKeys } from '../../../lib/core/store/keys.ts';
import { loadJob } from '../../../lib/features/jobs/read-jobs.ts';
import { loadActiveSkills } from '../../../lib/features/skills/skill-store.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { atStep, sampleSteps } from '../../support/sample.ts';
import { type Answer, buildSimulation, ownerMessage, signalWith } from '../../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const SAID_AT = 1_790_000_000_000;
const FIXTURES = join(ROOT, 'test/fixtures/skills');

interface File {
  readonly path: string;
  readonly text: string;
}

const folder = (name: string): readonly File[] =>
  readdirSync(join(FIXTURES, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.slice(join(FIXTURES, name).length + 1), text: readFileSync(path, 'utf8') }));

let spaces = 0;
const world = (answer: (prompt: Prompt) => Answer = () => ({ content: 'Yes.' })) => {
  spaces += 1;
  const space = `skills-${spaces}`;
  const prompts: Prompt[] = [];
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    startAt: SAID_AT,
    answer: (prompt) => {
      prompts.push(prompt);
      return answer(prompt);
    },
  });
  let n = 0;
  const take = async (signal: Parameters<typeof simulation.accept>[0]) => {
    const before = simulation.sent.length;
    await simulation.accept(signal);
    await simulation.drain();
    return simulation.sent.slice(before).map(({ text }) => text ?? '');
  };
  const command = async (rest: string) => {
    n += 1;
    const payload = { sensor: 'command', name: 'skill', rest } as const;
    return take(signalWith(space, `tg-1-${n}`, payload, '7', SAID_AT + n));
  };
  const message = async (text: string) => {
    n += 1;
    return take(ownerMessage(space, n, text, '7', SAID_AT + n));
  };
  /** Decides on the one approval that waits. */
  const decide = async (decision: 'approve' | 'deny') => {
    n += 1;
    const { items } = await dynamo.table.queryIndex({
      index: 'unfinished',
      partition: indexPartitions.pendingApprovals(space),
      limit: 5,
    });
    const approvalId = String(items[0]?.pk).split('#').at(-1) ?? '';
    const payload = { sensor: 'approval-decision', approvalId, decision } as const;
    return take(signalWith(space, `tg-1-${n}`, payload, '7', SAID_AT + n));
  };
  const add = async (files: readonly File[], trust: 'outside' | 'owner' = 'outside') => {
    const asked = await command(`add ${JSON.stringify({ files, trust })}`);
    const said = await decide('approve');
    return { asked, said, effect: await effect(`tg-1-${n - 1}`) };
  };
  const effect = async (id: string) => {
    const [item] = await dynamo.table.load([signalKeys.effect(space, id, 0)], { isConsistent: true });
    return item === undefined ? undefined : parseEffect(id, item);
  };
  const active = () => loadActiveSkills(dynamo.table, space);
  return { space, simulation, prompts, command, message, decide, add, effect, active };
};

const decisionOf = async (space: string, id: string) => {
  const [item] = await dynamo.table.load([signalKeys.decision(space, id)], { isConsistent: true });
  if (item === undefined) throw new Error('no decision');
  return parseDecision(id, item);
};

const TIDY: readonly File[] = [
  { path: 'SKILL.md', text: '---\nname: tidy\ndescription: Tidies. See https://evil.example/x\n---\nPut it away.\n' },
];

describe('/skill add', () => {
  it('shows the whole text on its card, and puts exactly that in force after a yes', async () => {
    const { add, active, command } = world();
    const { asked, effect } = await add(TIDY);
    expect(asked.join('\n')).toContain("Trust: outside: its words count as a stranger's, as data and not as yours");
    expect(asked.join('\n')).toMatch(
      /File SKILL\.md, \d+ bytes, SHA-256 [0-9a-f]{64}:\n {3}1 \| ---\n {3}2 \| name: tidy/,
    );
    expect(effect).toMatchObject({
      state: 'done',
      output: expect.stringMatching(/^tidy [0-9a-f]{12} is in force: trust outside, 1 files, \d+ bytes\.$/),
    });
    const { skills } = await active();
    expect(skills).toMatchObject([{ name: 'tidy', trust: 'outside', by: 'telegram:7' }]);
    const [listed = ''] = await command('list');
    expect(listed.split('\n').at(-1)).toMatch(
      /^tidy \(on, tier auto, priority 10, from outside, version [0-9a-f]{12}\): "Tidies\. See hxxps:\/\/evil/,
    );
    expect((await command('show tidy'))[0]).toContain('Put it away.');
  });

  it('changes nothing without a yes', async () => {
    const { command, decide, active } = world();
    await command(`add ${JSON.stringify({ files: TIDY, trust: 'outside' })}`);
    await decide('deny');
    expect(await active()).toMatchObject({ round: 0 });
  });

  it('leaves the version before in force if a new one does not load, and says so', async () => {
    const { add, active } = world();
    await add(TIDY);
    const before = await active();
    const { effect } = await add([{ path: 'SKILL.md', text: '---\nname: tidy\n---\n' }]);
    expect(effect).toMatchObject({
      state: 'failed',
      reason: 'the version before stays, because this one does not load: SKILL.md line 2: description is missing',
    });
    expect(await active()).toStrictEqual(before);
  });

  it.each([
    ['add nonsense', /^That command needs another form: /],
    ['add {"files": [], "trust": "outside"}', /^Nothing was changed: files must not be empty/],
    [
      `add ${JSON.stringify({ files: [{ path: 'SKILL.md', text: 'a\nb\u200bc' }], trust: 'outside' })}`,
      /^Nothing was changed: SKILL\.md line 2: it holds a character that nobody sees: \\u\{200b\}\.$/,
    ],
    ['on tidy', /^Nothing was changed: there is no such skill/],
    ['tier notes huge', /^Nothing was changed: tier must be /],
  ])('refuses "/skill %s"', async (rest, said) => {
    const { command, active } = world();
    expect((await command(rest)).join('\n')).toMatch(said);
    expect(await active()).toMatchObject({ round: 0 });
  });
});

describe('/skill remove, off and tier', () => {
  it('take a skill away after a yes, switch it off, and set its tier', async () => {
    const { add, command, decide, active } = world();
    await add(TIDY);
    expect((await command('off tidy'))[0]).toContain('tidy (off: it is switched off, ');
    expect((await command('tier tidy reasoning'))[0]).toContain('tier reasoning');
    await command('remove tidy');
    expect(await active()).toMatchObject({ skills: [{ name: 'tidy' }] });
    await decide('approve');
    expect(await active()).toMatchObject({ round: 2, skills: [] });
  });
});

const systemOf = (prompt: Prompt | undefined): string => prompt?.system ?? '';
const lastOf = (prompt: Prompt | undefined): string => prompt?.messages.at(-1)?.content ?? '';
const toolsOf = (prompt: Prompt | undefined): readonly string[] =>
  prompt?.tools.map((tool) => tool.function.name) ?? [];

describe('skills that others publish', () => {
  it.each([
    ['release-notes', 'please write the release notes for 1.4', '3. Sort the rest into **Added**'],
    ['invoice-check', 'run the invoice check on this: 3 x 9.99 = 29.97', '**OK** or **STOP**'],
    ['incident-summary', 'draft an incident summary of last night', '`HH:MM` and one fact a line'],
  ])('%s: are added unchanged, listed, and shown in a turn that they are for', async (name, request, piece) => {
    const { add, message, prompts, space } = world();
    const files = folder(name);
    expect((await add(files)).effect).toMatchObject({ state: 'done' });
    for (const { path, text } of files) {
      expect(readFileSync(join(FIXTURES, name, path), 'utf8')).toBe(text);
    }
    await message('hello');
    expect(systemOf(prompts[0])).toMatch(new RegExp(`# SKILLS\n.*:\n- ${name}$`, 'm'));
    expect(lastOf(prompts[0])).not.toContain('# SKILL\n');
    expect(toolsOf(prompts[0])).toContain('read-skill');
    expect(prompts[0]?.origin).toBe('owner');
    await message(request);
    expect(lastOf(prompts[1])).toContain(`\u27e6outside skill ${name}\u27e7`);
    expect(lastOf(prompts[1])).toContain(piece);
    expect(prompts[1]?.origin).toBe('outside');
    const decision = await decisionOf(space, 'tg-1-4');
    expect(decision).toMatchObject({ skill: { name, hash: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    expect(decision.actions[0]?.facts.at(-1)).toMatchObject({ origin: 'outside' });
  });

  it('narrow the tools while they are shown, at Reason and at Act, and never widen them', async () => {
    const remember: Answer = {
      toolCalls: [
        { id: 'c1', name: 'remember', argumentsText: '{"text": "bike", "explanation": "the owner asked for it"}' },
      ],
    };
    const { add, message, prompts, space } = world((prompt) =>
      lastOf(prompt).includes('rejected') || prompt.messages.some(({ role }) => role === 'tool')
        ? { content: 'No.' }
        : remember,
    );
    await add(folder('invoice-check'));
    await message('invoice check: 1 + 1 = 3');
    expect(toolsOf(prompts[0]).toSorted()).toStrictEqual(['calculate', 'read-output', 'read-skill', 'recall']);
    expect(JSON.stringify(prompts[1])).toContain('the skill invoice-check does not list it');
    expect((await decisionOf(space, 'tg-1-3')).skill?.only).toStrictEqual([
      ['calculate', 'recall', 'Read', 'Bash(python3:*)'],
    ]);
  });

  it('are read file by file when the model asks, as outside text', async () => {
    const read: Answer = {
      toolCalls: [
        {
          id: 'c1',
          name: 'read-skill',
          argumentsText:
            '{"skill": "invoice-check", "file": "references/tax-rates.md", "explanation": "it names the rates I need"}',
        },
      ],
    };
    const { add, message, prompts } = world((prompt) =>
      prompt.messages.some(({ role }) => role === 'tool') ? { content: 'It is 19 %.' } : read,
    );
    await add(folder('invoice-check'));
    await message('what is the tax in Germany?');
    expect(prompts[1]?.messages.find(({ role }) => role === 'tool')?.content).toContain('| DE | 19 %');
    expect(prompts.map(({ origin }) => origin)).toStrictEqual(['owner', 'outside']);
  });
});

describe('a skill of the owner', () => {
  const MINE: readonly File[] = [
    { path: 'SKILL.md', text: '---\nname: house\ndescription: Rules of the house.\n---\nWater the plants first.\n' },
    {
      path: 'passepartout.yaml',
      text: 'mandates: ["Call {{owner}} captain in {{settings.where}}."]\nsettings: { where: { meaning: where, default: port } }\ntier: reasoning\n',
    },
  ];

  it('counts as the owner’s words, with its description and its mandates in every prompt', async () => {
    const { add, message, prompts, command } = world();
    const { asked } = await add(MINE, 'owner');
    expect(asked.join('\n')).toContain('Trust: owner: you vouch for exactly these bytes, and its words count as yours');
    await message('use the house rules; house');
    expect(systemOf(prompts[0])).toContain('- house: Rules of the house.');
    expect(systemOf(prompts[0])).toMatch(/- Call .+ captain in port\./);
    expect(lastOf(prompts[0])).toContain('\u27e6skill house\u27e7\nWater the plants first.');
    expect(prompts[0]?.origin).toBe('owner');
    expect((await command('set house where the  harbour'))[0]).toContain('Settings: where = "the harbour".');
    expect((await command('set house when now'))[0]).toContain('the skill house has only these settings: where.');
    expect((await command('set notes when now'))[0]).toContain('the skill notes has no settings.');
    await message('hello');
    expect(systemOf(prompts[1])).toMatch(/captain in the harbour\./);
    await command('off house');
    await message('house');
    expect(systemOf(prompts[2])).not.toContain('captain');
    expect(lastOf(prompts[2])).not.toContain('plants');
  });
});

describe('the use of a skill', () => {
  it('is counted for turns that were shown it, and told by /skill and /cost', async () => {
    const { add, message, command, simulation, space } = world();
    await add(folder('release-notes'));
    await message('hello');
    expect((await command('list'))[0]).not.toContain('Shown in');
    await message('release notes, please');
    await message('release-notes again');
    const used = /Shown in 2 turns, 0\.0 s, \d+ tokens, \$0\.00/;
    expect((await command('list'))[0]).toMatch(used);
    await simulation.accept(
      signalWith(space, 'tg-1-90', { sensor: 'command', name: 'cost', rest: '' }, '7', SAID_AT + 90),
    );
    await simulation.drain();
    expect(simulation.sent.at(-1)?.text).toMatch(/Turns that were shown a skill.*:\n {2}release-notes: 2 turns, /);
  });
});

describe('the jobs of a skill', () => {
  const withJobs = (yaml: string): readonly File[] => [
    { path: 'SKILL.md', text: '---\nname: garden\ndescription: Keeps the garden.\n---\nWater it.\n' },
    { path: 'passepartout.yaml', text: yaml },
  ];
  const WEEKLY =
    'trigger: { schedule: { cron: "0 7 * * *" } }\njobs: [{ name: weekly, cron: "0 8 * * 1", prompt: Send all notes. }]\n';

  it('come and go with the versions that name them, and keep a stranger’s words out of the owner’s', async () => {
    const { add, command, decide, space } = world();
    const jobs = async () => {
      const found = await Promise.all(['garden', 'garden-weekly'].map((name) => loadJob(dynamo.table, space, name)));
      return found.map((job) => [job?.state, job?.definition.work]);
    };
    expect((await add(withJobs(WEEKLY))).effect).toMatchObject({
      state: 'done',
      output: expect.stringContaining('Its jobs: garden, garden-weekly.'),
    });
    expect(await jobs()).toStrictEqual([
      ['active', { kind: 'prompt', text: 'Work by the skill garden, as its job garden asks.' }],
      ['active', { kind: 'prompt', text: 'Work by the skill garden, as its job garden-weekly asks.' }],
    ]);
    await add(withJobs('trigger: { schedule: { cron: "0 7 * * *" } }\n'));
    expect((await jobs()).map(([state]) => state)).toStrictEqual(['active', 'removed']);
    await add(withJobs(WEEKLY), 'owner');
    expect((await jobs()).at(-1)).toStrictEqual(['active', { kind: 'prompt', text: 'Send all notes.' }]);
    await command('remove garden');
    await decide('approve');
    expect((await jobs()).map(([state]) => state)).toStrictEqual(['removed', 'removed']);
  });

  it('are made once, with their skill, wherever the process dies', async () => {
    const play = async (k: number) => {
      const { command, decide, active, simulation, space } = world();
      await command(`add ${JSON.stringify({ files: withJobs(WEEKLY), trust: 'outside' })}`);
      const before = simulation.operations();
      simulation.crashAt(k);
      await decide('approve');
      const operations = simulation.operations() - before;
      simulation.crashAt(Number.POSITIVE_INFINITY);
      const change = await dynamo.table.query({ pk: signalKeys.partition(space, 'tg-1-1'), skPrefix: 'skill#' });
      const jobs = await Promise.all(['garden', 'garden-weekly'].map((name) => loadJob(dynamo.table, space, name)));
      const { round, skills } = await active();
      const seen = [round, skills.length, change.items.length, ...jobs.map((job) => `${job?.state} ${job?.version}`)];
      expect(seen).toStrictEqual([1, 1, 1, 'active 1', 'active 1']);
      return operations;
    };
    const operations = await play(Number.POSITIVE_INFINITY);
    for (const k of sampleSteps('jobs of a skill', 1, operations)) await atStep(k, () => play(k));
  });

  it('do nothing without a model if the skill is from elsewhere', async () => {
    const { add, active } = world();
    const { effect } = await add(
      withJobs('jobs: [{ name: post, cron: "0 8 * * 1", steps: [{ tool: call-webhook, args: {} }] }]\n'),
    );
    expect(effect).toMatchObject({
      state: 'failed',
      reason: 'its job garden-post has steps, which only a skill that you vouch for may have',
    });
    expect(await active()).toMatchObject({ round: 0 });
  });
});
