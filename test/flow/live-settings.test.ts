/** `/config` on the whole stack: a setting changes while conversations run, without a restart. */
import { afterAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../lib/core/base/limits.ts';
import { LIVE_SETTINGS } from '../../lib/core/ledger/live-settings.ts';
import { RIGHT_SETTINGS } from '../../lib/core/signal/channels.ts';
import type { Item } from '../../lib/core/store/table.ts';
import { parseSkill } from '../../lib/features/skills/parse-skill.ts';
import { putSkill } from '../../lib/features/skills/skill-store.ts';
import { makeJob, sampleJob } from '../features/jobs/sample-job.ts';
import { say } from '../support/model-server.ts';
import { startTestStack, until } from '../support/stack.ts';

const CONVERSATIONS = 20;
/** The others ask an approver first. */
const FREE = LIVE_SETTINGS.filter((name) => !RIGHT_SETTINGS.some((right) => right === name));
const VALUES: Readonly<Record<string, string>> = {
  TIME_ZONE: 'Europe/Lisbon',
  HOME_CHAT: '71',
  DEFAULT_ACTUATOR: 'system',
  SILENT_ACTUATORS: 'console',
  PROVIDERS: '{"home":{"baseUrl":"http://127.0.0.1:9/v1","model":"small"}}',
  PROVIDER_CASCADE: 'custom:second',
  MODEL_RULES: '[{"words":["tax"],"use":"custom"}]',
  CONSENSUS_PROVIDERS: '2',
  EMBEDDING_MODEL: 'topics',
  STREAMING: 'off',
  PRIVACY_FILTER_TAGS: 'medical',
  MANDATORY_SKILLS: 'notes',
  CONTEXT_SEMANTIC_THRESHOLD: '0.5',
  MEMORY_AUTO_SAVE_MINUTES: '10',
  EVENTS_WITHOUT_JOB: 'ask',
  EVENT_FORMS: '{"shop":{"sold":"Sold: {{name}}"}}',
  WEBHOOK_COSTS: 'deploy=0.25',
  BUDGET_TURN_USD: '4',
  BUDGET_SESSION_USD: '6',
  BUDGET_JOB_USD: '3',
  BUDGET_DAY_USD: '9',
  BUDGET_DAY_TOKENS: '20000000',
};

const world = await startTestStack({ script: () => say('ok'), environment: { PROVIDER_NAMES: 'custom/first' } });
afterAll(world.stop);

const command = async (text: string): Promise<string> => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session: 'config' });
  return (await world.settled(body.id)).replies.join('\n');
};
const told = async (session: string): Promise<string> => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text: `hello of ${session}.`, session });
  const { state } = await world.settled(body.id);
  const asked = world.model.requests.findLast((request) => JSON.stringify(request.messages).includes(`of ${session}.`));
  return `${state} ${/Asia\/Tokyo|UTC/.exec(JSON.stringify(asked?.messages))?.[0]}`;
};

/** Why the model of a new message was chosen, as its decision says it. */
const explained = async () => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text: 'hello', session: 'explained' });
  const { decision } = await world.settled(body.id);
  return { id: body.id, why: decision?.attempts.at(-1)?.tierBecause };
};

/** The version that the decision on a new command names, as `/why` says it. */
const named = async (text: string): Promise<string | undefined> => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session: 'config' });
  await world.settled(body.id);
  return /^By version (\d+) of the settings$/m.exec(await command(`/why ${body.id}`))?.[1];
};

/** Decisions since then that no model took part in. */
const decidedByCode = async (since: number) => {
  const items = await world.scan();
  const sensorOf = new Map(
    items.filter(({ pk, sk }) => sk === 'record' && pk.startsWith('signal#')).map((item) => [item.pk, sensorIn(item)]),
  );
  return items.flatMap((item) =>
    item.sk === 'decision' && item.attempt === undefined && Number(item.at) > since
      ? [{ id: item.pk, sensor: sensorOf.get(item.pk), seen: item.seen }]
      : [],
  );
};
const sensorIn = ({ signal }: Item): string => JSON.parse(String(signal)).payload.sensor;

const addRunbook = async (): Promise<void> => {
  const files = [
    { path: 'SKILL.md', text: '---\nname: greet\ndescription: Greets.\n---\n' },
    { path: 'passepartout.yaml', text: 'runbooks: [greet.yaml]\n' },
    { path: 'greet.yaml', text: 'name: greet\ndescription: Greets.\nsteps:\n  - { text: Good day }\n' },
  ];
  const parsed = parseSkill(files);
  if (parsed.kind === 'problems') throw new Error(JSON.stringify(parsed.problems));
  const source = { space: 'default', by: 'console-approver', now: Date.now(), signalId: 'con-greet' };
  await putSkill(world.table, source, { definition: parsed.definition, files, trust: 'owner' });
};

describe('/config', () => {
  it('lists what may be changed, with where each value comes from', async () => {
    expect(await command('/config')).toMatch(/^BUDGET_DAY_USD: 5 \(default\)$/m);
    expect(await command('/config get time_zone')).toBe('TIME_ZONE: UTC (default)');
  });

  it.each([
    ['/config set OPENAI_API_KEY x', /cannot be changed while I run; these can be changed: TIME_ZONE, HOME_CHAT/],
    ['/config set BUGET_DAY_USD 3', /there is no setting BUGET_DAY_USD; these can be changed: TIME_ZONE/],
    ['/config set time_zone Mars/One', /TIME_ZONE must be a time zone such as Europe\/Berlin/],
    ['/config set BUDGET_DAY_USD lots', /BUDGET_DAY_USD must/],
    ['/config set PROVIDERS {"home":{"model":"x"}}', /PROVIDERS: home does not fit: baseUrl/],
    ['/config set PROVIDERS {"openai":{"baseUrl":"http://127.0.0.1:9/v1","model":"x"}}', /is no name for one/],
    ['/config set PROVIDER_CASCADE skynet', /PROVIDER_CASCADE names "skynet", which is none of custom/],
    ['/config set MODEL_RULES [{"tier":"reasoning"}]', /MODEL_RULES does not fit: rule 1/],
    ['/config set MODEL_RULES [{"use":"skynet"}]', /MODEL_RULES: rule 1 names "skynet"/],
    ['/config set MANDATORY_SKILLS notes,nothing', /the skill nothing is missing \(there is no such skill\)/],
  ])('refuses %s', async (text, words) => {
    expect(await command(text)).toMatch(words);
  });

  it('changes a setting under running conversations, says who did it, and takes it back', async () => {
    expect(await command('/config set time_zone Asia/Tokyo')).toBe(
      'TIME_ZONE is Asia/Tokyo now, in version 1 of the settings. It holds within a minute.',
    );
    let n = 0;
    const isThere = async (zone: string) => {
      n += 1;
      // One asks first, so that the others ask once or twice.
      if (!(await told(`first-${n}`)).endsWith(zone)) return false;
      const all = await Promise.all(Array.from({ length: CONVERSATIONS }, (_, k) => told(`talk-${n}-${k}`)));
      expect(all.filter((one) => !one.startsWith('acted'))).toStrictEqual([]);
      return all.every((one) => one.endsWith(zone));
    };
    await until('every conversation is told the new zone', () => isThere('Asia/Tokyo'));
    const { id, why } = await explained();
    expect(why).toMatch(/; by version 1 of the settings$/);
    expect(await command(`/why ${id}`)).toMatch(/^Model: .*; by version 1 of the settings\)$/m);
    expect(await command('/config get TIME_ZONE')).toMatch(
      /^TIME_ZONE: Asia\/Tokyo \(set by console-approver on .* UTC\)$/,
    );
    expect(await command('/config reset TIME_ZONE')).toBe('What was set is taken back. TIME_ZONE: UTC (default)');
    await until('every conversation is told the old zone', () => isThere('UTC'));
    expect((await explained()).why).not.toContain('version');
  });

  it('names their version in decisions of code too: commands, taps, jobs of steps, runbooks', async () => {
    const [, version] = /in version (\d+) of/.exec(await command('/config set STREAMING off')) ?? [];
    await until('it holds', async () => (await named('/jobs')) === version, 30_000);
    const when = { kind: 'every', minutes: 90, from: Date.now() + HOUR_MS } as const;
    await makeJob(world.table, 'default', sampleJob({ when, to: [{ target: 'console', to: 'main' }] }), Date.now());
    await addRunbook();
    const since = Date.now();
    await command('/jobs run morning');
    await command('/runbook run greet');
    const { approvals } = (await world.api<{ approvals: { id: string }[] }>('GET', '/api/approvals')).body;
    await world.api('POST', `/api/approvals/${approvals[0]?.id}`, { decision: 'approve' });
    const isThere = (form: RegExp) => async () => (await decidedByCode(since)).some(({ id }) => form.test(id));
    for (const form of [/approval-/, /#job-morning.*\/s1$/, /#run-.*\/s1$/])
      await until(`${form}`, isThere(form), 60_000);
    for (const { id, sensor, seen } of await decidedByCode(since))
      if (sensor !== 'notice') expect(seen, id).toStrictEqual([{ id: 'settings', version: Number(version) }]);
    await command('/config reset STREAMING');
  });

  it('changes every live setting under running conversations, and loses no message', async () => {
    const states: string[] = [];
    /** While it is changed, a conversation has a turn. */
    const change = async (text: string): Promise<string> => {
      const n = states.length;
      const [answer, state] = await Promise.all([command(text), told(`every-${n % CONVERSATIONS}-${n}`)]);
      states.push(state.split(' ')[0] ?? '');
      return answer;
    };
    for (const name of FREE)
      expect(await change(`/config set ${name} ${VALUES[name]}`), name).toContain(`${name} is ${VALUES[name]} now`);
    const asked = async () => {
      await told('asked');
      return world.model.requests.at(-1)?.model;
    };
    await until('the new cascade is asked', async () => (await asked()) === 'second');
    for (const name of FREE) expect(await change(`/config reset ${name}`), name).toContain('is taken back');
    await until('the old model is asked', async () => (await asked()) !== 'second');
    expect(states).toStrictEqual(states.map(() => 'acted'));
    expect(await command('/config')).toContain(`Version ${4 + 2 * FREE.length}.`);
  });

  it('adds a provider, which a cascade may name from then on, and none in place of the environment’s', async () => {
    const more = JSON.stringify({ second: { baseUrl: world.model.baseUrl, model: 'of-second' } });
    await command(`/config set PROVIDERS ${more}`);
    expect(await command('/config set PROVIDER_CASCADE custom,second')).toContain('PROVIDER_CASCADE is custom,second');
    await command('/config set PROVIDER_CASCADE second');
    await until('it is asked', async () => {
      await told(`second-${world.model.requests.length}`);
      return world.model.requests.at(-1)?.model === 'of-second';
    });
    expect(await command('/config')).toContain('Keys stay in the environment');
    for (const name of ['PROVIDER_CASCADE', 'PROVIDERS']) await command(`/config reset ${name}`);
    expect(await command('/config set PROVIDER_CASCADE second')).toContain('which is none of custom');
  });

  it('is refused to somebody who is no approver', async () => {
    const { body } = await world.api(
      'POST',
      '/api/config/set?session=main',
      { name: 'STREAMING', value: 'off' },
      'none',
    );
    expect(JSON.stringify(body)).not.toContain('"id"');
  });
});
